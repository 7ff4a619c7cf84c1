/* Operations that are issued now and done later, in the queue of ../../device/queue.h.
 *
 * Method   one queue for all streams: its order is one that CUDA allows, and an event's or a stream's
 *          work is over when the place in the queue that it was given is. What is issued while nothing
 *          is under way is done in the call, except for functions of the host, which may wait for
 *          the caller
 */
#include "queue.h"
#include "runtime.h"

#include <string.h>

struct issued {
  rt_step run;
  unsigned char job[] __attribute__((aligned(16)));
};

static bool has_failed(void) {
  bool skip;
  return rt_begin_issue(&skip) || skip;
}

static void run_issued(void *data) {
  const struct issued *issued = data;
  if (!has_failed()) (void)issued->run(issued->job); /* what it may fail for was looked at before */
}

uint64_t rt_issue_always(rt_step run, const void *job, size_t bytes) {
  if (!sd_launches_return()) return 0;
  struct issued *issued = sd_queue_add(sizeof *issued + bytes, run_issued);
  if (!issued) return 0;
  issued->run = run;
  if (bytes) memcpy(issued->job, job, bytes);
  return sd_queue_commit();
}

bool rt_issue(cudaStream_t stream, rt_step run, const void *job, size_t bytes) {
  if (sd_queue_is_done(sd_queue_last())) {
    sd_resume_launch(true);
    return false;
  }
  const uint64_t place = rt_issue_always(run, job, bytes);
  if (place)
    sd_issued(stream, place);
  else
    sd_drain();
  return place != 0;
}

cudaError_t rt_begin_at(uint64_t place, bool wait) {
  const uint64_t last = sd_queue_last();
  if (!wait && sd_launch_waits()) {
    sd_resume_launch(false);
    if (sd_launch_waits()) return rt_failure();
  }
  if (simt_on_device() || sd_queue_is_done(last) || (wait && place >= last)) return rt_begin();
  if (wait) sd_queue_wait(place);
  const bool done = sd_queue_ask(place);
  if (done && place) sd_text_release();
  const cudaError_t error = rt_failure();
  return error || done ? error : cudaErrorNotReady;
}

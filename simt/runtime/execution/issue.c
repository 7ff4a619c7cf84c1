/* Operations that are issued now and done later, in the queue of ../../device/queue.h.
 *
 * Method   one queue for all streams: its order is one that CUDA allows, and an event's or a stream's
 *          work is over when the place in the queue that it was given is. What is issued while nothing
 *          is under way is done in the call, except for functions of the host, which may wait for
 *          the caller
 */
#include "observer.h"
#include "queue.h"
#include "runtime.h"

#include <string.h>

struct issued {
  rt_step run;
  cudaStream_t stream;
  void *call; /* the observer's */
  unsigned char job[] __attribute__((aligned(16)));
};

static bool has_failed(void) {
  bool skip;
  return rt_begin_issue(&skip) || skip;
}

static _Thread_local cudaStream_t stream_of_now;

cudaStream_t rt_issued_stream(void) { return stream_of_now; }

static void run_issued(void *data) {
  const struct issued *issued = data;
  SD_NOTIFY(issued_begin, issued->call);
  stream_of_now = issued->stream;
  if (!has_failed()) (void)issued->run(issued->job); /* what it may fail for was looked at before */
  stream_of_now = NULL;
  SD_NOTIFY(issued_end, issued->call);
}

bool rt_issue_always(cudaStream_t stream, rt_step run, const void *job, size_t bytes) {
  if (!sd_queue_is_held() && !sd_launches_return()) return false;
  struct issued *issued = sd_queue_add(sizeof *issued + bytes, run_issued);
  if (!issued) return false;
  issued->run = run;
  issued->stream = stream;
  SD_NOTIFY(issued, &issued->call);
  if (bytes) memcpy(issued->job, job, bytes);
  sd_issued(stream, sd_queue_commit());
  return true;
}

bool rt_issue(cudaStream_t stream, rt_step run, const void *job, size_t bytes) {
  if (sd_queue_is_done(sd_queue_last())) return false;
  if (rt_issue_always(stream, run, job, bytes)) return true;
  sd_drain();
  return false;
}

cudaError_t rt_begin_at(uint64_t place, bool wait) {
  const uint64_t last = sd_queue_last();
  if (!wait) sd_resume_launch(false);
  while (wait && !sd_queue_is_done(place) && sd_launch_waits()) sd_resume_launch(true);
  if (simt_on_device() || sd_queue_is_done(last) || (wait && place >= last)) return rt_begin();
  if (wait) sd_queue_wait(place);
  const bool done = sd_queue_ask(place);
  if (done && place) sd_text_release();
  const cudaError_t error = rt_failure();
  return error || done ? error : cudaErrorNotReady;
}

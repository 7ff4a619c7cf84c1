/* Events: moments on the machine's clock.
 *
 * Method   an event keeps its place in the queue of what was issued (issue.c), and the clock is read when
 *          the queue comes there
 * Source   CUDA Runtime API 13.0, section Event Management
 */
#include "observer.h"
#include "queue.h"
#include "runtime.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

struct CUevent_st {
  _Atomic int64_t nanoseconds;
  unsigned flags;
  bool recorded;
  _Atomic uint64_t place;    /* that must be done for it to be complete */
  struct rt_capture capture; /* if a capturing stream recorded it last */
};

static struct rt_pool events = {.object_bytes = sizeof(struct CUevent_st), .capacity = 1u << 18};

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  const unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  const cudaError_t error = rt_begin_at(0, false);
  if (error) return rt_end(error);
  if (!event || (flags & ~known)) return rt_end(cudaErrorInvalidValue);
  if ((flags & cudaEventInterprocess) && !(flags & cudaEventDisableTiming))
    return rt_end(cudaErrorInvalidValue);
  struct CUevent_st *made = rt_pool_take(&events);
  if (!made) return rt_end(cudaErrorMemoryAllocation);
  made->flags = flags;
  *event = made;
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

static cudaError_t begin(cudaEvent_t event) {
  const cudaError_t error = rt_begin();
  if (error) return error;
  return rt_pool_holds(&events, event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

static cudaError_t stamp(cudaEvent_t event, cudaStream_t stream) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  atomic_store(&event->nanoseconds, (int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
  SD_NOTIFY(event_recorded, event, stream);
  return cudaSuccess;
}

static cudaError_t run_stamp(const void *job) {
  cudaEvent_t event;
  memcpy(&event, job, sizeof event);
  return stamp(event, rt_issued_stream());
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  bool skip;
  const cudaError_t error = rt_begin_issue(&skip);
  if (error) return rt_end(error);
  if (!rt_pool_holds(&events, event)) return rt_end(cudaErrorInvalidResourceHandle);
  if (flags & ~1u) return rt_end(cudaErrorInvalidValue);
  if (!rt_stream_ok(stream)) return rt_end(cudaErrorInvalidResourceHandle);
  const struct rt_capture *c = rt_capture_of(stream);
  event->capture = (struct rt_capture){.graph = NULL};
  if (c && c->graph) {
    event->capture = *c;
    return cudaSuccess;
  }
  event->recorded = true;
  if (!rt_issue(stream, run_stamp, &event, sizeof event)) stamp(event, stream);
  atomic_store(&event->place, rt_stream_place(stream));
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

/* An event that was never recorded counts as complete. */
static cudaError_t ask(cudaEvent_t event, bool wait) {
  const bool known = rt_pool_holds(&events, event);
  cudaError_t error = rt_begin_at(known ? atomic_load(&event->place) : 0, wait);
  if (!known && !error) error = cudaErrorInvalidResourceHandle;
  if (!error) SD_NOTIFY(host_waits_event, event);
  return rt_end(error);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) { return ask(event, true); }
cudaError_t cudaEventQuery(cudaEvent_t event) { return ask(event, false); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const cudaError_t error = begin(event);
  if (error) return rt_end(error);
  SD_NOTIFY(event_gone, event);
  rt_pool_give(&events, event);
  return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
  cudaError_t error = rt_begin_at(0, false);
  if (error) return rt_end(error);
  if (!rt_pool_holds(&events, start) || !rt_pool_holds(&events, end))
    return rt_end(cudaErrorInvalidResourceHandle);
  if (!ms) return rt_end(cudaErrorInvalidValue);
  if (!start->recorded || !end->recorded || ((start->flags | end->flags) & cudaEventDisableTiming))
    return rt_end(cudaErrorInvalidResourceHandle);
  if (!sd_queue_is_done(atomic_load(&start->place)) || !sd_queue_is_done(atomic_load(&end->place)))
    return rt_end(cudaErrorNotReady);
  *ms = (float)((double)(end->nanoseconds - start->nanoseconds) * 1e-6);
  return cudaSuccess;
}

/* The queue has the event's work before what comes now. */
static cudaError_t run_wait(const void *job) {
  cudaEvent_t event;
  memcpy(&event, job, sizeof event);
  SD_NOTIFY(stream_waits, rt_issued_stream(), event);
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  const cudaError_t error = rt_begin_at(0, false);
  if (error) return rt_end(error);
  if (!rt_pool_holds(&events, event)) return rt_end(cudaErrorInvalidResourceHandle);
  if (!rt_stream_ok(stream)) return rt_end(cudaErrorInvalidResourceHandle);
  if (flags & ~1u) return rt_end(cudaErrorInvalidValue);
  if (event->capture.graph)
    rt_capture_join(stream, &event->capture);
  else if (sd_observer && !rt_issue(stream, run_wait, &event, sizeof event))
    SD_NOTIFY(stream_waits, stream, event);
  return cudaSuccess;
}

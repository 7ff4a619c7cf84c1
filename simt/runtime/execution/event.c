/* Events: moments on the machine's clock.
 *
 * Source   CUDA Runtime API 13.0, section Event Management
 */
#include "observer.h"
#include "runtime.h"

#include <time.h>

struct CUevent_st {
  int64_t nanoseconds;
  unsigned flags;
  bool recorded;
  struct rt_capture capture; /* if a capturing stream recorded it last */
};

static struct rt_pool events = {.object_bytes = sizeof(struct CUevent_st), .capacity = 1u << 18};

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  const unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  const cudaError_t error = rt_begin();
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

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  struct timespec now;
  bool skip;
  const cudaError_t error = rt_begin_later(&skip);
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
  clock_gettime(CLOCK_MONOTONIC, &now);
  event->nanoseconds = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
  event->recorded = true;
  SD_NOTIFY(event_recorded, event, stream);
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

/* An event that was never recorded counts as complete. */
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const cudaError_t error = begin(event);
  if (!error) SD_NOTIFY(host_waits_event, event);
  return rt_end(error);
}

/* What it was asked for has always happened. */
cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const cudaError_t error = begin(event);
  if (error) return rt_end(error);
  SD_NOTIFY(event_gone, event);
  rt_pool_give(&events, event);
  return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
  cudaError_t error = begin(start);
  if (!error) error = begin(end);
  if (error) return rt_end(error);
  if (!ms) return rt_end(cudaErrorInvalidValue);
  if (!start->recorded || !end->recorded || ((start->flags | end->flags) & cudaEventDisableTiming))
    return rt_end(cudaErrorInvalidResourceHandle);
  *ms = (float)((double)(end->nanoseconds - start->nanoseconds) * 1e-6);
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  const cudaError_t error = begin(event);
  if (error) return rt_end(error);
  if (!rt_stream_ok(stream)) return rt_end(cudaErrorInvalidResourceHandle);
  if (flags & ~1u) return rt_end(cudaErrorInvalidValue);
  if (event->capture.graph)
    rt_capture_join(stream, &event->capture);
  else
    SD_NOTIFY(stream_waits, stream, event);
  return cudaSuccess;
}

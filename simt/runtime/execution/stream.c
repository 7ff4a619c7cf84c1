/* Streams: names for parts of one queue.
 *
 * Method   operations of all streams are done in the order of issue (issue.c), which is one of the
 *          orders that CUDA allows for any program. A stream is its flags, priority, number, and the
 *          place in the queue of its last operation
 * Source   CUDA Runtime API 13.0, section Stream Management
 */
#include "observer.h"
#include "queue.h"
#include "runtime.h"

#include <stdatomic.h>

enum { LEAST = 0, GREATEST = -5 };

struct CUstream_st {
  uint64_t id;
  unsigned flags;
  int priority, device;
  struct cudaAccessPolicyWindow window;
  enum cudaSynchronizationPolicy policy;
  struct rt_capture capture;
  _Atomic uint64_t place;
};

static struct rt_pool streams = {.object_bytes = sizeof(struct CUstream_st), .capacity = 1u << 16};
static atomic_ullong last_id = 16;

/* 0, cudaStreamLegacy, cudaStreamPerThread; on the device TailLaunch and FireAndForget */
static bool built_in(cudaStream_t stream) {
  return (uintptr_t)stream <= (simt_on_device() ? 4 : 2);
}

bool rt_stream_ok(cudaStream_t stream) {
  return built_in(stream) || rt_pool_holds(&streams, stream);
}

int rt_stream_device(cudaStream_t stream) {
  return built_in(stream) ? rt_device() : stream->device;
}

void sd_issued(void *stream, uint64_t place) {
  struct CUstream_st *own = stream;
  if (!built_in(own)) atomic_store(&own->place, place);
}

/* The legacy stream's work ends after that of all the others. */
uint64_t rt_stream_place(cudaStream_t stream) {
  return built_in(stream) || !rt_stream_ok(stream) ? sd_queue_last() : atomic_load(&stream->place);
}

struct rt_capture *rt_capture_of(cudaStream_t stream) {
  static _Thread_local struct rt_capture per_thread;
  if (stream == cudaStreamPerThread) return &per_thread;
  return !built_in(stream) && rt_stream_ok(stream) ? &stream->capture : NULL;
}

bool rt_capture_end(cudaGraph_t graph) {
  bool invalid = false;
  for (size_t i = 0; i < streams.capacity; i++) {
    struct CUstream_st *stream =
        (struct CUstream_st *)(void *)(streams.memory + i * streams.object_bytes);
    if (!rt_pool_holds(&streams, stream) || stream->capture.graph != graph) continue;
    invalid |= stream->capture.invalid;
    stream->capture = (struct rt_capture){.graph = NULL};
  }
  struct rt_capture *own = rt_capture_of(cudaStreamPerThread);
  if (own->graph != graph) return invalid;
  invalid |= own->invalid;
  *own = (struct rt_capture){.graph = NULL};
  return invalid;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  const cudaError_t error = rt_begin_at(0, false);
  if (error) return rt_end(error);
  if (!stream || (flags & ~(unsigned)cudaStreamNonBlocking)) return rt_end(cudaErrorInvalidValue);
  struct CUstream_st *made = rt_pool_take(&streams);
  if (!made) return rt_end(cudaErrorMemoryAllocation);
  made->id = atomic_fetch_add(&last_id, 1) + 1;
  made->flags = flags;
  made->device = rt_device();
  made->priority = priority > LEAST ? LEAST : priority < GREATEST ? GREATEST : priority;
  made->policy = cudaSyncPolicyAuto;
  *stream = made;
  SD_NOTIFY(stream_made, made, !(flags & cudaStreamNonBlocking));
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, LEAST);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, LEAST);
}

/* What a call with a stream begins with. */
static cudaError_t begin(cudaStream_t stream) {
  const cudaError_t error = rt_begin();
  if (error) return error;
  return rt_stream_ok(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const cudaError_t error = begin(stream);
  if (error) return rt_end(error);
  if (built_in(stream)) return rt_end(cudaErrorInvalidResourceHandle);
  SD_NOTIFY(stream_gone, stream);
  rt_pool_give(&streams, stream);
  return cudaSuccess;
}

/* Waiting for a stream that only records would never end. */
static cudaError_t ask(cudaStream_t stream, bool wait) {
  cudaError_t error = rt_begin_at(rt_stream_place(stream), wait);
  if (!error && !rt_stream_ok(stream)) error = cudaErrorInvalidResourceHandle;
  if (!error) error = rt_capture_forbids(stream);
  if (!error) SD_NOTIFY(host_waits_stream, stream);
  return rt_end(error);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return ask(stream, true); }
cudaError_t cudaStreamQuery(cudaStream_t stream) { return ask(stream, false); }

struct callback_job {
  cudaStreamCallback_t call;
  cudaStream_t stream;
  void *user;
};

static cudaError_t run_callback(const void *data) {
  const struct callback_job *job = data;
  SD_NOTIFY(host_begin, job->stream);
  job->call(job->stream, cudaSuccess, job->user);
  SD_NOTIFY_BARE(host_end);
  return cudaSuccess;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void *userData, unsigned flags) {
  const cudaError_t error = rt_begin_at(0, false);
  if (error) return rt_end(error);
  if (!rt_stream_ok(stream)) return rt_end(cudaErrorInvalidResourceHandle);
  if (!callback || flags) return rt_end(cudaErrorInvalidValue);
  const struct callback_job job = {callback, stream, userData};
  if (rt_issue_always(stream, run_callback, &job, sizeof job)) return cudaSuccess;
  sd_drain();
  return run_callback(&job);
}

static cudaError_t run_host(const struct cudaHostNodeParams *job, cudaStream_t stream) {
  SD_NOTIFY(host_begin, stream);
  job->fn(job->userData);
  SD_NOTIFY_BARE(host_end);
  return cudaSuccess;
}

cudaError_t rt_run_host(const void *user) { return run_host(user, rt_issued_stream()); }

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData) {
  const cudaError_t error = rt_begin_at(0, false);
  if (error) return rt_end(error);
  if (!rt_stream_ok(stream)) return rt_end(cudaErrorInvalidResourceHandle);
  if (!fn) return rt_end(cudaErrorInvalidValue);
  const struct cudaHostNodeParams job = {fn, userData};
  if (rt_capture_add(stream, cudaGraphNodeTypeHost, rt_run_host, &job, sizeof job))
    return cudaSuccess;
  if (rt_issue_always(stream, rt_run_host, &job, sizeof job)) return cudaSuccess;
  sd_drain();
  return run_host(&job, stream);
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  const cudaError_t error = begin(stream);
  if (error) return rt_end(error);
  if (!priority) return rt_end(cudaErrorInvalidValue);
  *priority = built_in(stream) ? LEAST : stream->priority;
  return cudaSuccess;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
  const cudaError_t error = begin(stream);
  if (error) return rt_end(error);
  if (!flags) return rt_end(cudaErrorInvalidValue);
  *flags = built_in(stream) ? cudaStreamDefault : stream->flags;
  return cudaSuccess;
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id) {
  const cudaError_t error = begin(stream);
  if (error) return rt_end(error);
  if (!id) return rt_end(cudaErrorInvalidValue);
  *id = built_in(stream) ? (uintptr_t)stream : stream->id;
  return cudaSuccess;
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device) {
  const cudaError_t error = begin(stream);
  if (error) return rt_end(error);
  if (!device) return rt_end(cudaErrorInvalidValue);
  *device = rt_stream_device(stream);
  return cudaSuccess;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                   const cudaLaunchAttributeValue *value) {
  const cudaError_t error = begin(stream);
  if (error) return rt_end(error);
  if (!value) return rt_end(cudaErrorInvalidValue);
  if (built_in(stream)) return cudaSuccess;
  switch (attr) {
  case cudaLaunchAttributeAccessPolicyWindow: stream->window = value->accessPolicyWindow; break;
  case cudaLaunchAttributeSynchronizationPolicy: stream->policy = value->syncPolicy; break;
  case cudaLaunchAttributePriority: stream->priority = value->priority; break;
  default: return rt_end(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                   cudaLaunchAttributeValue *value) {
  const struct CUstream_st none = {.policy = cudaSyncPolicyAuto};
  const cudaError_t error = begin(stream);
  if (error) return rt_end(error);
  if (!value) return rt_end(cudaErrorInvalidValue);
  const struct CUstream_st *from = built_in(stream) ? &none : stream;
  switch (attr) {
  case cudaLaunchAttributeAccessPolicyWindow: value->accessPolicyWindow = from->window; break;
  case cudaLaunchAttributeSynchronizationPolicy: value->syncPolicy = from->policy; break;
  case cudaLaunchAttributePriority: value->priority = from->priority; break;
  default: return rt_end(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *devPtr, size_t length,
                                     unsigned flags) {
  const cudaError_t error = begin(stream);
  struct rt_block block;
  (void)length;
  if (error) return rt_end(error);
  if (!rt_find(devPtr, &block) || block.kind != RT_MANAGED || !flags || flags > 4)
    return rt_end(cudaErrorInvalidValue);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (least) *least = LEAST;
  if (greatest) *greatest = GREATEST;
  return cudaSuccess;
}

cudaError_t cudaCtxResetPersistingL2Cache(void) { return rt_end(rt_begin()); }

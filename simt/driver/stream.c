/* Streams and events.
 *
 * Source   CUDA Driver API 13.0, sections Stream Management and Event Management
 */
#include "entry.h"

#include "cuda_runtime_api.h"

/* ---- Streams --------------------------------------------------------------------------------- */

static CUresult create(CUstream *out, unsigned flags, int priority) {
  CUstream stream = NULL;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  const cudaError_t error = cudaStreamCreateWithPriority(&stream, flags, priority);
  if (error) return api_result((int)error);
  if (!object_add(stream, OBJECT_STREAM)) {
    cudaStreamDestroy(stream);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  *out = stream;
  return CUDA_SUCCESS;
}

API_EXPORT CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  const CUresult refused = api_enter(__func__, API_CONTEXT);
  return refused ? refused : api_leave(create(stream, flags, 0));
}

API_EXPORT CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
  const CUresult refused = api_enter(__func__, API_CONTEXT);
  return refused ? refused : api_leave(create(stream, flags, priority));
}

API_EXPORT CUresult cuStreamDestroy_v2(CUstream stream) {
  const CUresult refused = api_enter(__func__, API_QUEUE);
  if (refused) return refused;
  if (!object_find(stream, OBJECT_STREAM)) return api_leave(CUDA_ERROR_INVALID_HANDLE);
  capture_stream_gone(stream);
  object_remove(stream, OBJECT_STREAM);
  return api_leave(api_result((int)cudaStreamDestroy(stream)));
}

/* A stream of a context that has gone has gone with it. */
static CUresult enter(const char *name, enum api_need need, CUstream stream) {
  const CUresult refused = api_enter(name, need);
  if (refused) return refused;
  return object_stream_ok(stream) ? CUDA_SUCCESS : api_leave(CUDA_ERROR_INVALID_HANDLE);
}

API_EXPORT CUresult cuStreamSynchronize(CUstream stream) {
  const CUresult refused = enter(__func__, API_CONTEXT, stream);
  if (refused) return refused;
  if (capture_implicit(stream)) return api_leave(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  return api_leave(api_result((int)cudaStreamSynchronize(stream)));
}

API_EXPORT CUresult cuStreamQuery(CUstream stream) {
  const CUresult refused = enter(__func__, API_CONTEXT, stream);
  if (refused) return refused;
  if (capture_implicit(stream)) return api_leave(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  return api_leave(api_result((int)cudaStreamQuery(stream)));
}

API_EXPORT CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  const CUresult refused = enter(__func__, API_QUEUE, stream);
  if (refused) return refused;
  if (!object_find(event, OBJECT_EVENT)) return api_leave(CUDA_ERROR_INVALID_HANDLE);
  return api_leave(api_result((int)cudaStreamWaitEvent(stream, event, flags)));
}

API_EXPORT CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
  const CUresult refused = enter(__func__, API_QUEUE, stream);
  if (refused) return refused;
  const struct object *object = object_find(stream, OBJECT_STREAM);
  if (!context) return api_leave(CUDA_ERROR_INVALID_VALUE);
  *context = object ? object->context : context_current();
  return api_leave(CUDA_SUCCESS);
}

API_EXPORT CUresult cuStreamGetDevice(CUstream stream, CUdevice *device) {
  const CUresult refused = enter(__func__, API_QUEUE, stream);
  if (refused) return refused;
  if (!device) return api_leave(CUDA_ERROR_INVALID_VALUE);
  const struct object *object = object_find(stream, OBJECT_STREAM);
  const struct context *context = object ? object->context : context_current();
  *device = context ? context->device : 0;
  return api_leave(CUDA_SUCCESS);
}

API_EXPORT CUresult cuStreamGetFlags(CUstream stream, unsigned *flags) {
  const CUresult refused = enter(__func__, API_QUEUE, stream);
  return refused ? refused : api_leave(api_result((int)cudaStreamGetFlags(stream, flags)));
}

API_EXPORT CUresult cuStreamGetPriority(CUstream stream, int *priority) {
  const CUresult refused = enter(__func__, API_QUEUE, stream);
  return refused ? refused : api_leave(api_result((int)cudaStreamGetPriority(stream, priority)));
}

API_EXPORT CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  const CUresult refused = api_enter(__func__, API_CONTEXT);
  if (refused) return refused;
  return api_leave(api_result((int)cudaDeviceGetStreamPriorityRange(least, greatest)));
}

/* The program's function may wait for another thread, which may be in a call. */
API_EXPORT CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *user) {
  const CUresult refused = enter(__func__, API_QUEUE, stream);
  if (refused) return refused;
  if (capture_implicit(stream)) return api_leave(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  if (api_skips()) return api_leave(CUDA_SUCCESS);
  api_unlock();
  const cudaError_t error = cudaLaunchHostFunc(stream, function, user);
  api_lock();
  return api_leave(api_result((int)error));
}

/* ---- Events ---------------------------------------------------------------------------------- */

API_EXPORT CUresult cuEventCreate(CUevent *out, unsigned flags) {
  CUevent event = NULL;
  const CUresult refused = api_enter(__func__, API_CONTEXT);
  if (refused) return refused;
  if (!out) return api_leave(CUDA_ERROR_INVALID_VALUE);
  const cudaError_t error = cudaEventCreateWithFlags(&event, flags);
  if (error) return api_leave(api_result((int)error));
  if (!object_add(event, OBJECT_EVENT)) {
    cudaEventDestroy(event);
    return api_leave(CUDA_ERROR_OUT_OF_MEMORY);
  }
  *out = event;
  return api_leave(CUDA_SUCCESS);
}

API_EXPORT CUresult cuEventDestroy_v2(CUevent event) {
  const CUresult refused = api_enter(__func__, API_QUEUE);
  if (refused) return refused;
  if (!object_find(event, OBJECT_EVENT)) return api_leave(CUDA_ERROR_INVALID_HANDLE);
  object_remove(event, OBJECT_EVENT);
  return api_leave(api_result((int)cudaEventDestroy(event)));
}

static CUresult record(CUevent event, CUstream stream, unsigned flags) {
  if (!object_find(event, OBJECT_EVENT) || !object_stream_ok(stream))
    return CUDA_ERROR_INVALID_HANDLE;
  const struct object *of = object_find(stream, OBJECT_STREAM);
  if (of && of->context != object_find(event, OBJECT_EVENT)->context)
    return CUDA_ERROR_INVALID_HANDLE;
  if (capture_implicit(stream)) return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  return api_result((int)cudaEventRecordWithFlags(event, stream, flags));
}

API_EXPORT CUresult cuEventRecord(CUevent event, CUstream stream) {
  const CUresult refused = api_enter(__func__, API_QUEUE);
  return refused ? refused : api_leave(record(event, stream, 0));
}

API_EXPORT CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  const CUresult refused = api_enter(__func__, API_QUEUE);
  return refused ? refused : api_leave(record(event, stream, flags));
}

static CUresult wait_for_event(const char *name, CUevent event) {
  const CUresult refused = api_enter(name, API_UNSAFE);
  if (refused) return refused;
  if (!object_find(event, OBJECT_EVENT)) return api_leave(CUDA_ERROR_INVALID_HANDLE);
  return api_leave(api_result((int)cudaEventSynchronize(event)));
}

API_EXPORT CUresult cuEventSynchronize(CUevent event) { return wait_for_event(__func__, event); }
API_EXPORT CUresult cuEventQuery(CUevent event) { return wait_for_event(__func__, event); }

static CUresult get_elapsed(const char *name, float *milliseconds, CUevent start, CUevent end) {
  const CUresult refused = api_enter(name, API_CONTEXT);
  if (refused) return refused;
  if (!object_find(start, OBJECT_EVENT) || !object_find(end, OBJECT_EVENT))
    return api_leave(CUDA_ERROR_INVALID_HANDLE);
  return api_leave(api_result((int)cudaEventElapsedTime(milliseconds, start, end)));
}

API_EXPORT CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  return get_elapsed(__func__, milliseconds, start, end);
}
API_EXPORT CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start, CUevent end) {
  return get_elapsed(__func__, milliseconds, start, end);
}

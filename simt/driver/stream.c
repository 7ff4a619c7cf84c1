/* Streams and events.
 *
 * Source   CUDA Driver API 13.0, sections Stream Management and Event Management
 */
#include "door.h"

#include "cuda_runtime_api.h"

/* ---- Streams --------------------------------------------------------------------------------- */

static CUresult create(CUstream *out, unsigned flags, int priority) {
  CUstream stream = NULL;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  const cudaError_t error = cudaStreamCreateWithPriority(&stream, flags, priority);
  if (error) return door_result((int)error);
  if (!door_object_add(stream, DOOR_STREAM)) {
    cudaStreamDestroy(stream);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  *out = stream;
  return CUDA_SUCCESS;
}

DOOR_API CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  const CUresult refused = door_enter(__func__, DOOR_CONTEXT);
  return refused ? refused : door_leave(create(stream, flags, 0));
}

DOOR_API CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
  const CUresult refused = door_enter(__func__, DOOR_CONTEXT);
  return refused ? refused : door_leave(create(stream, flags, priority));
}

DOOR_API CUresult cuStreamDestroy_v2(CUstream stream) {
  const CUresult refused = door_enter(__func__, DOOR_QUEUE);
  if (refused) return refused;
  if (!door_object(stream, DOOR_STREAM)) return door_leave(CUDA_ERROR_INVALID_HANDLE);
  door_capture_stream_gone(stream);
  door_object_remove(stream, DOOR_STREAM);
  return door_leave(door_result((int)cudaStreamDestroy(stream)));
}

/* A stream of a context that has gone has gone with it. */
static CUresult enter(const char *name, enum door_need need, CUstream stream) {
  const CUresult refused = door_enter(name, need);
  if (refused) return refused;
  return door_stream_ok(stream) ? CUDA_SUCCESS : door_leave(CUDA_ERROR_INVALID_HANDLE);
}

DOOR_API CUresult cuStreamSynchronize(CUstream stream) {
  const CUresult refused = enter(__func__, DOOR_CONTEXT, stream);
  if (refused) return refused;
  if (door_capture_implicit(stream)) return door_leave(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  return door_leave(door_result((int)cudaStreamSynchronize(stream)));
}

DOOR_API CUresult cuStreamQuery(CUstream stream) {
  const CUresult refused = enter(__func__, DOOR_CONTEXT, stream);
  if (refused) return refused;
  if (door_capture_implicit(stream)) return door_leave(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  return door_leave(door_result((int)cudaStreamQuery(stream)));
}

DOOR_API CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  const CUresult refused = enter(__func__, DOOR_QUEUE, stream);
  if (refused) return refused;
  if (!door_object(event, DOOR_EVENT)) return door_leave(CUDA_ERROR_INVALID_HANDLE);
  return door_leave(door_result((int)cudaStreamWaitEvent(stream, event, flags)));
}

DOOR_API CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
  const CUresult refused = enter(__func__, DOOR_QUEUE, stream);
  if (refused) return refused;
  const struct object *object = door_object(stream, DOOR_STREAM);
  if (!context) return door_leave(CUDA_ERROR_INVALID_VALUE);
  *context = object ? object->context : door_current();
  return door_leave(CUDA_SUCCESS);
}

DOOR_API CUresult cuStreamGetDevice(CUstream stream, CUdevice *device) {
  const CUresult refused = enter(__func__, DOOR_QUEUE, stream);
  if (refused) return refused;
  if (!device) return door_leave(CUDA_ERROR_INVALID_VALUE);
  *device = 0;
  return door_leave(CUDA_SUCCESS);
}

DOOR_API CUresult cuStreamGetFlags(CUstream stream, unsigned *flags) {
  const CUresult refused = enter(__func__, DOOR_QUEUE, stream);
  return refused ? refused : door_leave(door_result((int)cudaStreamGetFlags(stream, flags)));
}

DOOR_API CUresult cuStreamGetPriority(CUstream stream, int *priority) {
  const CUresult refused = enter(__func__, DOOR_QUEUE, stream);
  return refused ? refused : door_leave(door_result((int)cudaStreamGetPriority(stream, priority)));
}

DOOR_API CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  const CUresult refused = door_enter(__func__, DOOR_CONTEXT);
  if (refused) return refused;
  return door_leave(door_result((int)cudaDeviceGetStreamPriorityRange(least, greatest)));
}

/* The program's function may wait for another thread, which may be in a call. */
DOOR_API CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *user) {
  const CUresult refused = enter(__func__, DOOR_QUEUE, stream);
  if (refused) return refused;
  if (door_capture_implicit(stream)) return door_leave(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  if (door_skips()) return door_leave(CUDA_SUCCESS);
  door_unlock();
  const cudaError_t error = cudaLaunchHostFunc(stream, function, user);
  door_lock();
  return door_leave(door_result((int)error));
}

/* ---- Events ---------------------------------------------------------------------------------- */

DOOR_API CUresult cuEventCreate(CUevent *out, unsigned flags) {
  CUevent event = NULL;
  const CUresult refused = door_enter(__func__, DOOR_CONTEXT);
  if (refused) return refused;
  if (!out) return door_leave(CUDA_ERROR_INVALID_VALUE);
  const cudaError_t error = cudaEventCreateWithFlags(&event, flags);
  if (error) return door_leave(door_result((int)error));
  if (!door_object_add(event, DOOR_EVENT)) {
    cudaEventDestroy(event);
    return door_leave(CUDA_ERROR_OUT_OF_MEMORY);
  }
  *out = event;
  return door_leave(CUDA_SUCCESS);
}

DOOR_API CUresult cuEventDestroy_v2(CUevent event) {
  const CUresult refused = door_enter(__func__, DOOR_QUEUE);
  if (refused) return refused;
  if (!door_object(event, DOOR_EVENT)) return door_leave(CUDA_ERROR_INVALID_HANDLE);
  door_object_remove(event, DOOR_EVENT);
  return door_leave(door_result((int)cudaEventDestroy(event)));
}

static CUresult record(CUevent event, CUstream stream, unsigned flags) {
  if (!door_object(event, DOOR_EVENT) || !door_stream_ok(stream)) return CUDA_ERROR_INVALID_HANDLE;
  const struct object *of = door_object(stream, DOOR_STREAM);
  if (of && of->context != door_object(event, DOOR_EVENT)->context)
    return CUDA_ERROR_INVALID_HANDLE;
  if (door_capture_implicit(stream)) return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  return door_result((int)cudaEventRecordWithFlags(event, stream, flags));
}

DOOR_API CUresult cuEventRecord(CUevent event, CUstream stream) {
  const CUresult refused = door_enter(__func__, DOOR_QUEUE);
  return refused ? refused : door_leave(record(event, stream, 0));
}

DOOR_API CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  const CUresult refused = door_enter(__func__, DOOR_QUEUE);
  return refused ? refused : door_leave(record(event, stream, flags));
}

static CUresult wait(const char *name, CUevent event) {
  const CUresult refused = door_enter(name, DOOR_UNSAFE);
  if (refused) return refused;
  if (!door_object(event, DOOR_EVENT)) return door_leave(CUDA_ERROR_INVALID_HANDLE);
  return door_leave(door_result((int)cudaEventSynchronize(event)));
}

DOOR_API CUresult cuEventSynchronize(CUevent event) { return wait(__func__, event); }
DOOR_API CUresult cuEventQuery(CUevent event) { return wait(__func__, event); }

static CUresult elapsed(const char *name, float *milliseconds, CUevent start, CUevent end) {
  const CUresult refused = door_enter(name, DOOR_CONTEXT);
  if (refused) return refused;
  if (!door_object(start, DOOR_EVENT) || !door_object(end, DOOR_EVENT))
    return door_leave(CUDA_ERROR_INVALID_HANDLE);
  return door_leave(door_result((int)cudaEventElapsedTime(milliseconds, start, end)));
}

DOOR_API CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  return elapsed(__func__, milliseconds, start, end);
}
DOOR_API CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start, CUevent end) {
  return elapsed(__func__, milliseconds, start, end);
}

/* Copies and fills.
 *
 * Method   all are one copy between addresses: with unified addressing the addresses say what they
 *          are. A copy of a given direction wants memory of the device on that side
 * Source   CUDA Driver API 13.0, section Memory Management
 */
#include "door.h"

#include "cuda_runtime_api.h"

static void *pointer(CUdeviceptr address) { return (void *)(uintptr_t)address; }

static CUresult copy(const char *name, void *to, const void *from, size_t bytes,
                     enum cudaMemcpyKind kind) {
  const CUresult refused = door_enter(name, DOOR_UNSAFE);
  if (refused) return refused;
  return door_leave(door_result((int)cudaMemcpy(to, from, bytes, kind)));
}

static CUresult copy_async(const char *name, void *to, const void *from, size_t bytes,
                           enum cudaMemcpyKind kind, CUstream stream) {
  const CUresult refused = door_enter(name, DOOR_QUEUE);
  if (refused) return refused;
  if (!door_stream_ok(stream)) return door_leave(CUDA_ERROR_INVALID_HANDLE);
  if (door_capture_implicit(stream)) return door_leave(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  if (door_skips()) return door_leave(CUDA_SUCCESS);
  return door_leave(door_result((int)cudaMemcpyAsync(to, from, bytes, kind, stream)));
}

DOOR_API CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copy(__func__, pointer(to), pointer(from), bytes, cudaMemcpyDefault);
}

DOOR_API CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes) {
  return copy(__func__, pointer(to), from, bytes, cudaMemcpyHostToDevice);
}

DOOR_API CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
  return copy(__func__, to, pointer(from), bytes, cudaMemcpyDeviceToHost);
}

DOOR_API CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copy(__func__, pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice);
}

DOOR_API CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy_async(__func__, pointer(to), pointer(from), bytes, cudaMemcpyDefault, stream);
}

DOOR_API CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes,
                                       CUstream stream) {
  return copy_async(__func__, pointer(to), from, bytes, cudaMemcpyHostToDevice, stream);
}

DOOR_API CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy_async(__func__, to, pointer(from), bytes, cudaMemcpyDeviceToHost, stream);
}

DOOR_API CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                                       CUstream stream) {
  return copy_async(__func__, pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice, stream);
}

/* ---- Fills ----------------------------------------------------------------------------------- */

static CUresult fill(const char *name, CUdeviceptr to, unsigned value, size_t element,
                     size_t count) {
  const CUresult refused = door_enter(name, DOOR_UNSAFE);
  if (refused) return refused;
  return door_leave(door_result((int)simt_fill(pointer(to), value, element, count, NULL, 1)));
}

static CUresult fill_async(const char *name, CUdeviceptr to, unsigned value, size_t element,
                           size_t count, CUstream stream) {
  const CUresult refused = door_enter(name, DOOR_QUEUE);
  if (refused) return refused;
  if (!door_stream_ok(stream)) return door_leave(CUDA_ERROR_INVALID_HANDLE);
  if (door_capture_implicit(stream)) return door_leave(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  if (door_skips()) return door_leave(CUDA_SUCCESS);
  return door_leave(door_result((int)simt_fill(pointer(to), value, element, count, stream, 0)));
}

DOOR_API CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count) {
  return fill(__func__, to, value, 1, count);
}
DOOR_API CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t count) {
  return fill(__func__, to, value, 2, count);
}
DOOR_API CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count) {
  return fill(__func__, to, value, 4, count);
}
DOOR_API CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count,
                                  CUstream stream) {
  return fill_async(__func__, to, value, 1, count, stream);
}
DOOR_API CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count,
                                   CUstream stream) {
  return fill_async(__func__, to, value, 2, count, stream);
}
DOOR_API CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream) {
  return fill_async(__func__, to, value, 4, count, stream);
}

/* Copies and fills.
 *
 * Method   all are one copy between addresses: with unified addressing the addresses say what they
 *          are. A copy of a given direction wants memory of the device on that side
 * Source   CUDA Driver API 13.0, section Memory Management
 */
#include "entry.h"

#include "cuda_runtime_api.h"

static void *pointer(CUdeviceptr address) { return (void *)(uintptr_t)address; }

static CUresult copy(const char *name, void *to, const void *from, size_t bytes,
                     enum cudaMemcpyKind kind) {
  const CUresult refused = api_enter(name, API_UNSAFE);
  if (refused) return refused;
  return api_leave(api_result((int)cudaMemcpy(to, from, bytes, kind)));
}

static CUresult copy_async(const char *name, void *to, const void *from, size_t bytes,
                           enum cudaMemcpyKind kind, CUstream stream) {
  const CUresult refused = api_enter(name, API_QUEUE);
  if (refused) return refused;
  if (!object_stream_ok(stream)) return api_leave(CUDA_ERROR_INVALID_HANDLE);
  if (capture_implicit(stream)) return api_leave(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  if (api_skips()) return api_leave(CUDA_SUCCESS);
  return api_leave(api_result((int)cudaMemcpyAsync(to, from, bytes, kind, stream)));
}

API_EXPORT CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copy(__func__, pointer(to), pointer(from), bytes, cudaMemcpyDefault);
}

API_EXPORT CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes) {
  return copy(__func__, pointer(to), from, bytes, cudaMemcpyHostToDevice);
}

API_EXPORT CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
  return copy(__func__, to, pointer(from), bytes, cudaMemcpyDeviceToHost);
}

API_EXPORT CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copy(__func__, pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice);
}

API_EXPORT CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy_async(__func__, pointer(to), pointer(from), bytes, cudaMemcpyDefault, stream);
}

API_EXPORT CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes,
                                         CUstream stream) {
  return copy_async(__func__, pointer(to), from, bytes, cudaMemcpyHostToDevice, stream);
}

API_EXPORT CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes,
                                         CUstream stream) {
  return copy_async(__func__, to, pointer(from), bytes, cudaMemcpyDeviceToHost, stream);
}

API_EXPORT CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                                         CUstream stream) {
  return copy_async(__func__, pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice, stream);
}

/* ---- Fills ----------------------------------------------------------------------------------- */

static CUresult fill(const char *name, CUdeviceptr to, unsigned value, size_t element,
                     size_t count) {
  const CUresult refused = api_enter(name, API_UNSAFE);
  if (refused) return refused;
  return api_leave(api_result((int)simt_fill(pointer(to), value, element, count, NULL, 1)));
}

static CUresult fill_async(const char *name, CUdeviceptr to, unsigned value, size_t element,
                           size_t count, CUstream stream) {
  const CUresult refused = api_enter(name, API_QUEUE);
  if (refused) return refused;
  if (!object_stream_ok(stream)) return api_leave(CUDA_ERROR_INVALID_HANDLE);
  if (capture_implicit(stream)) return api_leave(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  if (api_skips()) return api_leave(CUDA_SUCCESS);
  return api_leave(api_result((int)simt_fill(pointer(to), value, element, count, stream, 0)));
}

API_EXPORT CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count) {
  return fill(__func__, to, value, 1, count);
}
API_EXPORT CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t count) {
  return fill(__func__, to, value, 2, count);
}
API_EXPORT CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count) {
  return fill(__func__, to, value, 4, count);
}
API_EXPORT CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count,
                                    CUstream stream) {
  return fill_async(__func__, to, value, 1, count, stream);
}
API_EXPORT CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count,
                                     CUstream stream) {
  return fill_async(__func__, to, value, 2, count, stream);
}
API_EXPORT CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count,
                                     CUstream stream) {
  return fill_async(__func__, to, value, 4, count, stream);
}

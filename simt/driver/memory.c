/* Memory: of the device, pinned, registered, managed.
 *
 * Source   CUDA Driver API 13.0, sections Memory Management and Stream Ordered Memory Allocator
 */
#include "door.h"

#include "cuda_runtime_api.h"

enum { HOST_ALLOC_FLAGS = 7 };

static void *pointer(CUdeviceptr address) { return (void *)(uintptr_t)address; }

/* A fresh allocation becomes the context's, or goes again where there is no room to note it. */
static CUresult keep(void *memory, enum door_kind kind) {
  if (door_object_add(memory, kind)) return CUDA_SUCCESS;
  if (kind == DOOR_MEMORY)
    cudaFree(memory);
  else
    cudaFreeHost(memory);
  return CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult keep_device(CUdeviceptr *out, void *memory, cudaError_t error) {
  if (error) return door_result((int)error);
  const CUresult result = keep(memory, DOOR_MEMORY);
  if (!result) *out = (CUdeviceptr)(uintptr_t)memory;
  return result;
}

DOOR_API CUresult cuMemGetInfo_v2(size_t *free, size_t *total) {
  const CUresult refused = door_enter(__func__, DOOR_CONTEXT);
  return refused ? refused : door_leave(door_result((int)cudaMemGetInfo(free, total)));
}

DOOR_API CUresult cuMemAlloc_v2(CUdeviceptr *out, size_t bytes) {
  void *memory = NULL;
  const CUresult refused = door_enter(__func__, DOOR_UNSAFE);
  if (refused) return refused;
  if (!out || !bytes) return door_leave(CUDA_ERROR_INVALID_VALUE);
  const cudaError_t error = cudaMalloc(&memory, bytes);
  return door_leave(keep_device(out, memory, error));
}

DOOR_API CUresult cuMemAllocManaged(CUdeviceptr *out, size_t bytes, unsigned flags) {
  void *memory = NULL;
  const CUresult refused = door_enter(__func__, DOOR_UNSAFE);
  if (refused) return refused;
  if (!out || !bytes) return door_leave(CUDA_ERROR_INVALID_VALUE);
  const cudaError_t error = cudaMallocManaged(&memory, bytes, flags);
  return door_leave(keep_device(out, memory, error));
}

DOOR_API CUresult cuMemFree_v2(CUdeviceptr address) {
  const CUresult refused = door_enter(__func__, DOOR_UNSAFE);
  if (refused) return refused;
  const cudaError_t error = cudaFree(pointer(address));
  if (!error) door_object_remove(pointer(address), DOOR_MEMORY);
  return door_leave(door_result((int)error));
}

DOOR_API CUresult cuMemAllocAsync(CUdeviceptr *out, size_t bytes, CUstream stream) {
  void *memory = NULL;
  const CUresult refused = door_enter(__func__, DOOR_QUEUE);
  if (refused) return refused;
  if (!out || !bytes) return door_leave(CUDA_ERROR_INVALID_VALUE);
  if (!door_stream_ok(stream)) return door_leave(CUDA_ERROR_INVALID_HANDLE);
  const cudaError_t error = cudaMallocAsync(&memory, bytes, stream);
  return door_leave(keep_device(out, memory, error));
}

DOOR_API CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  const CUresult refused = door_enter(__func__, DOOR_QUEUE);
  if (refused) return refused;
  if (!door_stream_ok(stream)) return door_leave(CUDA_ERROR_INVALID_HANDLE);
  if (!address) return door_leave(CUDA_ERROR_INVALID_VALUE);
  const cudaError_t error = cudaFreeAsync(pointer(address), stream);
  if (!error) door_object_remove(pointer(address), DOOR_MEMORY);
  return door_leave(door_result((int)error));
}

/* ---- Of the host ----------------------------------------------------------------------------- */

static CUresult host_alloc(void **out, size_t bytes, unsigned flags) {
  void *memory = NULL;
  if (!out || !bytes || (flags & ~(unsigned)HOST_ALLOC_FLAGS)) return CUDA_ERROR_INVALID_VALUE;
  const cudaError_t error = cudaHostAlloc(&memory, bytes, flags);
  if (error) return door_result((int)error);
  const CUresult result = keep(memory, DOOR_PINNED);
  if (!result) *out = memory;
  return result;
}

DOOR_API CUresult cuMemHostAlloc(void **out, size_t bytes, unsigned flags) {
  const CUresult refused = door_enter(__func__, DOOR_UNSAFE);
  return refused ? refused : door_leave(host_alloc(out, bytes, flags));
}

DOOR_API CUresult cuMemAllocHost_v2(void **out, size_t bytes) {
  const CUresult refused = door_enter(__func__, DOOR_UNSAFE);
  return refused ? refused : door_leave(host_alloc(out, bytes, 0));
}

DOOR_API CUresult cuMemFreeHost(void *memory) {
  const CUresult refused = door_enter(__func__, DOOR_UNSAFE);
  if (refused) return refused;
  if (!memory) return door_leave(CUDA_ERROR_INVALID_VALUE);
  const cudaError_t error = cudaFreeHost(memory);
  if (!error) door_object_remove(memory, DOOR_PINNED);
  return door_leave(door_result((int)error));
}

DOOR_API CUresult cuMemHostRegister_v2(void *memory, size_t bytes, unsigned flags) {
  const CUresult refused = door_enter(__func__, DOOR_CONTEXT);
  if (refused) return refused;
  const cudaError_t error = cudaHostRegister(memory, bytes, flags);
  if (!error && !door_object_add(memory, DOOR_REGISTERED)) {
    cudaHostUnregister(memory);
    return door_leave(CUDA_ERROR_OUT_OF_MEMORY);
  }
  return door_leave(door_result((int)error));
}

DOOR_API CUresult cuMemHostUnregister(void *memory) {
  const CUresult refused = door_enter(__func__, DOOR_CONTEXT);
  if (refused) return refused;
  const cudaError_t error = cudaHostUnregister(memory);
  if (!error) door_object_remove(memory, DOOR_REGISTERED);
  return door_leave(door_result((int)error));
}

DOOR_API CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *out, void *memory, unsigned flags) {
  void *address = NULL;
  const CUresult refused = door_enter(__func__, DOOR_CONTEXT);
  if (refused) return refused;
  if (!out) return door_leave(CUDA_ERROR_INVALID_VALUE);
  const cudaError_t error = cudaHostGetDevicePointer(&address, memory, flags);
  if (!error) *out = (CUdeviceptr)(uintptr_t)address;
  return door_leave(door_result((int)error));
}

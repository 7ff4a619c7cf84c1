/* Memory: of the device, pinned, registered, managed.
 *
 * Source   CUDA Driver API 13.0, sections Memory Management and Stream Ordered Memory Allocator
 */
#include "entry.h"

#include "cuda_runtime_api.h"

enum { HOST_ALLOC_FLAGS = 7 };

static void *pointer(CUdeviceptr address) { return (void *)(uintptr_t)address; }

/* A fresh allocation becomes the context's, or goes again where there is no room to note it. */
static CUresult keep(void *memory, enum object_kind kind) {
  if (object_add(memory, kind)) return CUDA_SUCCESS;
  if (kind == OBJECT_MEMORY)
    cudaFree(memory);
  else
    cudaFreeHost(memory);
  return CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult keep_device(CUdeviceptr *out, void *memory, cudaError_t error) {
  if (error) return api_result((int)error);
  const CUresult result = keep(memory, OBJECT_MEMORY);
  if (!result) *out = (CUdeviceptr)(uintptr_t)memory;
  return result;
}

API_EXPORT CUresult cuMemGetInfo_v2(size_t *free, size_t *total) {
  const CUresult refused = api_enter(__func__, API_CONTEXT);
  return refused ? refused : api_leave(api_result((int)cudaMemGetInfo(free, total)));
}

API_EXPORT CUresult cuMemAlloc_v2(CUdeviceptr *out, size_t bytes) {
  void *memory = NULL;
  const CUresult refused = api_enter(__func__, API_UNSAFE);
  if (refused) return refused;
  if (!out || !bytes) return api_leave(CUDA_ERROR_INVALID_VALUE);
  const cudaError_t error = cudaMalloc(&memory, bytes);
  return api_leave(keep_device(out, memory, error));
}

API_EXPORT CUresult cuMemAllocManaged(CUdeviceptr *out, size_t bytes, unsigned flags) {
  void *memory = NULL;
  const CUresult refused = api_enter(__func__, API_UNSAFE);
  if (refused) return refused;
  if (!out || !bytes) return api_leave(CUDA_ERROR_INVALID_VALUE);
  const cudaError_t error = cudaMallocManaged(&memory, bytes, flags);
  return api_leave(keep_device(out, memory, error));
}

API_EXPORT CUresult cuMemFree_v2(CUdeviceptr address) {
  const CUresult refused = api_enter(__func__, API_UNSAFE);
  if (refused) return refused;
  const cudaError_t error = cudaFree(pointer(address));
  if (!error) object_remove(pointer(address), OBJECT_MEMORY);
  return api_leave(api_result((int)error));
}

API_EXPORT CUresult cuMemAllocAsync(CUdeviceptr *out, size_t bytes, CUstream stream) {
  void *memory = NULL;
  const CUresult refused = api_enter(__func__, API_QUEUE);
  if (refused) return refused;
  if (!out || !bytes) return api_leave(CUDA_ERROR_INVALID_VALUE);
  if (!object_stream_ok(stream)) return api_leave(CUDA_ERROR_INVALID_HANDLE);
  const cudaError_t error = cudaMallocAsync(&memory, bytes, stream);
  return api_leave(keep_device(out, memory, error));
}

API_EXPORT CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  const CUresult refused = api_enter(__func__, API_QUEUE);
  if (refused) return refused;
  if (!object_stream_ok(stream)) return api_leave(CUDA_ERROR_INVALID_HANDLE);
  if (!address) return api_leave(CUDA_ERROR_INVALID_VALUE);
  const cudaError_t error = cudaFreeAsync(pointer(address), stream);
  if (!error) object_remove(pointer(address), OBJECT_MEMORY);
  return api_leave(api_result((int)error));
}

/* ---- Pools ----------------------------------------------------------------------------------- */

API_EXPORT CUresult cuMemAllocFromPoolAsync(CUdeviceptr *out, size_t bytes, CUmemoryPool pool,
                                            CUstream stream) {
  void *memory = NULL;
  const CUresult refused = api_enter(__func__, API_QUEUE);
  if (refused) return refused;
  if (!out || !bytes) return api_leave(CUDA_ERROR_INVALID_VALUE);
  if (!object_stream_ok(stream)) return api_leave(CUDA_ERROR_INVALID_HANDLE);
  const cudaError_t error = cudaMallocFromPoolAsync(&memory, bytes, pool, stream);
  return api_leave(keep_device(out, memory, error));
}

API_EXPORT CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  return refused ? refused : api_leave(api_result((int)cudaDeviceGetDefaultMemPool(pool, device)));
}

API_EXPORT CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  return refused ? refused : api_leave(api_result((int)cudaDeviceGetMemPool(pool, device)));
}

API_EXPORT CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  return refused ? refused : api_leave(api_result((int)cudaDeviceSetMemPool(device, pool)));
}

/* Pools are of devices: there is none of pinned or managed memory. */
static CUresult give_pool(CUmemoryPool *pool, const struct cudaMemLocation *location, int kind,
                          bool fresh) {
  if (!pool || !location) return CUDA_ERROR_INVALID_VALUE;
  if (kind != cudaMemAllocationTypePinned || location->type != cudaMemLocationTypeDevice)
    return CUDA_ERROR_NOT_SUPPORTED;
  return api_result((int)(fresh ? cudaDeviceGetDefaultMemPool(pool, location->id)
                                : cudaDeviceGetMemPool(pool, location->id)));
}

API_EXPORT CUresult cuMemGetDefaultMemPool(CUmemoryPool *pool,
                                           const struct cudaMemLocation *location, int kind) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  return refused ? refused : api_leave(give_pool(pool, location, kind, true));
}

API_EXPORT CUresult cuMemGetMemPool(CUmemoryPool *pool, const struct cudaMemLocation *location,
                                    int kind) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  return refused ? refused : api_leave(give_pool(pool, location, kind, false));
}

API_EXPORT CUresult cuMemPoolCreate(CUmemoryPool *pool, const struct cudaMemPoolProps *properties) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  return refused ? refused : api_leave(api_result((int)cudaMemPoolCreate(pool, properties)));
}

API_EXPORT CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  return refused ? refused : api_leave(api_result((int)cudaMemPoolDestroy(pool)));
}

API_EXPORT CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t keep) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  return refused ? refused : api_leave(api_result((int)cudaMemPoolTrimTo(pool, keep)));
}

API_EXPORT CUresult cuMemPoolSetAttribute(CUmemoryPool pool, int attribute, void *value) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  return api_leave(
      api_result((int)cudaMemPoolSetAttribute(pool, (enum cudaMemPoolAttr)attribute, value)));
}

API_EXPORT CUresult cuMemPoolGetAttribute(CUmemoryPool pool, int attribute, void *value) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  return api_leave(
      api_result((int)cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)attribute, value)));
}

API_EXPORT CUresult cuMemPoolSetAccess(CUmemoryPool pool, const struct cudaMemAccessDesc *list,
                                       size_t count) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  return refused ? refused : api_leave(api_result((int)cudaMemPoolSetAccess(pool, list, count)));
}

/* ---- Of the host ----------------------------------------------------------------------------- */

static CUresult host_alloc(void **out, size_t bytes, unsigned flags) {
  void *memory = NULL;
  if (!out || !bytes || (flags & ~(unsigned)HOST_ALLOC_FLAGS)) return CUDA_ERROR_INVALID_VALUE;
  const cudaError_t error = cudaHostAlloc(&memory, bytes, flags);
  if (error) return api_result((int)error);
  const CUresult result = keep(memory, OBJECT_PINNED);
  if (!result) *out = memory;
  return result;
}

API_EXPORT CUresult cuMemHostAlloc(void **out, size_t bytes, unsigned flags) {
  const CUresult refused = api_enter(__func__, API_UNSAFE);
  return refused ? refused : api_leave(host_alloc(out, bytes, flags));
}

API_EXPORT CUresult cuMemAllocHost_v2(void **out, size_t bytes) {
  const CUresult refused = api_enter(__func__, API_UNSAFE);
  return refused ? refused : api_leave(host_alloc(out, bytes, 0));
}

API_EXPORT CUresult cuMemFreeHost(void *memory) {
  const CUresult refused = api_enter(__func__, API_UNSAFE);
  if (refused) return refused;
  if (!memory) return api_leave(CUDA_ERROR_INVALID_VALUE);
  const cudaError_t error = cudaFreeHost(memory);
  if (!error) object_remove(memory, OBJECT_PINNED);
  return api_leave(api_result((int)error));
}

API_EXPORT CUresult cuMemHostRegister_v2(void *memory, size_t bytes, unsigned flags) {
  const CUresult refused = api_enter(__func__, API_CONTEXT);
  if (refused) return refused;
  const cudaError_t error = cudaHostRegister(memory, bytes, flags);
  if (!error && !object_add(memory, OBJECT_REGISTERED)) {
    cudaHostUnregister(memory);
    return api_leave(CUDA_ERROR_OUT_OF_MEMORY);
  }
  return api_leave(api_result((int)error));
}

API_EXPORT CUresult cuMemHostUnregister(void *memory) {
  const CUresult refused = api_enter(__func__, API_CONTEXT);
  if (refused) return refused;
  const cudaError_t error = cudaHostUnregister(memory);
  if (!error) object_remove(memory, OBJECT_REGISTERED);
  return api_leave(api_result((int)error));
}

API_EXPORT CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *out, void *memory, unsigned flags) {
  void *address = NULL;
  const CUresult refused = api_enter(__func__, API_CONTEXT);
  if (refused) return refused;
  if (!out) return api_leave(CUDA_ERROR_INVALID_VALUE);
  const cudaError_t error = cudaHostGetDevicePointer(&address, memory, flags);
  if (!error) *out = (CUdeviceptr)(uintptr_t)address;
  return api_leave(api_result((int)error));
}

/* Device and managed memory: allocation, release, questions.
 *
 * Source   CUDA Runtime API 13.0, sections Memory Management and Unified Addressing
 */
#include "observer.h"
#include "runtime.h"

#define BIT(kind) (1u << (kind))

static const size_t pitch_step = 512;

static cudaError_t allocate(void **memory, size_t bytes, enum rt_kind kind, unsigned flags) {
  if (!memory) return cudaErrorInvalidValue;
  if (bytes == 0) {
    *memory = NULL;
    return cudaSuccess;
  }
  void *got = rt_allocate(bytes, kind, flags, NULL);
  if (!got) return cudaErrorMemoryAllocation;
  *memory = got;
  return cudaSuccess;
}

cudaError_t cudaMalloc(void **devPtr, size_t size) {
  const cudaError_t error = rt_begin();
  return rt_end(error ? error : allocate(devPtr, size, RT_DEVICE, 0));
}

cudaError_t cudaMallocManaged(void **devPtr, size_t size, unsigned flags) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
    return rt_end(cudaErrorInvalidValue);
  return rt_end(allocate(devPtr, size, RT_MANAGED, flags));
}

cudaError_t cudaFree(void *devPtr) {
  const cudaError_t error = rt_begin();
  if (error || !devPtr) return rt_end(error);
  SD_NOTIFY_BARE(host_waits_all); /* as it does in practice */
  cudaError_t freed;
  if (rt_graph_frees(devPtr, &freed)) return rt_end(freed);
  if (rt_release(devPtr, BIT(RT_DEVICE) | BIT(RT_MANAGED))) return cudaSuccess;
  SD_NOTIFY(bad_free, devPtr);
  return rt_end(cudaErrorInvalidValue);
}

cudaError_t cudaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height) {
  cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!devPtr || !pitch) return rt_end(cudaErrorInvalidValue);
  if (width > ((size_t)1 << 46) || (height && width > ((size_t)1 << 46) / height))
    return rt_end(cudaErrorMemoryAllocation);
  const size_t bytes_a_row = (width + pitch_step - 1) / pitch_step * pitch_step;
  error = allocate(devPtr, bytes_a_row * height, RT_DEVICE, 0);
  if (!error) *pitch = height ? bytes_a_row : 0;
  return rt_end(error);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitched, struct cudaExtent extent) {
  if (!pitched) return rt_end(cudaErrorInvalidValue);
  void *memory = NULL;
  size_t pitch = 0;
  if (extent.depth && extent.height > ((size_t)1 << 46) / extent.depth)
    return rt_end(cudaErrorMemoryAllocation);
  const cudaError_t error =
      cudaMallocPitch(&memory, &pitch, extent.width, extent.height * extent.depth);
  if (error) return error;
  *pitched = make_cudaPitchedPtr(memory, pitch, extent.width, extent.height);
  return cudaSuccess;
}

size_t simt_bytes_from(const void *address) {
  struct rt_block block;
  if (rt_find(address, &block)) return block.bytes - ((uintptr_t)address - block.begin);
  return rt_symbol_room(address);
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!free || !total) return rt_end(cudaErrorInvalidValue);
  *total = rt_device_bytes_total();
  *free = *total - rt_device_bytes_used();
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr) {
  static const enum cudaMemoryType types[] = {[RT_DEVICE] = cudaMemoryTypeDevice,
                                              [RT_PINNED] = cudaMemoryTypeHost,
                                              [RT_MANAGED] = cudaMemoryTypeManaged,
                                              [RT_ARRAY] = cudaMemoryTypeDevice,
                                              [RT_HEAP] = cudaMemoryTypeDevice};
  const cudaError_t error = rt_begin();
  struct rt_block block;
  uintptr_t begin;
  size_t bytes;
  if (error) return rt_end(error);
  if (!attributes) return rt_end(cudaErrorInvalidValue);
  void *same = (void *)(uintptr_t)ptr;
  if (rt_find(ptr, &block)) {
    void *host = block.kind == RT_PINNED || block.kind == RT_MANAGED ? same : NULL;
    *attributes = (struct cudaPointerAttributes){types[block.kind], block.device, same, host};
  } else if (rt_registered(ptr, &begin, &bytes)) {
    *attributes = (struct cudaPointerAttributes){cudaMemoryTypeHost, rt_device(), same, same};
  } else if (rt_is_symbol(ptr)) {
    *attributes = (struct cudaPointerAttributes){cudaMemoryTypeDevice, rt_device(), same, NULL};
  } else {
    *attributes =
        (struct cudaPointerAttributes){cudaMemoryTypeUnregistered, cudaInvalidDeviceId, NULL, same};
  }
  return cudaSuccess;
}

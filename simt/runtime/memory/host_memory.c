/* Pinned host memory: allocated here, or the program's own, registered.
 *
 * Limits   registered ranges stay the program's; they are only remembered, up to RANGES of them
 * Source   CUDA Runtime API 13.0, section Memory Management
 */
#include "observer.h"
#include "runtime.h"

enum { RANGES = 4096 };

static struct {
  uintptr_t begin;
  size_t bytes;
  unsigned flags;
} ranges[RANGES];
static size_t count;

/* ---- Allocated ------------------------------------------------------------------------------- */

cudaError_t cudaHostAlloc(void **ptr, size_t size, unsigned flags) {
  const unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!ptr || (flags & ~known)) return rt_end(cudaErrorInvalidValue);
  void *memory = NULL;
  if (size && !(memory = rt_allocate(size, RT_PINNED, flags, NULL)))
    return rt_end(cudaErrorMemoryAllocation);
  *ptr = memory;
  return cudaSuccess;
}

cudaError_t cudaMallocHost(void **ptr, size_t size) {
  return cudaHostAlloc(ptr, size, cudaHostAllocDefault);
}

cudaError_t cudaFreeHost(void *ptr) {
  const cudaError_t error = rt_begin();
  if (error || !ptr) return rt_end(error);
  SD_NOTIFY_BARE(host_waits_all);
  if (rt_release(ptr, 1u << RT_PINNED)) return cudaSuccess;
  SD_NOTIFY(bad_free, ptr);
  return rt_end(cudaErrorInvalidValue);
}

/* ---- Registered ------------------------------------------------------------------------------ */

/* The range that meets [begin, begin + bytes), or `count`. Under the lock. */
static size_t find(uintptr_t begin, size_t bytes) {
  size_t i = 0;
  while (i < count &&
         (begin >= ranges[i].begin + ranges[i].bytes || begin + bytes <= ranges[i].begin))
    i++;
  return i;
}

bool rt_registered(const void *address, uintptr_t *begin, size_t *bytes) {
  rt_lock();
  const size_t i = find((uintptr_t)address, 1);
  const bool found = i < count;
  if (found) {
    *begin = ranges[i].begin;
    *bytes = ranges[i].bytes;
  }
  rt_unlock();
  return found;
}

cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned flags) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!ptr || !size || (flags & ~0xfu)) return rt_end(cudaErrorInvalidValue);
  if (rt_in_arena(ptr)) return rt_end(cudaErrorInvalidValue);
  cudaError_t result = cudaSuccess;
  rt_lock();
  if (find((uintptr_t)ptr, size) < count) {
    result = cudaErrorHostMemoryAlreadyRegistered;
  } else if (count == RANGES) {
    result = cudaErrorMemoryAllocation;
  } else {
    ranges[count].begin = (uintptr_t)ptr;
    ranges[count].bytes = size;
    ranges[count++].flags = flags;
  }
  rt_unlock();
  return rt_end(result);
}

cudaError_t cudaHostUnregister(void *ptr) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!ptr) return rt_end(cudaErrorInvalidValue);
  rt_lock();
  const size_t i = find((uintptr_t)ptr, 1);
  const bool known = i < count, begins = known && ranges[i].begin == (uintptr_t)ptr;
  if (begins) ranges[i] = ranges[--count];
  rt_unlock();
  if (begins) return cudaSuccess;
  return rt_end(known || rt_in_arena(ptr) ? cudaErrorInvalidValue
                                          : cudaErrorHostMemoryNotRegistered);
}

/* ---- Questions ------------------------------------------------------------------------------- */

cudaError_t cudaHostGetDevicePointer(void **devPtr, void *hostPtr, unsigned flags) {
  const cudaError_t error = rt_begin();
  struct rt_block block;
  uintptr_t begin;
  size_t bytes;
  if (error) return rt_end(error);
  if (!devPtr || !hostPtr || flags) return rt_end(cudaErrorInvalidValue);
  const bool pinned = rt_find(hostPtr, &block) && block.kind == RT_PINNED;
  if (!pinned && !rt_registered(hostPtr, &begin, &bytes)) return rt_end(cudaErrorInvalidValue);
  *devPtr = hostPtr;
  return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *hostPtr) {
  const cudaError_t error = rt_begin();
  struct rt_block block;
  if (error) return rt_end(error);
  if (!flags || !hostPtr) return rt_end(cudaErrorInvalidValue);
  if (rt_find(hostPtr, &block) && block.kind == RT_PINNED) {
    /* Since unified addressing every pinned block is portable and mapped. */
    *flags = block.flags | cudaHostAllocMapped;
    return cudaSuccess;
  }
  rt_lock();
  const size_t i = find((uintptr_t)hostPtr, 1);
  const bool found = i < count;
  if (found) *flags = ranges[i].flags | cudaHostAllocMapped;
  rt_unlock();
  return rt_end(found ? cudaSuccess : cudaErrorInvalidValue);
}

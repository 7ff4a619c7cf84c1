/* Stream-ordered allocation and memory pools; prefetches and advice.
 *
 * Method   streams have always caught up, so an asynchronous allocation is an ordinary one. A pool
 *          counts what was taken from it; nothing is kept back
 * Source   CUDA Runtime API 13.0, sections Stream Ordered Memory Allocator and Memory Management
 */
#include "observer.h"
#include "runtime.h"

struct CUmemPoolHandle_st {
  uint64_t threshold, used, high;
  int reuse[4];
};

static struct rt_pool pools = {.object_bytes = sizeof(struct CUmemPoolHandle_st), .capacity = 4096};
static struct CUmemPoolHandle_st default_pool = {.reuse = {0, 1, 1, 1}};
static cudaMemPool_t current = &default_pool;

static bool pool_ok(cudaMemPool_t pool) {
  return pool == &default_pool || rt_pool_holds(&pools, pool);
}

static void count(cudaMemPool_t pool, size_t bytes, bool taken) {
  rt_lock();
  pool->used = taken ? pool->used + bytes : pool->used - bytes;
  if (pool->used > pool->high) pool->high = pool->used;
  rt_unlock();
}

cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!rt_stream_ok(stream)) return rt_end(cudaErrorInvalidResourceHandle);
  if (!ptr || !pool_ok(pool)) return rt_end(cudaErrorInvalidValue);
  if (size == 0) {
    *ptr = NULL;
    return cudaSuccess;
  }
  if (rt_capturing(stream)) return rt_end(rt_capture_allocate(stream, size, ptr));
  void *memory = rt_allocate(size, RT_DEVICE, 0, pool);
  if (!memory) return rt_end(cudaErrorMemoryAllocation);
  count(pool, size, true);
  *ptr = memory;
  return cudaSuccess;
}

cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t stream) {
  return cudaMallocFromPoolAsync(devPtr, size, current, stream);
}

cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t stream) {
  const cudaError_t error = rt_begin();
  struct rt_block block;
  if (error) return rt_end(error);
  if (!rt_stream_ok(stream)) return rt_end(cudaErrorInvalidResourceHandle);
  if (!devPtr) return cudaSuccess;
  cudaError_t freed;
  if (rt_capturing(stream)) {
    rt_capture_free(stream, devPtr);
    return cudaSuccess;
  }
  if (rt_graph_frees(devPtr, &freed)) return rt_end(freed);
  const bool known = rt_find(devPtr, &block);
  const cudaMemPool_t pool = known ? (cudaMemPool_t)(uintptr_t)block.pool : NULL;
  SD_NOTIFY(freeing, devPtr, stream);
  if (!rt_release(devPtr, 1u << RT_DEVICE)) {
    SD_NOTIFY(bad_free, devPtr);
    return rt_end(cudaErrorInvalidValue);
  }
  if (pool && pool_ok(pool)) count(pool, block.bytes, false);
  return cudaSuccess;
}

/* ---- Pools ----------------------------------------------------------------------------------- */

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!pool || !props || props->allocType != cudaMemAllocationTypePinned ||
      props->location.type != cudaMemLocationTypeDevice || props->location.id != 0)
    return rt_end(cudaErrorInvalidValue);
  struct CUmemPoolHandle_st *made = rt_pool_take(&pools);
  if (!made) return rt_end(cudaErrorMemoryAllocation);
  *made = (struct CUmemPoolHandle_st){.reuse = {0, 1, 1, 1}};
  *pool = made;
  return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!pool || pool == &default_pool || !pool_ok(pool)) return rt_end(cudaErrorInvalidValue);
  if (current == pool) current = &default_pool;
  rt_pool_give(&pools, pool);
  return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep) {
  const cudaError_t error = rt_begin();
  (void)keep;
  if (error) return rt_end(error);
  return rt_end(pool_ok(pool) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!pool_ok(pool) || !value) return rt_end(cudaErrorInvalidValue);
  switch (attr) {
  case cudaMemPoolReuseFollowEventDependencies:
  case cudaMemPoolReuseAllowOpportunistic:
  case cudaMemPoolReuseAllowInternalDependencies: pool->reuse[attr] = *(const int *)value; break;
  case cudaMemPoolAttrReleaseThreshold: pool->threshold = *(const uint64_t *)value; break;
  case cudaMemPoolAttrReservedMemHigh:
  case cudaMemPoolAttrUsedMemHigh:
    if (*(const uint64_t *)value != 0) return rt_end(cudaErrorInvalidValue);
    pool->high = pool->used;
    break;
  default: return rt_end(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!pool_ok(pool) || !value) return rt_end(cudaErrorInvalidValue);
  switch (attr) {
  case cudaMemPoolReuseFollowEventDependencies:
  case cudaMemPoolReuseAllowOpportunistic:
  case cudaMemPoolReuseAllowInternalDependencies: *(int *)value = pool->reuse[attr]; break;
  case cudaMemPoolAttrReleaseThreshold: *(uint64_t *)value = pool->threshold; break;
  case cudaMemPoolAttrReservedMemCurrent:
  case cudaMemPoolAttrUsedMemCurrent: *(uint64_t *)value = pool->used; break;
  case cudaMemPoolAttrReservedMemHigh:
  case cudaMemPoolAttrUsedMemHigh: *(uint64_t *)value = pool->high; break;
  default: return rt_end(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list,
                                 size_t number) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!pool_ok(pool) || (number && !list)) return rt_end(cudaErrorInvalidValue);
  for (size_t i = 0; i < number; i++)
    if (list[i].location.type != cudaMemLocationTypeDevice || !rt_device_ok(list[i].location.id))
      return rt_end(cudaErrorInvalidDevice);
  return cudaSuccess;
}

static cudaError_t give(cudaMemPool_t *result, cudaMemPool_t pool, int device) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!rt_device_ok(device)) return rt_end(cudaErrorInvalidDevice);
  if (!result) return rt_end(cudaErrorInvalidValue);
  *result = pool;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  return give(pool, &default_pool, device);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
  return give(pool, current, device);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!rt_device_ok(device)) return rt_end(cudaErrorInvalidDevice);
  if (!pool_ok(pool)) return rt_end(cudaErrorInvalidValue);
  current = pool;
  return cudaSuccess;
}

/* ---- Managed memory: where it should be ------------------------------------------------------ */

static cudaError_t check_managed(const void *address, size_t bytes) {
  struct rt_block block;
  if (rt_is_symbol(address)) return bytes ? cudaSuccess : cudaErrorInvalidValue;
  if (!bytes || !rt_find(address, &block) || block.kind != RT_MANAGED) return cudaErrorInvalidValue;
  const size_t offset = (uintptr_t)address - block.begin;
  return bytes <= block.bytes - offset ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t check_location(struct cudaMemLocation location) {
  if (location.type == cudaMemLocationTypeDevice)
    return rt_device_ok(location.id) ? cudaSuccess : cudaErrorInvalidDevice;
  return location.type >= cudaMemLocationTypeHost &&
                 location.type <= cudaMemLocationTypeHostNumaCurrent
             ? cudaSuccess
             : cudaErrorInvalidValue;
}

cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count_, struct cudaMemLocation location,
                                 unsigned flags, cudaStream_t stream) {
  cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!rt_stream_ok(stream)) return rt_end(cudaErrorInvalidResourceHandle);
  if (flags) return rt_end(cudaErrorInvalidValue);
  error = check_location(location);
  return rt_end(error ? error : check_managed(devPtr, count_));
}

cudaError_t cudaMemAdvise(const void *devPtr, size_t count_, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location) {
  cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if ((int)advice < 1 || advice > cudaMemAdviseUnsetAccessedBy)
    return rt_end(cudaErrorInvalidValue);
  /* Of read-mostly and of unset advice the location is ignored. */
  if ((advice == cudaMemAdviseSetPreferredLocation || advice >= cudaMemAdviseSetAccessedBy) &&
      check_location(location) != cudaSuccess)
    error = cudaErrorInvalidValue;
  return rt_end(error ? error : check_managed(devPtr, count_));
}

cudaError_t cudaMemRangeGetAttribute(void *data, size_t dataSize,
                                     enum cudaMemRangeAttribute attribute, const void *devPtr,
                                     size_t count_) {
  cudaError_t error = rt_begin();
  if (!error) error = check_managed(devPtr, count_);
  if (error) return rt_end(error);
  if (!data || dataSize < sizeof(int)) return rt_end(cudaErrorInvalidValue);
  *(int *)data = attribute == cudaMemRangeAttributeReadMostly ? 0 : cudaInvalidDeviceId;
  return cudaSuccess;
}

/* cudaDeviceSetLimit and what follows from it.
 *
 * Source   CUDA Runtime API 13.0, section Device Management; the defaults are an H200's
 */
#include "runtime.h"

static size_t limits[] = {[cudaLimitStackSize] = 1024,
                          [cudaLimitPrintfFifoSize] = 8650752,
                          [cudaLimitMallocHeapSize] = 8388608,
                          [cudaLimitDevRuntimeSyncDepth] = 0,
                          [cudaLimitDevRuntimePendingLaunchCount] = 2048,
                          [cudaLimitMaxL2FetchGranularity] = 64,
                          [cudaLimitPersistingL2CacheSize] = 11796480};

size_t sd_stack_limit(void) { return limits[cudaLimitStackSize]; }
size_t sd_printf_limit(void) { return limits[cudaLimitPrintfFifoSize]; }
size_t rt_heap_limit(void) { return limits[cudaLimitMallocHeapSize]; }

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!value) return rt_end(cudaErrorInvalidValue);
  if ((unsigned)limit >= sizeof limits / sizeof limits[0]) return rt_end(cudaErrorInvalidValue);
  if (limit == cudaLimitDevRuntimeSyncDepth) return rt_end(cudaErrorUnsupportedLimit);
  *value = limits[limit];
  return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  switch (limit) {
  case cudaLimitStackSize:
    if (value > 512 * 1024 - 16) return rt_end(cudaErrorInvalidValue);
    limits[limit] = value ? (value + 15) / 16 * 16 : 16;
    return cudaSuccess;
  case cudaLimitMallocHeapSize:
    /* Fixed from the first kernel that uses it, as a GPU has it. */
    if (rt_heap_used()) return rt_end(cudaErrorInvalidValue);
    if (value > rt_device_bytes_total()) return rt_end(cudaErrorMemoryAllocation);
    limits[limit] = value < 4194304 ? 4194304 : value;
    return cudaSuccess;
  case cudaLimitPrintfFifoSize:
  case cudaLimitDevRuntimePendingLaunchCount:
  case cudaLimitMaxL2FetchGranularity:
  case cudaLimitPersistingL2CacheSize: limits[limit] = value; return cudaSuccess;
  case cudaLimitDevRuntimeSyncDepth: return rt_end(cudaErrorUnsupportedLimit);
  default: return rt_end(cudaErrorInvalidValue);
  }
}

/* Older names. */
cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}

cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}

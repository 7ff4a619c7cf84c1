/* A device: state, settings, versions.
 *
 * Source   CUDA Runtime API 13.0, sections Device Management, Version Management
 */
#include "observer.h"
#include "runtime.h"

#include <stdio.h>
#include <string.h>

static unsigned device_flags;
static enum cudaFuncCache cache_config = cudaFuncCachePreferNone;
static enum cudaSharedMemConfig bank_config = cudaSharedMemBankSizeFourByte;
enum { BUS_ID_BYTES = sizeof "0000:00:00.0" }; /* that of device 0; the bus is the ordinal */

/* What most functions of this file are: an answer, if there is room for it. */
static cudaError_t answer(int *result, int value) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!result) return rt_end(cudaErrorInvalidValue);
  *result = value;
  return cudaSuccess;
}

/* These answers need no context: they come even after it is lost. */
static cudaError_t fixed(int *result, int value) {
  if (!result) return rt_end(cudaErrorInvalidValue);
  *result = value;
  return cudaSuccess;
}

static cudaError_t nothing_if(bool valid, cudaError_t otherwise) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  return rt_end(valid ? cudaSuccess : otherwise);
}

cudaError_t cudaDriverGetVersion(int *version) { return fixed(version, CUDART_VERSION); }
cudaError_t cudaRuntimeGetVersion(int *version) { return fixed(version, CUDART_VERSION); }

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop) {
  return prop ? answer(device, rt_device()) : rt_end(cudaErrorInvalidValue);
}

/* ---- Waiting, resetting ---------------------------------------------------------------------- */

cudaError_t cudaDeviceSynchronize(void) {
  SD_NOTIFY_BARE(host_waits_all);
  return rt_end(rt_begin());
}
cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }

cudaError_t cudaDeviceReset(void) {
  SD_NOTIFY_BARE(reset);
  rt_reset_errors();
  rt_release_all();
  rt_heap_forget();
  rt_reset_symbols();
  SD_NOTIFY_BARE(reset);
  return cudaSuccess;
}

cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }
cudaError_t cudaProfilerStart(void) { return nothing_if(true, cudaSuccess); }
cudaError_t cudaProfilerStop(void) { return nothing_if(true, cudaSuccess); }

/* ---- Settings that change nothing here ------------------------------------------------------- */

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  const cudaError_t error =
      nothing_if(!(flags & ~(unsigned)cudaDeviceMask) && (flags & cudaDeviceScheduleMask) != 3 &&
                     (flags & cudaDeviceScheduleMask) < 5,
                 cudaErrorInvalidValue);
  if (!error) device_flags = flags;
  return error;
}

cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  if (!flags) return rt_end(cudaErrorInvalidValue);
  *flags = device_flags | cudaDeviceMapHost;
  return rt_end(rt_begin());
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config) {
  if (!config) return rt_end(cudaErrorInvalidValue);
  *config = cache_config;
  return rt_end(rt_begin());
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
  const cudaError_t error =
      nothing_if((unsigned)config <= cudaFuncCachePreferEqual, cudaErrorInvalidValue);
  if (!error) cache_config = config;
  return error;
}

cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config) {
  return cudaDeviceGetCacheConfig(config);
}

cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config) {
  return cudaDeviceSetCacheConfig(config);
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config) {
  if (!config) return rt_end(cudaErrorInvalidValue);
  *config = bank_config;
  return rt_end(rt_begin());
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
  return nothing_if((unsigned)config <= cudaSharedMemBankSizeEightByte, cudaErrorInvalidValue);
}

/* ---- Buses ----------------------------------------------------------------------------------- */

cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int len, int device) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!rt_device_ok(device)) return rt_end(cudaErrorInvalidDevice);
  if (!pciBusId || len < (int)BUS_ID_BYTES) return rt_end(cudaErrorInvalidValue);
  snprintf(pciBusId, (size_t)len, "0000:%02x:00.0", (unsigned)device);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *pciBusId) {
  unsigned domain = 0, bus = 1, slot = 0, function = 0;
  if (!pciBusId || !device) return rt_end(cudaErrorInvalidValue);
  if (sscanf(pciBusId, "%x:%x:%x.%x", &domain, &bus, &slot, &function) < 3 &&
      sscanf(pciBusId, "%x:%x.%x", &bus, &slot, &function) < 2)
    return rt_end(cudaErrorInvalidValue);
  if (domain || !rt_device_ok((int)bus) || slot || function) return rt_end(cudaErrorInvalidDevice);
  return answer(device, (int)bus);
}

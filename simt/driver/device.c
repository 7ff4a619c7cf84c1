/* The driver and its devices, as settings.c has them.
 *
 * Source   CUDA Driver API 13.0, sections Initialization, Version Management, Device Management
 */
#include "entry.h"

#include "cuda_runtime_api.h"

#include <stdlib.h>
#include <string.h>

enum { VERSION = 13000 };

API_EXPORT CUresult cuInit(unsigned flags) {
  const CUresult refused = api_enter(__func__, API_ANYTIME);
  return refused ? refused : api_leave(api_init(flags));
}

API_EXPORT CUresult cuDriverGetVersion(int *version) {
  if (!version) return CUDA_ERROR_INVALID_VALUE;
  *version = VERSION;
  return CUDA_SUCCESS;
}

API_EXPORT CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  if (!device) return api_leave(CUDA_ERROR_INVALID_VALUE);
  if (!settings_device_ok(ordinal)) return api_leave(CUDA_ERROR_INVALID_DEVICE);
  *device = ordinal;
  return api_leave(CUDA_SUCCESS);
}

API_EXPORT CUresult cuDeviceGetCount(int *count) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  if (!count) return api_leave(CUDA_ERROR_INVALID_VALUE);
  *count = simt_device_count();
  return api_leave(CUDA_SUCCESS);
}

/* What questions about a device have in common. */
static CUresult enter_for_device(const char *name, const void *to, CUdevice device) {
  const CUresult refused = api_enter(name, API_INITIALISED);
  if (refused) return refused;
  if (to && settings_device_ok(device)) return CUDA_SUCCESS;
  return api_leave(!to ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_DEVICE);
}

API_EXPORT CUresult cuDeviceGetName(char *name, int bytes, CUdevice device) {
  static struct cudaDeviceProp properties;
  const CUresult refused = enter_for_device(__func__, name, device);
  if (refused) return refused;
  if (bytes <= 0) return api_leave(CUDA_ERROR_INVALID_VALUE);
  cudaGetDeviceProperties(&properties, device);
  strncpy(name, properties.name, (size_t)bytes - 1);
  name[bytes - 1] = 0;
  return api_leave(CUDA_SUCCESS);
}

API_EXPORT CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
  const CUresult refused = enter_for_device(__func__, uuid, device);
  if (refused) return refused;
  static struct cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, device);
  memcpy(uuid->bytes, properties.uuid.bytes, sizeof uuid->bytes);
  return api_leave(CUDA_SUCCESS);
}

API_EXPORT CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  static struct cudaDeviceProp properties;
  const CUresult refused = enter_for_device(__func__, bytes, device);
  if (refused) return refused;
  cudaGetDeviceProperties(&properties, device);
  *bytes = properties.totalGlobalMem;
  return api_leave(CUDA_SUCCESS);
}

API_EXPORT CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
  const CUresult refused = enter_for_device(__func__, value, device);
  if (refused) return refused;
  switch (attribute) {
  case CU_ATTRIBUTE_MULTIPROCESSORS:
    *value = settings_multiprocessors();
    return api_leave(CUDA_SUCCESS);
  case CU_ATTRIBUTE_MAJOR: *value = settings_architecture() / 10; return api_leave(CUDA_SUCCESS);
  case CU_ATTRIBUTE_MINOR: *value = settings_architecture() % 10; return api_leave(CUDA_SUCCESS);
  default:
    return api_leave(
        api_result((int)cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device)));
  }
}

/* The driver and its one device.
 *
 * Result   compute capability 9.0, or that of SIMT_ARCH (8.0, 80, sm_80); 4 multiprocessors, or
 *          SIMT_MULTIPROCESSORS of them: a program that makes its grid from their number is not to
 *          make thousands of blocks here
 * Source   CUDA Driver API 13.0, sections Initialization, Version Management, Device Management
 */
#include "entry.h"

#include "cuda_runtime_api.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 13000, MULTIPROCESSORS = 4, ARCHITECTURE = 90 };

API_EXPORT CUresult cuInit(unsigned flags) {
  const CUresult refused = api_enter(__func__, API_ANYTIME);
  return refused ? refused : api_leave(api_init(flags));
}

API_EXPORT CUresult cuDriverGetVersion(int *version) {
  if (!version) return CUDA_ERROR_INVALID_VALUE;
  *version = VERSION;
  return CUDA_SUCCESS;
}

int api_architecture(void) {
  const char *text = getenv("SIMT_ARCH");
  if (!text) return ARCHITECTURE;
  int number = 0;
  for (; *text; text++)
    if (isdigit((unsigned char)*text) && number < 1000) number = number * 10 + *text - '0';
  return number >= 50 && number < 1000 ? number : ARCHITECTURE;
}

static int multiprocessors(void) {
  const char *text = getenv("SIMT_MULTIPROCESSORS");
  const long number = text ? strtol(text, NULL, 10) : 0;
  return number >= 1 && number <= 1024 ? (int)number : MULTIPROCESSORS;
}

API_EXPORT CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  if (!device) return api_leave(CUDA_ERROR_INVALID_VALUE);
  if (ordinal != 0) return api_leave(CUDA_ERROR_INVALID_DEVICE);
  *device = 0;
  return api_leave(CUDA_SUCCESS);
}

API_EXPORT CUresult cuDeviceGetCount(int *count) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  if (!count) return api_leave(CUDA_ERROR_INVALID_VALUE);
  *count = 1;
  return api_leave(CUDA_SUCCESS);
}

/* What questions about a device have in common. */
static CUresult ask(const char *name, const void *to, CUdevice device) {
  const CUresult refused = api_enter(name, API_INITIALISED);
  if (refused) return refused;
  if (to && device == 0) return CUDA_SUCCESS;
  return api_leave(!to ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_DEVICE);
}

API_EXPORT CUresult cuDeviceGetName(char *name, int bytes, CUdevice device) {
  static struct cudaDeviceProp properties;
  const CUresult refused = ask(__func__, name, device);
  if (refused) return refused;
  if (bytes <= 0) return api_leave(CUDA_ERROR_INVALID_VALUE);
  cudaGetDeviceProperties(&properties, 0);
  strncpy(name, properties.name, (size_t)bytes - 1);
  name[bytes - 1] = 0;
  return api_leave(CUDA_SUCCESS);
}

API_EXPORT CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
  const CUresult refused = ask(__func__, uuid, device);
  if (refused) return refused;
  memcpy(uuid->bytes, "simt-software-0", sizeof uuid->bytes);
  return api_leave(CUDA_SUCCESS);
}

API_EXPORT CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  static struct cudaDeviceProp properties;
  const CUresult refused = ask(__func__, bytes, device);
  if (refused) return refused;
  cudaGetDeviceProperties(&properties, 0);
  *bytes = properties.totalGlobalMem;
  return api_leave(CUDA_SUCCESS);
}

API_EXPORT CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
  const CUresult refused = ask(__func__, value, device);
  if (refused) return refused;
  switch (attribute) {
  case CU_ATTRIBUTE_MULTIPROCESSORS: *value = multiprocessors(); return api_leave(CUDA_SUCCESS);
  case CU_ATTRIBUTE_MAJOR: *value = api_architecture() / 10; return api_leave(CUDA_SUCCESS);
  case CU_ATTRIBUTE_MINOR: *value = api_architecture() % 10; return api_leave(CUDA_SUCCESS);
  default:
    return api_leave(
        api_result((int)cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, 0)));
  }
}

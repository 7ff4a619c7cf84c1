/* driver.h - the CUDA driver API as it is used here, found at run time
 *
 * Result   struct hd_cuda_driver: one table of entries a library that was loaded
 * Method   our own declarations of the types and entries, so that no toolkit is needed to build;
 *          versioned names, because the plain ones are older functions of the same name
 * Limits   handles are opaque pointers; only the constants that are used are named
 * Source   NVIDIA's CUDA driver API reference */
#ifndef HEDDLE_CUDA_CORE_DRIVER_H
#define HEDDLE_CUDA_CORE_DRIVER_H

#include <stddef.h>

#include "order/types.h"

typedef int cu_result;
typedef int cu_device;
typedef u64 cu_pointer; /* an address on the device */
typedef struct cu_context_s *cu_context;
typedef struct cu_module_s *cu_module;
typedef struct cu_function_s *cu_function;
typedef struct cu_stream_s *cu_stream;
typedef struct cu_event_s *cu_event;

enum {
  CU_SUCCESS = 0,
  CU_INVALID_VALUE = 1,
  CU_OUT_OF_MEMORY = 2,
  CU_NOT_INITIALIZED = 3,
  CU_DEINITIALIZED = 4,
  CU_NO_DEVICE = 100,
  CU_INVALID_DEVICE = 101,
  CU_INVALID_IMAGE = 200,
  CU_INVALID_CONTEXT = 201,
  CU_NO_BINARY_FOR_GPU = 209,
  CU_NOT_FOUND = 500,
  CU_NOT_READY = 600,
  CU_ILLEGAL_ADDRESS = 700,
  CU_LAUNCH_TIMEOUT = 702,
  CU_CONTEXT_IS_DESTROYED = 709,
  CU_ASSERT = 710,
  CU_HARDWARE_STACK_ERROR = 714, /* 714 to 719: a kernel failed */
  CU_LAUNCH_FAILED = 719,
  CU_CAPTURE_FIRST = 900, /* what a captured stream does not allow */
  CU_CAPTURE_LAST = 908
};

enum { /* CUdevice_attribute */
       CU_ATTR_MAX_THREADS_PER_BLOCK = 1,
       CU_ATTR_WARP_SIZE = 10,
       CU_ATTR_SM_COUNT = 16,
       CU_ATTR_L2_BYTES = 38,
       CU_ATTR_THREADS_PER_SM = 39,
       CU_ATTR_CC_MAJOR = 75,
       CU_ATTR_CC_MINOR = 76,
       CU_ATTR_SHARED_PER_SM = 81,
       CU_ATTR_SHARED_OPTIN = 97
};

enum { /* CUfunction_attribute */
       CU_FUNC_REGISTERS = 4,
       CU_FUNC_LOCAL_BYTES = 3,
       CU_FUNC_DYNAMIC_SHARED = 8,
       CU_FUNC_CARVEOUT = 9
};

enum { /* CUpointer_attribute */
       CU_POINTER_CONTEXT = 1,
       CU_POINTER_MEMORY_TYPE = 2,
       CU_POINTER_DEVICE_POINTER = 3,
       CU_POINTER_IS_MANAGED = 8,
       CU_POINTER_ORDINAL = 9,
       CU_POINTER_RANGE_START = 11,
       CU_POINTER_RANGE_SIZE = 12
};
enum { CU_MEMORY_HOST = 1, CU_MEMORY_DEVICE = 2, CU_MEMORY_ARRAY = 3, CU_MEMORY_UNIFIED = 4 };

enum { CU_EVENT_DISABLE_TIMING = 2, CU_STREAM_NON_BLOCKING = 1 };
enum { CU_HOST_PORTABLE = 1, CU_HOST_DEVICEMAP = 2 };
enum { CU_CAPTURE_NONE = 0, CU_CAPTURE_ACTIVE = 1, CU_CAPTURE_INVALIDATED = 2 };

/* clang-format off */
/* X(member, "symbol", arguments): every one returns cu_result */
#define HD_DRIVER_ENTRIES(X)                                                                        \
  X(init, "cuInit", (unsigned flags))                                                               \
  X(driver_version, "cuDriverGetVersion", (int *version))                                           \
  X(error_name, "cuGetErrorName", (cu_result error, const char **name))                             \
  X(error_string, "cuGetErrorString", (cu_result error, const char **text))                         \
  X(device_get, "cuDeviceGet", (cu_device *device, int ordinal))                                    \
  X(device_count, "cuDeviceGetCount", (int *count))                                                 \
  X(device_name, "cuDeviceGetName", (char *name, int bytes, cu_device device))                      \
  X(device_attribute, "cuDeviceGetAttribute", (int *value, int attribute, cu_device device))        \
  X(device_bytes, "cuDeviceTotalMem_v2", (size_t *bytes, cu_device device))                         \
  X(primary_retain, "cuDevicePrimaryCtxRetain", (cu_context *context, cu_device device))            \
  X(primary_release, "cuDevicePrimaryCtxRelease_v2", (cu_device device))                            \
  X(primary_state, "cuDevicePrimaryCtxGetState", (cu_device device, unsigned *flags, int *active))  \
  X(context_current, "cuCtxGetCurrent", (cu_context *context))                                      \
  X(context_push, "cuCtxPushCurrent_v2", (cu_context context))                                      \
  X(context_pop, "cuCtxPopCurrent_v2", (cu_context *context))                                       \
  X(context_device, "cuCtxGetDevice", (cu_device *device))                                          \
  X(memory_info, "cuMemGetInfo_v2", (size_t *free_bytes, size_t *all_bytes))                        \
  X(memory_alloc, "cuMemAlloc_v2", (cu_pointer *out, size_t bytes))                                 \
  X(memory_free, "cuMemFree_v2", (cu_pointer memory))                                               \
  X(host_alloc, "cuMemHostAlloc", (void **out, size_t bytes, unsigned flags))                       \
  X(host_free, "cuMemFreeHost", (void *memory))                                                     \
  X(copy_in, "cuMemcpyHtoDAsync_v2",                                                                \
    (cu_pointer to, const void *from, size_t bytes, cu_stream stream))                              \
  X(copy_out, "cuMemcpyDtoHAsync_v2",                                                               \
    (void *to, cu_pointer from, size_t bytes, cu_stream stream))                                    \
  X(copy_device, "cuMemcpyDtoDAsync_v2",                                                            \
    (cu_pointer to, cu_pointer from, size_t bytes, cu_stream stream))                               \
  X(copy_any, "cuMemcpyAsync", (cu_pointer to, cu_pointer from, size_t bytes, cu_stream stream))    \
  X(set_bytes, "cuMemsetD8Async",                                                                   \
    (cu_pointer to, unsigned char value, size_t count, cu_stream stream))                           \
  X(pointer_attributes, "cuPointerGetAttributes",                                                   \
    (unsigned count, int *attributes, void **values, cu_pointer pointer))                           \
  X(stream_create, "cuStreamCreate", (cu_stream *out, unsigned flags))                              \
  X(stream_destroy, "cuStreamDestroy_v2", (cu_stream stream))                                       \
  X(stream_sync, "cuStreamSynchronize", (cu_stream stream))                                         \
  X(stream_query, "cuStreamQuery", (cu_stream stream))                                              \
  X(stream_wait, "cuStreamWaitEvent", (cu_stream stream, cu_event event, unsigned flags))           \
  X(stream_context, "cuStreamGetCtx", (cu_stream stream, cu_context *context))                      \
  X(stream_capturing, "cuStreamIsCapturing", (cu_stream stream, int *status))                       \
  X(event_create, "cuEventCreate", (cu_event *out, unsigned flags))                                 \
  X(event_destroy, "cuEventDestroy_v2", (cu_event event))                                           \
  X(event_record, "cuEventRecord", (cu_event event, cu_stream stream))                              \
  X(event_query, "cuEventQuery", (cu_event event))                                                  \
  X(event_sync, "cuEventSynchronize", (cu_event event))                                             \
  X(module_load, "cuModuleLoadData", (cu_module *out, const void *image))                           \
  X(module_unload, "cuModuleUnload", (cu_module module))                                            \
  X(module_function, "cuModuleGetFunction",                                                         \
    (cu_function *out, cu_module module, const char *name))                                         \
  X(function_get, "cuFuncGetAttribute", (int *value, int attribute, cu_function function))          \
  X(function_set, "cuFuncSetAttribute", (cu_function function, int attribute, int value))           \
  X(occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor",                                       \
    (int *blocks, cu_function function, int threads, size_t shared_bytes))                          \
  X(launch, "cuLaunchKernel",                                                                       \
    (cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,     \
     unsigned block_y, unsigned block_z, unsigned shared_bytes, cu_stream stream, void **arguments, \
     void **extra))
/* clang-format on */

struct hd_cuda_driver {
#define HD_ENTRY(member, symbol, arguments) cu_result(*member) arguments;
  HD_DRIVER_ENTRIES(HD_ENTRY)
#undef HD_ENTRY
  int version;         /* 13000 for 13.0 */
  const char *library; /* the name or path that it was loaded by */
  const struct hd_cuda_driver_choice *pair;
};

/* Entries by name out of an open library into a table of them: NULL, or the first name that it
 * lacks. */
struct hd_cuda_symbol {
  const char *name;
  size_t offset; /* in the table */
};
const char *hd_cuda_find_symbols(void *library, const struct hd_cuda_symbol *symbols, size_t count,
                                 void *table);

/* The pairs of libraries (driver, NVRTC) that a device string's first word chooses between. They
 * are loaded RTLD_LOCAL, once a process, and never mixed. */
struct hd_cuda_driver_choice {
  const char *device; /* "cuda" or "simt" */
  bool software;
};
extern const struct hd_cuda_driver_choice hd_cuda_driver_nvidia, hd_cuda_driver_simt;

/* The pair's driver, loaded and initialised; after a failure a later call tries again. After a
 * fork it is HEDDLE_DEVICE_ERROR in the child of a process that used it. */
heddle_status hd_cuda_driver_load(const char *entry, const struct hd_cuda_driver_choice *pair,
                                  const struct hd_cuda_driver **out);

#endif

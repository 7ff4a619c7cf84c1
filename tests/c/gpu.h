/* gpu.h - the device under test as its driver sees it: memory, streams, contexts and graphs
 *
 * Method   the driver that the library has loaded, NVIDIA's or the software device's, is opened once
 *          more and its entries are declared here, apart from the library's own declarations
 * Limits   a test without a device skips; a call of the driver that fails ends the test */
#ifndef TESTS_GPU_H
#define TESTS_GPU_H

#include "support.h"

typedef void *gpu_handle;
typedef uint64_t gpu_address;

/* clang-format off */
#define GPU_ENTRIES(X)                                                                        \
  X(device, "cuDeviceGet", (int *device, int ordinal))                                       \
  X(device_count, "cuDeviceGetCount", (int *count))                                          \
  X(primary_retain, "cuDevicePrimaryCtxRetain", (gpu_handle *context, int device))           \
  X(primary_release, "cuDevicePrimaryCtxRelease_v2", (int device))                           \
  X(context_create, "cuCtxCreate_v2", (gpu_handle *out, unsigned flags, int device))         \
  X(context_destroy, "cuCtxDestroy_v2", (gpu_handle context))                                \
  X(context_set, "cuCtxSetCurrent", (gpu_handle context))                                    \
  X(context_get, "cuCtxGetCurrent", (gpu_handle *context))                                   \
  X(alloc, "cuMemAlloc_v2", (gpu_address *out, size_t bytes))                                \
  X(release, "cuMemFree_v2", (gpu_address memory))                                           \
  X(pin, "cuMemHostAlloc", (void **out, size_t bytes, unsigned flags))                       \
  X(unpin, "cuMemFreeHost", (void *memory))                                                  \
  X(upload, "cuMemcpyHtoD_v2", (gpu_address to, const void *from, size_t bytes))             \
  X(download, "cuMemcpyDtoH_v2", (void *to, gpu_address from, size_t bytes))                 \
  X(fill, "cuMemsetD8_v2", (gpu_address to, unsigned char byte, size_t bytes))               \
  X(sync, "cuCtxSynchronize", (void))                                                        \
  X(stream_create, "cuStreamCreate", (gpu_handle *out, unsigned flags))                      \
  X(stream_destroy, "cuStreamDestroy_v2", (gpu_handle stream))                               \
  X(stream_sync, "cuStreamSynchronize", (gpu_handle stream))                                 \
  X(capture_begin, "cuStreamBeginCapture_v2", (gpu_handle stream, int mode))                 \
  X(capture_end, "cuStreamEndCapture", (gpu_handle stream, gpu_handle *graph))               \
  X(graph_ready, "cuGraphInstantiateWithFlags",                                              \
    (gpu_handle *out, gpu_handle graph, unsigned long long flags))                           \
  X(graph_launch, "cuGraphLaunch", (gpu_handle graph, gpu_handle stream))                    \
  X(graph_forget, "cuGraphExecDestroy", (gpu_handle graph))                                  \
  X(graph_destroy, "cuGraphDestroy", (gpu_handle graph))
/* clang-format on */

struct gpu {
#define X(member, symbol, arguments) int(*member) arguments;
  GPU_ENTRIES(X)
#undef X
};
extern struct gpu gpu;

enum { GPU_CAPTURE_RELAXED = 2, GPU_NON_BLOCKING = 1 };

const char *gpu_device(void); /* "simt", "cuda:1": the first of HEDDLE_TEST_DEVICES */
int gpu_is_software(void);
/* Group setup: a context on it, and its driver; teardown closes it. Skips without a device. */
int gpu_setup(void **state);
int gpu_teardown(void **state);
extern heddle_context *gpu_ctx, *gpu_cpu; /* gpu_cpu gives what results must be */

void *gpu_memory(size_t bytes); /* of the context's device; aborts the test without */
void gpu_forget(void *memory);
void gpu_up(void *to, const void *from, size_t bytes);
void gpu_down(void *to, const void *from, size_t bytes);
void gpu_fill(void *to, unsigned char byte, size_t bytes); /* done on return, unlike the driver's */
void gpu_must(int code, const char *what);

#endif

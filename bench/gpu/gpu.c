/* gpu.c - a GPU for the benchmark; see gpu.h */
#include "gpu.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t address;
typedef void *handle;

/* clang-format off */
#define ENTRIES(X)                                                          \
  X(init, "cuInit", (unsigned flags))                                       \
  X(device, "cuDeviceGet", (int *device, int ordinal))                      \
  X(name, "cuDeviceGetName", (char *name, int bytes, int device))           \
  X(retain, "cuDevicePrimaryCtxRetain", (handle *context, int device))      \
  X(current, "cuCtxPushCurrent_v2", (handle context))                       \
  X(alloc, "cuMemAlloc_v2", (address *out, size_t bytes))                   \
  X(release, "cuMemFree_v2", (address memory))                              \
  X(pin, "cuMemHostAlloc", (void **out, size_t bytes, unsigned flags))      \
  X(unpin, "cuMemFreeHost", (void *memory))                                 \
  X(copy, "cuMemcpyAsync", (address to, address from, size_t bytes, handle stream))      \
  X(fill, "cuMemsetD8Async", (address to, unsigned char byte, size_t bytes, handle stream)) \
  X(wait, "cuStreamSynchronize", (handle stream))                           \
  X(event, "cuEventCreate", (handle *out, unsigned flags))                  \
  X(record, "cuEventRecord", (handle event, handle stream))                 \
  X(event_wait, "cuEventSynchronize", (handle event))                       \
  X(elapsed, "cuEventElapsedTime", (float *ms, handle from, handle to))
/* clang-format on */

static struct {
#define X(member, symbol, arguments) int(*member) arguments;
  ENTRIES(X)
#undef X
} cu;

static const struct {
  const char *symbol;
  void *place;
} entries[] = {
#define X(member, symbol, arguments) {symbol, &cu.member},
    ENTRIES(X)
#undef X
};

static handle begun, ended;
static char name[96];

void gpu_die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  (void)fputs("bench_gpu: ", stderr);
  (void)vfprintf(stderr, format, arguments);
  (void)fputc('\n', stderr);
  va_end(arguments);
  exit(1);
}

static void must(int code, const char *what) {
  if (code) gpu_die("%s: the driver's code %d", what, code);
}

void gpu_open(const char *library) {
  void *driver = dlopen(library ? library : "libcuda.so.1", RTLD_NOW);
  if (!driver) gpu_die("%s", dlerror());
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
    void *found = dlsym(driver, entries[i].symbol);
    if (!found) gpu_die("the driver has no %s", entries[i].symbol);
    memcpy(entries[i].place, &found, sizeof found);
  }
  int device;
  handle context;
  must(cu.init(0), "cuInit");
  must(cu.device(&device, 0), "cuDeviceGet");
  must(cu.name(name, sizeof name, device), "cuDeviceGetName");
  must(cu.retain(&context, device), "cuDevicePrimaryCtxRetain");
  must(cu.current(context), "cuCtxPushCurrent");
  must(cu.event(&begun, 0), "cuEventCreate");
  must(cu.event(&ended, 0), "cuEventCreate");
}

const char *gpu_name(void) { return name; }

void *gpu_memory(size_t bytes) {
  address memory = 0;
  must(cu.alloc(&memory, bytes + 256), "cuMemAlloc");
  return (void *)(uintptr_t)memory;
}

void gpu_forget(void *memory) {
  if (memory) must(cu.release((address)(uintptr_t)memory), "cuMemFree");
}

void *gpu_pinned(size_t bytes) {
  void *memory = NULL;
  must(cu.pin(&memory, bytes + 256, 0), "cuMemHostAlloc");
  return memory;
}

void gpu_unpin(void *memory) {
  if (memory) must(cu.unpin(memory), "cuMemFreeHost");
}

void gpu_copy_async(void *to, const void *from, size_t bytes) {
  must(cu.copy((address)(uintptr_t)to, (address)(uintptr_t)from, bytes, NULL), "cuMemcpyAsync");
}

void gpu_copy(void *to, const void *from, size_t bytes) {
  gpu_copy_async(to, from, bytes);
  gpu_wait();
}

void gpu_fill(void *memory, unsigned char byte, size_t bytes) {
  must(cu.fill((address)(uintptr_t)memory, byte, bytes, NULL), "cuMemsetD8Async");
}

void gpu_wait(void) { must(cu.wait(NULL), "cuStreamSynchronize"); }

void gpu_start(void) { must(cu.record(begun, NULL), "cuEventRecord"); }

double gpu_stop(void) {
  float ms = 0;
  must(cu.record(ended, NULL), "cuEventRecord");
  must(cu.event_wait(ended), "cuEventSynchronize");
  must(cu.elapsed(&ms, begun, ended), "cuEventElapsedTime");
  return (double)ms;
}

double gpu_clock(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* counting_driver.c - the software device's driver, which counts what a call should not do: allocate, free, wait
 *
 * Result   a libsimt_cuda.so whose `driver_calls` has a number for each entry below, in their order
 * Method   the entries stand before those of the driver that this library is linked to, which has all others
 * Compile  cc -shared -fPIC -DREAL='"FILE"' counting_driver.c -Wl,--no-as-needed FILE -ldl -o libsimt_cuda.so */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t pointer;

#define ENTRIES(X)                                                                      \
  X(cuMemAlloc_v2, (pointer * out, size_t bytes), (out, bytes))                         \
  X(cuMemFree_v2, (pointer at), (at))                                                   \
  X(cuMemAllocAsync, (pointer * out, size_t bytes, void *stream), (out, bytes, stream)) \
  X(cuMemFreeAsync, (pointer at, void *stream), (at, stream))                           \
  X(cuMemHostAlloc, (void **out, size_t bytes, unsigned flags), (out, bytes, flags))    \
  X(cuStreamSynchronize, (void *stream), (stream))                                      \
  X(cuEventSynchronize, (void *event), (event))                                         \
  X(cuStreamQuery, (void *stream), (stream))                                            \
  X(cuEventQuery, (void *event), (event))                                               \
  X(cuCtxSynchronize, (void), ())                                                       \
  X(cuMemcpyDtoHAsync_v2, (void *to, pointer from, size_t bytes, void *stream),         \
    (to, from, bytes, stream))                                                          \
  X(cuMemcpyHtoDAsync_v2, (pointer to, const void *from, size_t bytes, void *stream),   \
    (to, from, bytes, stream))

enum {
#define X(name, parameters, arguments) AT_##name,
  ENTRIES(X)
#undef X
      ENTRIES_COUNT
};

__attribute__((visibility("default"))) unsigned long driver_calls[ENTRIES_COUNT];

static void *real(const char *name) {
  static void *driver;
  if (!driver) driver = dlopen(REAL, RTLD_NOW | RTLD_LOCAL);
  return dlsym(driver, name);
}

#define X(name, parameters, arguments)                         \
  __attribute__((visibility("default"))) int name parameters { \
    static int(*found) parameters;                             \
    if (!found) found = (int(*) parameters)real(#name);        \
    driver_calls[AT_##name]++;                                 \
    return found arguments;                                    \
  }
ENTRIES(X)

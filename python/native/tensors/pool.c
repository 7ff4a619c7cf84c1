/* pool.c - allocator hooks of a context, and what a call of this thread tells them
 *
 * Method   The library calls hooks with its CUDA context current, in which the driver's default stream is the one
 *          that the package's arrays are made on. What is kept of freed memory stays below KEPT_BYTES, which is more
 *          than the driver keeps, nothing; a process that has asked for more keeps that. */
#include "pool.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { CU_NOT_SUPPORTED = 801, RELEASE_THRESHOLD = 4 /* CU_MEMPOOL_ATTR_RELEASE_THRESHOLD */ };
static const uint64_t KEPT_BYTES = UINT64_C(256) << 20;

typedef uint64_t pointer; /* CUdeviceptr */

/* A driver's functions. */
struct pool {
  int (*allocate)(pointer *, size_t bytes, void *stream);
  int (*release)(pointer, void *stream);
  int (*plain_allocate)(pointer *, size_t bytes);
  int (*plain_release)(pointer);
  int (*wait)(void);
  /* For keep_freed; NULL: this driver has no such thing. */
  int (*device)(int *);
  int (*pool_of)(void **, int);
  int (*get)(void *, int, void *);
  int (*set)(void *, int, void *);
  atomic_bool begun, is_plain; /* the device has no pool */
};

static _Thread_local struct {
  void *stream;
  bool in_order;
} told;

/* Has the default pool of a device keep what is freed for the next allocation. */
static void keep_freed(const struct pool *pool) {
  uint64_t kept = 0;
  void *own = NULL;
  int ordinal;
  if (!pool->device || !pool->pool_of || !pool->get || !pool->set) return;
  if (pool->device(&ordinal) || pool->pool_of(&own, ordinal) ||
      pool->get(own, RELEASE_THRESHOLD, &kept) || kept >= KEPT_BYTES)
    return;
  kept = KEPT_BYTES;
  (void)pool->set(own, RELEASE_THRESHOLD, &kept);
}

static void *allocate(void *user, size_t bytes, void *stream) {
  struct pool *pool = user;
  pointer at = 0;
  (void)stream; /* the context's, which does no work */
  if (!atomic_exchange(&pool->begun, true)) keep_freed(pool);
  int failed =
      atomic_load(&pool->is_plain) ? CU_NOT_SUPPORTED : pool->allocate(&at, bytes, told.stream);
  if (failed == CU_NOT_SUPPORTED) {
    atomic_store(&pool->is_plain, true);
    failed = pool->plain_allocate(&at, bytes);
  }
  return failed ? NULL : (void *)(uintptr_t)at;
}

static void release(void *user, void *memory, size_t bytes, void *stream) {
  struct pool *pool = user;
  const pointer at = (pointer)(uintptr_t)memory;
  (void)bytes, (void)stream;
  if (!told.in_order) (void)pool->wait();
  if (atomic_load(&pool->is_plain) || pool->release(at, NULL)) (void)pool->plain_release(at);
}

/* ISO C has no conversion from what dlsym gives to a function; POSIX makes them alike. */
static bool find(void *driver, const char *name, void *function) {
  void *found = dlsym(driver, name);
  memcpy(function, &found, sizeof found);
  return found != NULL;
}

static bool find_all(void *driver, struct pool *pool) {
  (void)find(driver, "cuCtxGetDevice", &pool->device);
  (void)find(driver, "cuDeviceGetDefaultMemPool", &pool->pool_of);
  (void)find(driver, "cuMemPoolGetAttribute", &pool->get);
  (void)find(driver, "cuMemPoolSetAttribute", &pool->set);
  return find(driver, "cuMemAllocAsync", &pool->allocate) &&
         find(driver, "cuMemFreeAsync", &pool->release) &&
         find(driver, "cuMemAlloc_v2", &pool->plain_allocate) &&
         find(driver, "cuMemFree_v2", &pool->plain_release) &&
         find(driver, "cuCtxSynchronize", &pool->wait);
}

int heddle_py_pool(heddle_context *ctx, const char *driver) {
  void *loaded = dlopen(driver, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  struct pool *pool = loaded ? calloc(1, sizeof *pool) : NULL; /* as long as the context */
  if (pool && find_all(loaded, pool) &&
      heddle_set_device_allocator(ctx, allocate, release, pool) == HEDDLE_OK)
    return 1;
  free(pool);
  if (loaded) dlclose(loaded);
  return 0;
}

heddle_status heddle_py_pool_alloc(heddle_context *ctx, size_t bytes, void *stream, void **out) {
  told.stream = stream;
  const heddle_status status = heddle_device_alloc(ctx, bytes, out);
  told.stream = NULL;
  return status;
}

heddle_status heddle_py_pool_free(heddle_context *ctx, void *memory, int in_order) {
  told.in_order = in_order;
  const heddle_status status = heddle_device_free(ctx, memory);
  told.in_order = false;
  return status;
}

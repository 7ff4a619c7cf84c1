/* Kernels as objects: attributes, launches by address.
 *
 * Method   a table of records by kernel descriptor, never shrinking. A stub's descriptor is found
 *          by calling the stub with zeroes as arguments while the device only asks for it
 * Limits   registers and static shared memory are not known: no GPU compiler has seen the kernel
 * Source   CUDA Runtime API 13.0, section Execution Control
 */
#include "runtime.h"

#include <stdatomic.h>

enum { KERNELS = 8192, PARAMETERS = 4096, PARAMETER_BYTES = 32768 };

static struct entry {
  _Atomic(const struct simt_kernel *) kernel;
  struct rt_function function;
} entries[KERNELS];

int rt_shared_left(const struct simt_kernel *kernel) {
  const size_t fixed = kernel->shared_bytes ? *kernel->shared_bytes : 0;
  return fixed < RT_SHARED_A_BLOCK ? (int)(RT_SHARED_A_BLOCK - fixed) : 0;
}

static struct rt_function *fresh(struct entry *entry, const struct simt_kernel *kernel) {
  entry->function = (struct rt_function){kernel, rt_shared_left(kernel),
                                         cudaSharedmemCarveoutDefault, cudaFuncCachePreferNone};
  atomic_store(&entry->kernel, kernel);
  return &entry->function;
}

/* In the slot of a kernel that has gone. */
static const struct simt_kernel nobody;

/* Looks for the kernel; *slot: where a new one may be put, or NULL. */
static struct rt_function *search(const struct simt_kernel *kernel, struct entry **slot) {
  const size_t start = (uintptr_t)kernel / 16 * 0x9E3779B97F4A7C15u >> 51;
  *slot = NULL;
  for (size_t n = 0; n < KERNELS; n++) {
    struct entry *entry = &entries[(start + n) % KERNELS];
    const struct simt_kernel *there = atomic_load(&entry->kernel);
    if (there == kernel) return &entry->function;
    if ((!there || there == &nobody) && !*slot) *slot = entry;
    if (!there) break;
  }
  return NULL;
}

struct rt_function *rt_function(const struct simt_kernel *kernel) {
  struct entry *slot;
  struct rt_function *found = search(kernel, &slot);
  if (found) return found;
  rt_lock();
  found = search(kernel, &slot);
  if (!found && slot) found = fresh(slot, kernel);
  rt_unlock();
  return found;
}

void rt_forget_functions(uintptr_t begin, uintptr_t end) {
  rt_lock();
  for (size_t i = 0; i < KERNELS; i++) {
    const uintptr_t kernel = (uintptr_t)atomic_load(&entries[i].kernel);
    if (kernel >= begin && kernel < end) atomic_store(&entries[i].kernel, &nobody);
  }
  rt_unlock();
}

static void call(void *user) {
  static const _Alignas(64) unsigned char zeroes[PARAMETER_BYTES];
  static void *arguments[PARAMETERS];
  const struct simt_stub *stub = user;
  if (stub->parameters > PARAMETERS) return;
  for (size_t i = 0; i < stub->parameters; i++) {
    if (stub->parameter_bytes[i] > PARAMETER_BYTES) return;
    arguments[i] = (void *)(uintptr_t)zeroes;
  }
  stub->invoke(stub->address, arguments);
}

struct rt_function *rt_function_at(const void *address) {
  const struct simt_stub *stub = address ? simt_find_kernel(address) : NULL;
  if (!stub) return NULL;
  const struct simt_kernel *kernel = simt_kernel_of(call, (void *)(uintptr_t)stub);
  return kernel ? rt_function(kernel) : NULL;
}

/* ---- Attributes ------------------------------------------------------------------------------ */

cudaError_t rt_no_function(const void *func) {
  return func ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction;
}

/* What a call about a function begins with. */
static cudaError_t begin(const void *func, struct rt_function **function) {
  const cudaError_t error = rt_begin();
  if (error) return error;
  *function = rt_function_at(func);
  return *function ? cudaSuccess : rt_no_function(func);
}

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value) {
  struct rt_function *function;
  const cudaError_t error = begin(func, &function);
  if (error) return rt_end(error);
  switch (attr) {
  case cudaFuncAttributeMaxDynamicSharedMemorySize:
    if (value < 0 || value > RT_SHARED_OPT_IN) return rt_end(cudaErrorInvalidValue);
    function->dynamic_shared_limit = value;
    return cudaSuccess;
  case cudaFuncAttributePreferredSharedMemoryCarveout:
    if (value < -1 || value > 100) return rt_end(cudaErrorInvalidValue);
    function->carveout = value;
    return cudaSuccess;
  case cudaFuncAttributeNonPortableClusterSizeAllowed:
  case cudaFuncAttributeClusterSchedulingPolicyPreference: return cudaSuccess;
  default: return rt_end(cudaErrorInvalidValue);
  }
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func) {
  struct rt_function *function;
  const cudaError_t error = begin(func, &function);
  if (error) return rt_end(error);
  if (!attr) return rt_end(cudaErrorInvalidValue);
  const struct simt_kernel *kernel = function->kernel;
  *attr = (struct cudaFuncAttributes){
      .sharedSizeBytes = kernel->shared_bytes ? *kernel->shared_bytes : 0,
      .maxThreadsPerBlock = kernel->most_threads ? (int)kernel->most_threads : RT_THREADS_A_BLOCK,
      .numRegs = RT_REGISTERS_A_THREAD,
      .ptxVersion = 90,
      .binaryVersion = 90,
      .maxDynamicSharedSizeBytes = function->dynamic_shared_limit,
      .preferredShmemCarveout = function->carveout,
  };
  return cudaSuccess;
}

cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config) {
  struct rt_function *function;
  const cudaError_t error = begin(func, &function);
  if (error) return rt_end(error);
  if ((unsigned)config > cudaFuncCachePreferEqual) return rt_end(cudaErrorInvalidValue);
  function->cache = config;
  return cudaSuccess;
}

cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config) {
  struct rt_function *function;
  const cudaError_t error = begin(func, &function);
  (void)config;
  return rt_end(error);
}

cudaError_t cudaFuncGetName(const char **name, const void *func) {
  struct rt_function *function;
  const cudaError_t error = begin(func, &function);
  if (error) return rt_end(error);
  if (!name) return rt_end(cudaErrorInvalidValue);
  *name = function->kernel->name;
  return cudaSuccess;
}

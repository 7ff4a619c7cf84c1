/* Functions: what they need, and their launch.
 *
 * Method   the build leaves a table with each kernel: its parameters' number, sizes and alignments.
 *          A launch hands the array of addresses to the kernel's stub, which reads as much from
 *          each
 * Limits   clusters of more than one block are refused. Registers are not known: no compiler for a
 *          GPU has seen the kernel
 * Source   CUDA Driver API 13.0, sections Execution Control and Occupancy
 */
#include "entry.h"

#include "cuda_runtime_api.h"

enum { PARAMETERS = 1024 };

/* A kernel of a library may stand where a function is wanted. */
static CUfunction function_as(CUkernel kernel) { return (CUfunction)(void *)kernel; }

/* ---- Attributes ------------------------------------------------------------------------------ */

static CUresult get_attribute(int *value, int attribute, CUfunction handle) {
  struct cudaFuncAttributes all;
  struct function *f;
  if (!value) return CUDA_ERROR_INVALID_VALUE;
  const CUresult found = function_of(handle, &f);
  if (found) return found;
  const cudaError_t error = cudaFuncGetAttributes(&all, f->stub);
  if (error) return api_result((int)error);
  switch (attribute) {
  case CU_FUNCTION_MOST_THREADS: *value = all.maxThreadsPerBlock; return CUDA_SUCCESS;
  case CU_FUNCTION_SHARED_BYTES: *value = (int)all.sharedSizeBytes; return CUDA_SUCCESS;
  case CU_FUNCTION_CONST_BYTES: *value = (int)all.constSizeBytes; return CUDA_SUCCESS;
  case CU_FUNCTION_LOCAL_BYTES: *value = (int)all.localSizeBytes; return CUDA_SUCCESS;
  case CU_FUNCTION_REGISTERS: *value = all.numRegs; return CUDA_SUCCESS;
  case CU_FUNCTION_PTX_VERSION:
  case CU_FUNCTION_BINARY_VERSION: *value = settings_architecture(); return CUDA_SUCCESS;
  case CU_FUNCTION_DYNAMIC_SHARED: *value = all.maxDynamicSharedSizeBytes; return CUDA_SUCCESS;
  case CU_FUNCTION_CARVEOUT: *value = all.preferredShmemCarveout; return CUDA_SUCCESS;
  case CU_FUNCTION_CACHE_CA:
  case CU_FUNCTION_CLUSTER_NEEDED:
  case CU_FUNCTION_NON_PORTABLE_CLUSTER:
  case CU_FUNCTION_CLUSTER_POLICY: *value = 0; return CUDA_SUCCESS;
  default: return CUDA_ERROR_INVALID_VALUE;
  }
}

API_EXPORT CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function) {
  const CUresult refused = api_enter(__func__, API_QUEUE);
  return refused ? refused : api_leave(get_attribute(value, attribute, function));
}

static CUresult set_attribute(CUfunction handle, int attribute, int value) {
  struct function *f;
  const CUresult found = function_of(handle, &f);
  if (found) return found;
  return api_result((int)cudaFuncSetAttribute(f->stub, (enum cudaFuncAttribute)attribute, value));
}

API_EXPORT CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value) {
  const CUresult refused = api_enter(__func__, API_QUEUE);
  return refused ? refused : api_leave(set_attribute(function, attribute, value));
}

static CUresult set_cache(CUfunction handle, int config) {
  struct function *f;
  const CUresult found = function_of(handle, &f);
  if (found) return found;
  return api_result((int)cudaFuncSetCacheConfig(f->stub, (enum cudaFuncCache)config));
}

API_EXPORT CUresult cuFuncSetCacheConfig(CUfunction function, int config) {
  const CUresult refused = api_enter(__func__, API_QUEUE);
  return refused ? refused : api_leave(set_cache(function, config));
}

/* Attributes of a kernel are the same on all devices. */
static CUresult enter_for_kernel(const char *name, CUdevice device) {
  const CUresult refused = api_enter(name, API_QUEUE);
  if (refused) return refused;
  return settings_device_ok(device) ? CUDA_SUCCESS : api_leave(CUDA_ERROR_INVALID_DEVICE);
}

API_EXPORT CUresult cuKernelGetAttribute(int *value, int attribute, CUkernel kernel,
                                         CUdevice device) {
  const CUresult refused = enter_for_kernel(__func__, device);
  return refused ? refused : api_leave(get_attribute(value, attribute, function_as(kernel)));
}

API_EXPORT CUresult cuKernelSetAttribute(int attribute, int value, CUkernel kernel,
                                         CUdevice device) {
  const CUresult refused = enter_for_kernel(__func__, device);
  return refused ? refused : api_leave(set_attribute(function_as(kernel), attribute, value));
}

API_EXPORT CUresult cuKernelSetCacheConfig(CUkernel kernel, int config, CUdevice device) {
  const CUresult refused = enter_for_kernel(__func__, device);
  return refused ? refused : api_leave(set_cache(function_as(kernel), config));
}

/* Parameters lie in order, each at its own alignment. */
static CUresult get_parameter(CUfunction handle, size_t index, size_t *offset, size_t *bytes) {
  struct function *f;
  size_t at = 0;
  if (!offset) return CUDA_ERROR_INVALID_VALUE;
  const CUresult found = function_of(handle, &f);
  if (found) return found;
  if (index >= f->table->parameters) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i <= index; i++) {
    const size_t align = f->table->parameter_aligns[i];
    at = (at + align - 1) / align * align;
    if (i < index) at += f->table->parameter_bytes[i];
  }
  *offset = at;
  if (bytes) *bytes = f->table->parameter_bytes[index];
  return CUDA_SUCCESS;
}

API_EXPORT CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset,
                                       size_t *bytes) {
  const CUresult refused = api_enter(__func__, API_QUEUE);
  return refused ? refused : api_leave(get_parameter(function, index, offset, bytes));
}

API_EXPORT CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset,
                                         size_t *bytes) {
  const CUresult refused = api_enter(__func__, API_QUEUE);
  return refused ? refused : api_leave(get_parameter(function_as(kernel), index, offset, bytes));
}

static CUresult get_parameter_count(CUfunction handle, size_t *count) {
  struct function *f;
  if (!count) return CUDA_ERROR_INVALID_VALUE;
  const CUresult found = function_of(handle, &f);
  if (!found) *count = f->table->parameters;
  return found;
}

API_EXPORT CUresult cuFuncGetParamCount(CUfunction function, size_t *count) {
  const CUresult refused = api_enter(__func__, API_QUEUE);
  return refused ? refused : api_leave(get_parameter_count(function, count));
}

API_EXPORT CUresult cuKernelGetParamCount(CUkernel kernel, size_t *count) {
  const CUresult refused = api_enter(__func__, API_QUEUE);
  return refused ? refused : api_leave(get_parameter_count(function_as(kernel), count));
}

API_EXPORT CUresult cuFuncGetName(const char **name, CUfunction function) {
  struct function *f;
  const CUresult refused = api_enter(__func__, API_QUEUE);
  if (refused) return refused;
  if (!name) return api_leave(CUDA_ERROR_INVALID_VALUE);
  const CUresult found = function_of(function, &f);
  if (!found) *name = f->name;
  return api_leave(found);
}

API_EXPORT CUresult cuFuncGetModule(CUmodule *module, CUfunction function) {
  const CUresult refused = api_enter(__func__, API_QUEUE);
  if (refused) return refused;
  if (!module) return api_leave(CUDA_ERROR_INVALID_VALUE);
  if (!object_find(function, OBJECT_FUNCTION)) return api_leave(CUDA_ERROR_INVALID_HANDLE);
  *module = function->module;
  return api_leave(CUDA_SUCCESS);
}

static CUresult compute_occupancy(int *blocks, CUfunction handle, int threads, size_t shared_bytes,
                                  unsigned flags) {
  struct function *f;
  const CUresult found = function_of(handle, &f);
  if (found) return found;
  return api_result((int)cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, f->stub, threads, shared_bytes, flags));
}

API_EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function,
                                                                int threads, size_t shared_bytes) {
  const CUresult refused = api_enter(__func__, API_QUEUE);
  return refused ? refused
                 : api_leave(compute_occupancy(blocks, function, threads, shared_bytes, 0));
}

API_EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, CUfunction function, int threads, size_t shared_bytes, unsigned flags) {
  const CUresult refused = api_enter(__func__, API_QUEUE);
  return refused ? refused
                 : api_leave(compute_occupancy(blocks, function, threads, shared_bytes, flags));
}

/* The block with which most threads are resident, the largest of several; `shared_for` says how
 * many bytes of shared memory one of that size needs, in place of `shared_bytes`. */
static CUresult find_block_size(int *grid, int *block, CUfunction handle,
                                CUoccupancyB2DSize shared_for, size_t shared_bytes, int limit) {
  enum { STEP = 32 };
  int most = 0, most_threads = 0;
  if (!grid || !block || limit < 0) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = get_attribute(&most_threads, CU_FUNCTION_MOST_THREADS, handle);
  if (result) return result;
  const int first = limit && limit < most_threads ? limit : most_threads;
  for (int size = (first + STEP - 1) / STEP * STEP; size > 0; size -= STEP) {
    const int threads = size < first ? size : first;
    int blocks = 0;
    api_unlock();
    const size_t bytes = shared_for ? shared_for(threads) : shared_bytes;
    api_lock();
    result = compute_occupancy(&blocks, handle, threads, bytes, 0);
    if (result) return result;
    if (blocks * threads <= most) continue;
    most = blocks * threads;
    *block = threads;
    *grid = blocks * settings_multiprocessors();
  }
  return most ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

API_EXPORT CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function,
                                                     CUoccupancyB2DSize shared_for,
                                                     size_t shared_bytes, int limit) {
  const CUresult refused = api_enter(__func__, API_QUEUE);
  if (refused) return refused;
  return api_leave(find_block_size(grid, block, function, shared_for, shared_bytes, limit));
}

API_EXPORT CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block,
                                                              CUfunction function,
                                                              CUoccupancyB2DSize shared_for,
                                                              size_t shared_bytes, int limit,
                                                              unsigned flags) {
  const CUresult refused = api_enter(__func__, API_QUEUE);
  if (refused) return refused;
  if (flags > 1) return api_leave(CUDA_ERROR_INVALID_VALUE);
  return api_leave(find_block_size(grid, block, function, shared_for, shared_bytes, limit));
}

/* ---- Launches -------------------------------------------------------------------------------- */

/* `extra`: the parameters in one buffer, each at its own alignment. */
static CUresult unpack(const struct simt_stub *table, void **extra, void **addresses) {
  char *buffer = NULL;
  const size_t *bytes = NULL;
  size_t at = 0;
  for (; extra[0]; extra += 2) {
    if ((uintptr_t)extra[0] == CU_PARAM_BUFFER)
      buffer = extra[1];
    else if ((uintptr_t)extra[0] == CU_PARAM_BUFFER_BYTES)
      bytes = extra[1];
    else
      return CUDA_ERROR_INVALID_VALUE;
  }
  if (!buffer || !bytes) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < table->parameters; i++) {
    const size_t align = table->parameter_aligns[i];
    at = (at + align - 1) / align * align;
    addresses[i] = buffer + at;
    at += table->parameter_bytes[i];
  }
  return at <= *bytes ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* The caller may not know how many parameters there are: all of them must be there. */
static CUresult find_arguments(const struct simt_stub *table, void **given, void **extra,
                               void **addresses) {
  if (table->parameters > PARAMETERS || (given && extra)) return CUDA_ERROR_INVALID_VALUE;
  if (!table->parameters) return CUDA_SUCCESS;
  if (extra) return unpack(table, extra, addresses);
  if (!given) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < table->parameters; i++) {
    if (!given[i]) return CUDA_ERROR_INVALID_VALUE;
    addresses[i] = given[i];
  }
  return CUDA_SUCCESS;
}

static CUresult launch(CUfunction handle, const CUlaunchConfig *c, bool cooperative, void **given,
                       void **extra) {
  void *addresses[PARAMETERS];
  const dim3 grid = {c->grid[0], c->grid[1], c->grid[2]};
  const dim3 block = {c->block[0], c->block[1], c->block[2]};
  struct function *f;
  const CUresult found = function_of(handle, &f);
  if (found) return found;
  const struct object *function = object_find(f, OBJECT_FUNCTION);
  if (!function || function->context != context_current()) return CUDA_ERROR_INVALID_HANDLE;
  if (!object_stream_current(c->stream)) return CUDA_ERROR_INVALID_HANDLE;
  if (capture_implicit(c->stream)) return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  const CUresult result = find_arguments(f->table, given, extra, addresses);
  if (result || api_skips()) return result;
  return api_result((int)(cooperative ? cudaLaunchCooperativeKernel(f->stub, grid, block, addresses,
                                                                    c->shared_bytes, c->stream)
                                      : cudaLaunchKernel(f->stub, grid, block, addresses,
                                                         c->shared_bytes, c->stream)));
}

API_EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared_bytes, CUstream stream,
                                   void **parameters, void **extra) {
  const CUlaunchConfig config = {.grid = {grid_x, grid_y, grid_z},
                                 .block = {block_x, block_y, block_z},
                                 .shared_bytes = shared_bytes,
                                 .stream = stream};
  const CUresult refused = api_enter(__func__, API_QUEUE);
  return refused ? refused : api_leave(launch(function, &config, false, parameters, extra));
}

API_EXPORT CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                              unsigned grid_z, unsigned block_x, unsigned block_y,
                                              unsigned block_z, unsigned shared_bytes,
                                              CUstream stream, void **parameters) {
  const CUlaunchConfig config = {.grid = {grid_x, grid_y, grid_z},
                                 .block = {block_x, block_y, block_z},
                                 .shared_bytes = shared_bytes,
                                 .stream = stream};
  const CUresult refused = api_enter(__func__, API_QUEUE);
  return refused ? refused : api_leave(launch(function, &config, true, parameters, NULL));
}

/* What an attribute of a launch asks for; those that only hint at speed change nothing. */
static CUresult read_attribute(const CUlaunchAttribute *a, bool *cooperative) {
  const unsigned *cluster = a->value.cluster;
  switch (a->id) {
  case CU_LAUNCH_COOPERATIVE: *cooperative = a->value.cooperative != 0; return CUDA_SUCCESS;
  case CU_LAUNCH_CLUSTER_DIMENSION:
  case CU_LAUNCH_PREFERRED_CLUSTER:
    if (!cluster[0] || !cluster[1] || !cluster[2]) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    return cluster[0] == 1 && cluster[1] == 1 && cluster[2] == 1 ? CUDA_SUCCESS
                                                                 : CUDA_ERROR_NOT_SUPPORTED;
  case CU_LAUNCH_IGNORE:
  case CU_LAUNCH_ACCESS_POLICY:
  case CU_LAUNCH_SYNC_POLICY:
  case CU_LAUNCH_CLUSTER_POLICY:
  case CU_LAUNCH_PROGRAMMATIC_SERIALIZATION:
  case CU_LAUNCH_PRIORITY:
  case CU_LAUNCH_SYNC_DOMAIN_MAP:
  case CU_LAUNCH_SYNC_DOMAIN:
  case CU_LAUNCH_CARVEOUT: return CUDA_SUCCESS;
  default: return CUDA_ERROR_NOT_SUPPORTED;
  }
}

static CUresult launch_ex(const CUlaunchConfig *config, CUfunction function, void **parameters,
                          void **extra) {
  bool cooperative = false;
  if (!config || (config->attribute_count && !config->attributes)) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < config->attribute_count; i++) {
    const CUresult result = read_attribute(&config->attributes[i], &cooperative);
    if (result) return result;
  }
  return launch(function, config, cooperative, parameters, extra);
}

API_EXPORT CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function,
                                     void **parameters, void **extra) {
  const CUresult refused = api_enter(__func__, API_QUEUE);
  return refused ? refused : api_leave(launch_ex(config, function, parameters, extra));
}

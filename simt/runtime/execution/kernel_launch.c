/* Launches: what is checked before a grid runs, and launches by address.
 *
 * Source   CUDA C++ Programming Guide, section Compute Capabilities; CUDA Runtime API 13.0, section
 *          Execution Control; an H200 with CUDA 13.0 refuses every impossible shape with "invalid
 *          argument", never with "invalid configuration argument"
 */
#include "runtime.h"

/* What the last launch of this thread was refused with. */
static _Thread_local cudaError_t refused;

static const unsigned grid_limit[3] = {2147483647, 65535, 65535};
static const unsigned block_limit[3] = {1024, 1024, 64};

static cudaError_t check_shape(const struct simt_config *c) {
  const unsigned grid[3] = {c->grid.x, c->grid.y, c->grid.z};
  const unsigned block[3] = {c->block.x, c->block.y, c->block.z};
  for (int i = 0; i < 3; i++) {
    if (grid[i] == 0 || grid[i] > grid_limit[i]) return cudaErrorInvalidValue;
    if (block[i] == 0 || block[i] > block_limit[i]) return cudaErrorInvalidValue;
  }
  const uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
  return threads > RT_THREADS_A_BLOCK ? cudaErrorInvalidValue : cudaSuccess;
}

static cudaError_t check_cluster(const struct simt_config *c) {
  const uint64_t blocks = (uint64_t)c->cluster.x * c->cluster.y * c->cluster.z;
  if (blocks <= 1) return cudaSuccess;
  if (blocks > 16 || c->grid.x % c->cluster.x || c->grid.y % c->cluster.y ||
      c->grid.z % c->cluster.z)
    return cudaErrorInvalidClusterSize;
  return cudaErrorNotSupported; /* a cluster is one block here */
}

static cudaError_t check(const struct simt_kernel *kernel, const struct simt_config *c,
                         bool *skip) {
  cudaError_t error = rt_begin_issue(skip);
  if (error) return error;
  if (!rt_stream_ok(c->stream) || rt_stream_device(c->stream) != rt_device())
    return cudaErrorInvalidResourceHandle;
  error = check_shape(c);
  if (!error) error = check_cluster(c);
  if (error) return error;
  const struct rt_function *function = rt_function(kernel);
  const int limit = function ? function->dynamic_shared_limit : rt_shared_left(kernel);
  if (c->shared_bytes > (size_t)limit) return cudaErrorInvalidValue;
  if (kernel->most_threads && (uint64_t)c->block.x * c->block.y * c->block.z > kernel->most_threads)
    return cudaErrorInvalidValue;
  if (c->flags & SIMT_COOPERATIVE) {
    const uint64_t blocks = (uint64_t)c->grid.x * c->grid.y * c->grid.z;
    const size_t threads = (size_t)c->block.x * c->block.y * c->block.z;
    const int resident = rt_resident_blocks(threads, c->shared_bytes);
    if (blocks > (uint64_t)resident * RT_MULTIPROCESSORS) return cudaErrorCooperativeLaunchTooLarge;
  }
  return cudaSuccess;
}

int sd_check_launch(const struct simt_kernel *kernel, const struct simt_config *config) {
  bool skip;
  refused = check(kernel, config, &skip);
  if (refused) return (int)rt_end_launch(refused);
  if (skip) return cudaErrorPriorLaunchFailure; /* not run, and nobody is notified yet */
  return cudaSuccess;
}

bool sd_launch_begins(const struct simt_kernel *kernel) {
  bool skip;
  if (rt_begin_issue(&skip) || skip) return false;
  rt_slack_look(kernel);
  return true;
}

cudaError_t simt_launch_result(void) { return refused; }

/* ---- By address ------------------------------------------------------------------------------ */

static struct uint3 extent(dim3 d) { return (struct uint3){d.x, d.y, d.z}; }

static cudaError_t launch(const void *func, const struct simt_config *config, void **args) {
  const struct simt_stub *stub = func ? simt_find_kernel(func) : NULL;
  if (!stub) return rt_end(rt_no_function(func));
  if (stub->parameters && !args) return rt_end(cudaErrorInvalidValue);
  simt_configure(config);
  stub->invoke(func, args);
  return refused;
}

cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                             size_t sharedMem, cudaStream_t stream) {
  const struct simt_config config = {extent(gridDim), extent(blockDim), {1, 1, 1},
                                     sharedMem,       stream,           0};
  return launch(func, &config, args);
}

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                                        size_t sharedMem, cudaStream_t stream) {
  const struct simt_config config = {extent(gridDim), extent(blockDim), {1, 1, 1},
                                     sharedMem,       stream,           SIMT_COOPERATIVE};
  return launch(func, &config, args);
}

static cudaError_t read_config(const cudaLaunchConfig_t *from, struct simt_config *to) {
  if (!from || (from->numAttrs && !from->attrs)) return cudaErrorInvalidValue;
  *to = (struct simt_config){extent(from->gridDim),  extent(from->blockDim), {1, 1, 1},
                             from->dynamicSmemBytes, from->stream,           0};
  for (unsigned i = 0; i < from->numAttrs; i++) {
    const cudaLaunchAttributeValue *value = &from->attrs[i].val;
    if (from->attrs[i].id == cudaLaunchAttributeCooperative && value->cooperative)
      to->flags |= SIMT_COOPERATIVE;
    if (from->attrs[i].id == cudaLaunchAttributeClusterDimension)
      to->cluster = (struct uint3){value->clusterDim.x, value->clusterDim.y, value->clusterDim.z};
  }
  return cudaSuccess;
}

cudaError_t simt_configure_ex(const cudaLaunchConfig_t *from) {
  struct simt_config config;
  const cudaError_t error = read_config(from, &config);
  if (!error) simt_configure(&config);
  return rt_end(error);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *from, const void *func, void **args) {
  struct simt_config config;
  const cudaError_t error = read_config(from, &config);
  return error ? rt_end(error) : launch(func, &config, args);
}

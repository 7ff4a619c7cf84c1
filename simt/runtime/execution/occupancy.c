/* Occupancy: how many blocks of a kernel fit a multiprocessor.
 *
 * Result   the least of what threads, blocks, registers and shared memory allow
 * Limits   32 registers a thread are assumed, so registers never limit; of shared memory only
 *          the dynamic part is counted, plus the KB that the system takes a block
 * Source   CUDA C++ Programming Guide, sections Compute Capabilities and Occupancy Calculator
 */
#include "runtime.h"

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

int rt_resident_blocks(size_t threads, size_t dynamic_shared) {
  if (threads == 0 || threads > RT_THREADS_A_BLOCK) return 0;
  if (dynamic_shared > RT_SHARED_OPT_IN) return 0;
  const size_t warps = (threads + 31) / 32;
  const size_t shared = (dynamic_shared + 127) / 128 * 128 + RT_SHARED_RESERVED;
  size_t blocks = RT_BLOCKS_A_MULTIPROCESSOR;
  blocks = least(blocks, RT_THREADS_A_MULTIPROCESSOR / 32 / warps);
  blocks = least(blocks, RT_REGISTERS / (warps * 32 * RT_REGISTERS_A_THREAD));
  return (int)least(blocks, RT_SHARED_A_MULTIPROCESSOR / shared);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *func,
                                                                   int blockSize,
                                                                   size_t dynamicSMemSize,
                                                                   unsigned flags) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  const struct rt_function *function = rt_function_at(func);
  if (!function) return rt_end(rt_no_function(func));
  if (!blocks || blockSize <= 0 || (flags & ~1u)) return rt_end(cudaErrorInvalidValue);
  const bool refused = dynamicSMemSize > (size_t)function->dynamic_shared_limit;
  *blocks = refused ? 0 : rt_resident_blocks((size_t)blockSize, dynamicSMemSize);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *func,
                                                          int blockSize, size_t dynamicSMemSize) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, func, blockSize,
                                                                dynamicSMemSize, 0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *func, int blocks,
                                                      int blockSize) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  const struct rt_function *function = rt_function_at(func);
  if (!function) return rt_end(rt_no_function(func));
  if (!bytes || blocks <= 0 || blockSize <= 0) return rt_end(cudaErrorInvalidValue);
  if (rt_resident_blocks((size_t)blockSize, 0) < blocks) return rt_end(cudaErrorInvalidValue);
  const size_t each = RT_SHARED_A_MULTIPROCESSOR / (size_t)blocks / 128 * 128;
  *bytes = least(each, (size_t)function->dynamic_shared_limit);
  return cudaSuccess;
}

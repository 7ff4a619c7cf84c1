/* Histogram 03: shared atomics, one flush a block
 *
 * Idea     each block counts its 1,024 bytes into 256 bins of its own in shared memory, then
 *          adds those to the global bins, one thread a bin
 * Cost     n adds in shared memory, 256 a block in global memory: n / 4 for n bytes
 * Shows    that queues at near memory are short ones: 256 threads can meet at a bin, not all
 * Source   the classic third version, 6.8 GB/s on a GTX 460
 *
 * //! title: shared atomics, a word a thread
 * //! expect: right
 */
#include "../common/ladder_bytes.h"

__global__ void count_shared(const unsigned char *data, size_t n, unsigned int *bins) {
  __shared__ unsigned int own[BYTE_BINS];
  own[threadIdx.x] = 0;
  __syncthreads(); /* all 256 bins are zero */
  const size_t i = 4 * (blockIdx.x * (size_t)blockDim.x + threadIdx.x);
  if (i + 4 <= n) {
    const unsigned int word = *(const unsigned int *)(data + i);
    LADDER_READ(1);
    for (int k = 0; k < 4; ++k) {
      LADDER_STEP();
      atomicAdd(&own[word >> 8 * k & 255], 1u);
    }
    LADDER_WORK(4);
    LADDER_SHARED_ATOMIC(4);
  } else {
    for (size_t at = i; at < n; ++at) {
      LADDER_READ(1);
      LADDER_WORK(1);
      LADDER_SHARED_ATOMIC(1);
      atomicAdd(&own[data[at]], 1u);
    }
  }
  __syncthreads(); /* the block's bytes are counted */
  LADDER_STEP();
  LADDER_WORK(1);
  LADDER_ATOMIC(1);
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

static unsigned int blocks_for(size_t n) { return (unsigned int)((n + 1023) / 1024); }

static void launch(const unsigned char *data, size_t n, unsigned int *bins) {
  count_shared<<<blocks_for(n), BYTE_BINS>>>(data, n, bins);
}

int main(int argc, char **argv) {
  struct bytes_memory m;
  bytes_begin(argc, argv, __FILE__, &m);
  bytes_measure(&m, launch);
  bytes_adds("global_adds", (unsigned long long)blocks_for(ladder.size) * BYTE_BINS);
  return bytes_end(&m);
}

/* Histogram 06: grid-stride loop over shared atomics
 *
 * Idea     two blocks of 256 threads a multiprocessor, each with bins of its own in shared
 *          memory for the whole run; one flush at the end
 * Cost     n adds in shared memory; in global memory 512 a multiprocessor whatever n is:
 *          67,584 on 132 of them
 * Shows    the flush made negligible, at any size, with one number to tune
 * Source   Sanders and Kandrot, CUDA by Example, ch. 9
 *
 * //! title: grid-stride loop, shared atomics
 * //! expect: right
 */
#include "../common/ladder_bytes.h"

__global__ void count_strided(const unsigned char *data, size_t n, unsigned int *bins) {
  __shared__ unsigned int own[BYTE_BINS];
  own[threadIdx.x] = 0;
  __syncthreads(); /* all 256 bins are zero */
  const size_t stride = blockDim.x * (size_t)gridDim.x;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride) {
    LADDER_STEP();
    LADDER_READ(1);
    LADDER_WORK(1);
    LADDER_SHARED_ATOMIC(1);
    atomicAdd(&own[data[i]], 1u);
  }
  __syncthreads(); /* the block's bytes are counted */
  LADDER_STEP();
  LADDER_WORK(1);
  LADDER_ATOMIC(1);
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

static unsigned int blocks(void) { return 2 * (unsigned int)ladder.processors; }

static void launch(const unsigned char *data, size_t n, unsigned int *bins) {
  count_strided<<<blocks(), BYTE_BINS>>>(data, n, bins);
}

int main(int argc, char **argv) {
  struct bytes_memory m;
  bytes_begin(argc, argv, __FILE__, &m);
  bytes_measure(&m, launch);
  bytes_adds("global_adds", (unsigned long long)blocks() * BYTE_BINS);
  return bytes_end(&m);
}

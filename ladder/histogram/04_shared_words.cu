/* Histogram 04: shared atomics, N words a thread
 *
 * Idea     as rung 03, but a block stays for N x 1,024 bytes before it flushes its bins
 * Cost     n adds in shared memory, n / (4 N) in global memory: for 100 MiB 3,276,800,
 *          819,200 and 204,800 with N = 8, 32 and 128
 * Shows    what the flush costs, and that N has an end: with 128 words a small input makes too
 *          few blocks to fill the machine
 * Source   the classic fourth version, 6.8 GB/s on a GTX 460
 *
 * //! title: shared atomics, 8, 32, 128 words a thread
 * //! expect: right
 */
#include "../common/ladder_bytes.h"

__global__ void count_many(const unsigned char *data, size_t n, unsigned int *bins, int words) {
  __shared__ unsigned int own[BYTE_BINS];
  own[threadIdx.x] = 0;
  __syncthreads(); /* all 256 bins are zero */
  const size_t first = blockIdx.x * (size_t)words * 1024;
  for (int w = 0; w < words; ++w) {
    const size_t i = first + 4 * (w * (size_t)blockDim.x + threadIdx.x);
    for (int k = 0; k < 4; ++k) LADDER_STEP();
    if (i + 4 <= n) {
      const unsigned int word = *(const unsigned int *)(data + i);
      LADDER_READ(1);
      for (int k = 0; k < 4; ++k) atomicAdd(&own[word >> 8 * k & 255], 1u);
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
  }
  __syncthreads(); /* the block's bytes are counted */
  LADDER_STEP();
  LADDER_WORK(1);
  LADDER_ATOMIC(1);
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

static int words_now; /* N of the launches to come */

static unsigned int blocks_for(size_t n) {
  const size_t bytes = 1024 * (size_t)words_now;
  return (unsigned int)((n + bytes - 1) / bytes);
}

static void launch(const unsigned char *data, size_t n, unsigned int *bins) {
  count_many<<<blocks_for(n), BYTE_BINS>>>(data, n, bins, words_now);
}

int main(int argc, char **argv) {
  static const int words[] = {8, 32, 128};
  static const char *const keys[] = {"global_adds_8", "global_adds_32", "global_adds_128"};
  static const char *const times[] = {"ms_8", "ms_32", "ms_128"};
  struct bytes_memory m;
  bytes_begin(argc, argv, __FILE__, &m);
  for (int k = 0; k < 3; ++k) {
    words_now = words[k];
    const unsigned long long adds = (unsigned long long)blocks_for(ladder.size) * BYTE_BINS;
    printf("%d words a thread\n", words_now);
    bytes_measure(&m, launch);
    bytes_adds(keys[k], adds);
    ladder_key_number(times[k], ladder_median(&ladder.kernel));
  }
  return bytes_end(&m);
}

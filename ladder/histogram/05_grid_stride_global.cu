/* Histogram 05: grid-stride loop over global atomics
 *
 * Idea     as many blocks as the machine holds, two a multiprocessor; each thread walks through
 *          the data in strides of the whole grid
 * Cost     n / threads steps, n adds, all of them atomics on global memory
 * Shows    that the shape of the launch alone helps little: the queues are those of rung 01
 * Source   the textbook's final kernel without shared memory
 *
 * //! title: grid-stride loop, global atomics
 * //! expect: right
 */
#include "../common/ladder_bytes.h"

__global__ void count_strided(const unsigned char *data, size_t n, unsigned int *bins) {
  const size_t stride = blockDim.x * (size_t)gridDim.x;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride) {
    LADDER_STEP();
    LADDER_READ(1);
    LADDER_WORK(1);
    LADDER_ATOMIC(1);
    atomicAdd(&bins[data[i]], 1u);
  }
}

static void launch(const unsigned char *data, size_t n, unsigned int *bins) {
  count_strided<<<2 * (unsigned int)ladder.processors, 256>>>(data, n, bins);
}

int main(int argc, char **argv) {
  struct bytes_memory m;
  bytes_begin(argc, argv, __FILE__, &m);
  bytes_measure(&m, launch);
  bytes_adds("global_adds", ladder.size);
  return bytes_end(&m);
}

// Vector addition by a grid of fixed size: every thread takes each 16,384th element.
//
//! title: 128 blocks of 128, grid-stride loop
//! expect: right
//
// Idea    for (i = my number; i < n; i += threads of the grid). The number of threads is the
//         machine's matter, the number of elements is the problem's; the loop joins them. Before
//         grids could have more than 65,535 blocks this was the only way past 8,388,480 elements.
// Cost    ceil(n/16384) steps, n additions.
// Shows   one launch shape for any length, and lanes of a warp still read neighbouring words in
//         every trip. 16,384 threads are few for a large GPU: see how blocks fill it in rung 26.
// Source  course topic: vector addition, arbitrarily long vectors; Harris, CUDA Pro Tip: Write
//         flexible kernels with grid-stride loops, NVIDIA 2013.
#include "../common/ladder.h"
#include "vector_add.h"

enum { BLOCKS = 128, THREADS = 128 };

__global__ void add(unsigned int *sum, const unsigned int *a, const unsigned int *b, size_t n) {
  const size_t threads = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
    LADDER_STEP();
    LADDER_READ(2);
    sum[i] = a[i] + b[i];
    LADDER_WORK(1);
    LADDER_WROTE(1);
  }
}

static void launch(unsigned int *sum, const unsigned int *a, const unsigned int *b,
                   unsigned int n) {
  add<<<BLOCKS, THREADS>>>(sum, a, b, n);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, COURSE_LENGTH, 1 << 26, 3 * sizeof(unsigned int));
  add_run(launch);
  return ladder_end();
}

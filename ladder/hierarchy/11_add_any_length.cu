// Vector addition of any length: one block too many, and a bounds check.
//
//! title: ceil(N/128) blocks of 128
//! expect: right
//
// Idea    (N + 127) / 128 is N/128 rounded up. The last block may stick out over the end, hence
//         "if (i >= n) return". It splits one warp at most, so it costs next to nothing
//         (divergence/11 counts it).
// Cost    1 step, n additions; ceil(n/128) blocks of 4 full warps.
// Shows   the form that most kernels begin with: any N, and neighbours read neighbouring words.
// Source  course topic: vector addition, any length.
#include "../common/ladder.h"
#include "vector_add.h"

enum { THREADS = 128 };

__global__ void add(unsigned int *sum, const unsigned int *a, const unsigned int *b,
                    unsigned int n) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  LADDER_STEP();
  if (i >= n) return;
  LADDER_READ(2);
  sum[i] = a[i] + b[i];
  LADDER_WORK(1);
  LADDER_WROTE(1);
}

static void launch(unsigned int *sum, const unsigned int *a, const unsigned int *b,
                   unsigned int n) {
  add<<<(n + THREADS - 1) / THREADS, THREADS>>>(sum, a, b, n);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, COURSE_LENGTH, 1 << 26, 3 * sizeof(unsigned int));
  add_run(launch);
  return ladder_end();
}

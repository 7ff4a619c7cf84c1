// BUG: no bounds check, and a length that is no multiple of the block.
//
//! title: BUG: no bounds check
//! expect: caught out-of-bounds
//
// Idea    ceil(1000/128) = 8 blocks are 1,024 threads for 1,000 elements. Without
//         "if (i >= n) return" threads 104 to 127 of block 7 write behind the array, into
//         whatever stands there.
// Cost    1 step, 1,024 additions, 24 of them out of bounds.
// Shows   the software device names address, allocation and thread and returns the error that a
//         GPU gives for an address outside all memory. A GPU itself often says nothing: its
//         memory comes in pieces of 2 MiB, and what lies behind the array is in the same piece.
// Source  course topic: vector addition, any length.
#include "../common/ladder.h"

enum { THREADS = 128 };

__global__ void add(unsigned int *sum, const unsigned int *a, const unsigned int *b) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  LADDER_WORK(1);
  sum[i] = a[i] + b[i]; // BUG: nobody asked whether i < n
}

int main(int argc, char **argv) {
  unsigned int *a, *b, *sum;
  ladder_begin(argc, argv, __FILE__, 1000, 1000, 3 * sizeof(unsigned int));
  // A full last block would hide it, and so would an allocation that is rounded up to 16 bytes.
  while (ladder.size % THREADS == 0 || ladder.size % THREADS > THREADS - 4) ++ladder.size;
  const size_t n = ladder.size, bytes = n * sizeof(unsigned int);
  CHECK(cudaMalloc((void **)&a, bytes));
  CHECK(cudaMalloc((void **)&b, bytes));
  CHECK(cudaMalloc((void **)&sum, bytes));
  CHECK(cudaMemset(a, 1, bytes));
  CHECK(cudaMemset(b, 2, bytes));
  ladder_start();
  add<<<(unsigned int)((n + THREADS - 1) / THREADS), THREADS>>>(sum, a, b);
  const cudaError_t error = ladder_stop();
  printf("%zu elements, %zu threads: %s\n", n, (n + THREADS - 1) / THREADS * THREADS,
         cudaGetErrorString(error));
  if (!ladder_caught_error("out of bounds", error))
    ladder_needs_check("out of bounds: this device let %zu threads write behind the array",
                       THREADS - n % THREADS);
  return ladder_end(); // the context is lost: nothing can be freed
}

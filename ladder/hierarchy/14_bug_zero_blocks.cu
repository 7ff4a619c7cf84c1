// BUG: N/128 blocks. With N = 127 that is zero blocks.
//
//! title: BUG: N/128 is rounded down
//! expect: caught launch error
//
// Idea    integer division rounds down: 127/128 = 0 blocks, and a grid of no blocks is an error.
//         200/128 = 1 block is worse, for it is none: 72 elements are silently left out.
//         The cure is rung 11's (N + 127) / 128 and the bounds check.
// Cost    no kernel runs at all.
// Shows   the error comes from cudaGetLastError() right behind the launch. Whoever forgets to
//         ask finds the array as it was.
// Source  course topic: vector addition, any length.
#include "../common/ladder.h"

__global__ void add_one(unsigned int *out, unsigned int n) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] += 1;
  LADDER_WORK(1);
}

static size_t untouched(unsigned int *device, unsigned int n) {
  unsigned int *got = (unsigned int *)ladder_host_memory(n * sizeof *got);
  size_t old = 0;
  CHECK(cudaMemcpy(got, device, n * sizeof *got, cudaMemcpyDeviceToHost));
  for (unsigned int i = 0; i < n; ++i) old += got[i] == 0;
  free(got);
  return old;
}

int main(int argc, char **argv) {
  unsigned int *device;
  ladder_begin(argc, argv, __FILE__, 127, 127, sizeof(unsigned int));
  const unsigned int n = (unsigned int)ladder.size;
  CHECK(cudaMalloc((void **)&device, n * sizeof *device));
  CHECK(cudaMemset(device, 0, n * sizeof *device));
  ladder_start();
  add_one<<<n / 128, 128>>>(device, n); // the bug
  const cudaError_t error = ladder_stop();
  const size_t old = untouched(device, n);
  printf("<<<%u, 128>>> for %u elements: %s, %zu elements untouched\n", n / 128, n,
         cudaGetErrorString(error), old);
  if (!ladder_caught_error("launch error", error) && old)
    ladder_caught("wrong result: %zu of %u elements untouched", old, n);
  CHECK(cudaFree(device));
  return ladder_end();
}

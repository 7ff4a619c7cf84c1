// BUG: the kernel gets the address of a host array.
//
//! title: BUG: a host array in a kernel
//! expect: caught host-pointer
//
// Idea    malloc's memory belongs to the host. A pointer is only a number; the compiler cannot
//         tell whose memory it names, so the slip comes out when the kernel runs.
// Cost    none worth counting.
// Shows   the software device names the pointer, the kernel and the thread, and gives the error
//         of a GPU (illegal address). The error is sticky: every later call gives it too. GPUs
//         whose driver maps the host's memory read it without a word; there the program is
//         merely slow, and breaks on the next machine.
// Source  course topic: whose memory; the cure is cudaMalloc and cudaMemcpy, or managed memory.
#include "../common/ladder.h"

__global__ void add(unsigned int *sum, const unsigned int *a, unsigned int n) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  LADDER_WORK(1);
  if (i < n) sum[i] = a[i] + 1; // BUG: a is the host's, see the launch
}

int main(int argc, char **argv) {
  unsigned int *sum;
  ladder_begin(argc, argv, __FILE__, 1000, 1000, sizeof(unsigned int));
  const unsigned int n = (unsigned int)ladder.size;
  unsigned int *a = (unsigned int *)ladder_host_memory(n * sizeof *a);
  for (unsigned int i = 0; i < n; ++i) a[i] = i;
  CHECK(cudaMalloc((void **)&sum, n * sizeof *sum));
  ladder_start();
  add<<<(n + 127) / 128, 128>>>(sum, a, n); // here it goes wrong
  const cudaError_t error = ladder_stop();
  printf("a host array in a kernel: %s\n", cudaGetErrorString(error));
  if (error != cudaSuccess)
    printf("the next call: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  if (!ladder_caught_error("host pointer", error))
    ladder_needs_check("host pointer: this device reads the host's memory");
  free(a);
  return ladder_end();
}

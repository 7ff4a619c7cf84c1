/* Calls a function of another file, on the device. */
#include "device/sum.h"
#include <cuda_runtime.h>
__global__ void add(int *to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(to, weigh(i));
}
int sum_weighed(int n) {
  int *to, sum = -1;
  cudaMalloc(&to, sizeof *to);
  cudaMemset(to, 0, sizeof *to);
  add<<<(n + 63) / 64, 64>>>(to, n);
  cudaMemcpy(&sum, to, sizeof sum, cudaMemcpyDeviceToHost);
  cudaFree(to);
  return sum;
}

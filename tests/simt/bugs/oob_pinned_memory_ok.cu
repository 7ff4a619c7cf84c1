// find: nothing
// oob_pinned_memory.cu without its bug, which is: host memory from cudaMallocHost, overrun by the
// kernel.
#include <cstdio>

__global__ void count_up(int *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = i;
}

int main() {
  int *x;
  cudaMallocHost(&x, 1000 * sizeof(int));
  count_up<<<10, 100>>>(x);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFreeHost(x);
}

// find: out-of-bounds
// Host memory from cudaMallocHost, overrun by the kernel.
#include <cstdio>

__global__ void count_up(int *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = i; // BUG
}

int main() {
  int *x;
  cudaMallocHost(&x, 1000 * sizeof(int));
#ifdef FIXED
  count_up<<<10, 100>>>(x);
#else
  count_up<<<8, 128>>>(x);
#endif
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFreeHost(x);
}

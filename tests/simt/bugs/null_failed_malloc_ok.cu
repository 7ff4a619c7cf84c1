// find: nothing
// null_failed_malloc.cu without its bug, which is: cudaMalloc of 512 TiB fails, nobody looks, and
// the kernel gets the null pointer.
#include <cstdio>

__global__ void fill(float *x, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1;
}

int main() {
  const size_t n = (size_t)1 << 17;
  float *x = nullptr;
  cudaMalloc(&x, n * sizeof(float));
  fill<<<64, 256>>>(x, n);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(e));
  cudaFree(x);
}

// find: null-pointer
// find: unchecked-error
// cudaMalloc of 512 TiB fails, nobody looks, and the kernel gets the null pointer.
#include <cstdio>

__global__ void fill(float *x, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1; // BUG
}

int main() {
#ifdef FIXED
  const size_t n = (size_t)1 << 17;
#else
  const size_t n = (size_t)1 << 47;
#endif
  float *x = nullptr;
  cudaMalloc(&x, n * sizeof(float)); // BUG 2
  fill<<<64, 256>>>(x, n);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(e));
#ifdef FIXED
  cudaFree(x);
#endif
}

// find: uninitialised shared
// One kernel fills shared memory, the next expects it there.
#include <cstdio>

__global__ void prepare(int k) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x * k;
}

#ifdef FIXED
__global__ void use(int *out, int k) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x * k;
  __syncthreads();
#else
__global__ void use(int *out) {
  extern __shared__ int s[];
#endif
  out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x]; // BUG
}

int main() {
  int *out;
  cudaMalloc(&out, 64 * sizeof(int));
  prepare<<<1, 64, 64 * sizeof(int)>>>(5);
#ifdef FIXED
  use<<<1, 64, 64 * sizeof(int)>>>(out, 5);
#else
  use<<<1, 64, 64 * sizeof(int)>>>(out);
#endif
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(out);
}

// find: nothing
// uninit_shared_of_last_kernel.cu without its bug, which is: one kernel fills shared memory, the
// next expects it there.
#include <cstdio>

__global__ void prepare(int k) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x * k;
}

__global__ void use(int *out, int k) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x * k;
  __syncthreads();
  out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

int main() {
  int *out;
  cudaMalloc(&out, 64 * sizeof(int));
  prepare<<<1, 64, 64 * sizeof(int)>>>(5);
  use<<<1, 64, 64 * sizeof(int)>>>(out, 5);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(out);
}

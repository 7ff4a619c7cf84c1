// A write far outside of all shared memory.
// expect: status nonzero, stderr "outside"
#include <cstdio>

__global__ void outside(int *out, int at) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  s[at + threadIdx.x] = 1;
  out[threadIdx.x] = s[threadIdx.x];
}

int main() {
  int *p;
  cudaMalloc(&p, 128);
  outside<<<1, 32, 128>>>(p, 100 << 20);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(e));
  return e != cudaSuccess;
}

// A barrier that half of the block walks round while the others wait: a report and status 3, no hang.
// expect: status 3, stderr "diverge"
#include <cstdio>

__global__ void half(int *p) {
  p[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 32) {
    __syncthreads();
    p[threadIdx.x] += p[63 - threadIdx.x];
  }
  p[threadIdx.x] *= 2;
}

int main() {
  int *p;
  cudaMalloc(&p, 64 * sizeof(int));
  half<<<1, 64>>>(p);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(e));
  cudaFree(p);
  return 0;
}

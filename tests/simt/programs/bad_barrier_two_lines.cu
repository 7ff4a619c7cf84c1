// Two halves of the block wait at two different barriers: reported, released, status 3.
// expect: status 3, stderr "diverge"
#include <cstdio>

__global__ void split(int *p) {
  if (threadIdx.x % 2) {
    p[threadIdx.x] = 1;
    __syncthreads();
  } else {
    p[threadIdx.x] = 2;
    __syncthreads();
  }
}

int main() {
  int *p;
  cudaMalloc(&p, 64 * sizeof(int));
  split<<<1, 64>>>(p);
  cudaDeviceSynchronize();
  cudaFree(p);
  return 0;
}

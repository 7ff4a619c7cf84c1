// A kernel uses memory that was freed.
// expect: status nonzero, stderr "late"
#include <cstdio>

__global__ void late(int *p) { p[threadIdx.x] = 1; }

int main() {
  int *p;
  cudaMalloc(&p, 1 << 20);
  cudaFree(p);
  late<<<1, 32>>>(p);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(e));
  return e != cudaSuccess;
}

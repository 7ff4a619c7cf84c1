// Launch errors that need the kernel's own figures: static plus dynamic shared memory, launch bounds.
// expect: pass
#include <cstdio>

__global__ void much_shared(float *p) {
  __shared__ float big[12000];
  big[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) *p = big[0];
}
__global__ void __launch_bounds__(256) bounded(int *p) { p[threadIdx.x] = 1; }

int main() {
  int *p, bad = 0;
  cudaMalloc(&p, 4096);
  much_shared<<<1, 32, 8192>>>((float *)p);
  cudaError_t e = cudaGetLastError();
  printf("56 KB of static and dynamic shared memory: %s\n", cudaGetErrorName(e));
  bad += e == cudaSuccess;
  much_shared<<<1, 32, 1024>>>((float *)p);
  bad += cudaGetLastError() != cudaSuccess;
  bounded<<<1, 512>>>(p);
  e = cudaGetLastError();
  printf("512 threads where 256 are the bound: %s\n", cudaGetErrorName(e));
  bad += e == cudaSuccess;
  bounded<<<1, 256>>>(p);
  bad += cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess;
  cudaFuncAttributes a;
  bad += cudaFuncGetAttributes(&a, bounded) != cudaSuccess || a.maxThreadsPerBlock > 1024;
  bad += cudaFuncGetAttributes(&a, much_shared) != cudaSuccess || a.sharedSizeBytes != 48000;
  puts(bad ? "FAILED" : "PASSED");
  cudaFree(p);
  return bad;
}

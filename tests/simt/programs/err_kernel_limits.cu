// Launch errors that need the kernel's own figures: static plus dynamic shared memory, launch bounds; reset of symbols.
// expect: pass
#include <cstdio>

__device__ int symbol = 7;

__global__ void much_shared(float *p) {
  __shared__ float big[12000];
  big[threadIdx.x] = threadIdx.x;
  __syncthreads();
  *p = big[0];
}
__global__ void __launch_bounds__(256) bounded(int *p) { p[threadIdx.x] = 1; }
__global__ void change() { symbol = 100; }

int main() {
  int *p, s = 0, bad = 0;
  cudaMalloc(&p, 4096);
  much_shared<<<1, 32, 8192>>>((float *)p);
  cudaError_t e = cudaGetLastError();
  printf("56 KB of static and dynamic shared memory: %s\n", cudaGetErrorName(e));
  bad += e == cudaSuccess;
  bounded<<<1, 512>>>(p);
  e = cudaGetLastError();
  printf("512 threads where 256 are the bound: %s\n", cudaGetErrorName(e));
  bad += e == cudaSuccess;
  change<<<1, 1>>>();
  cudaDeviceReset();
  cudaMemcpyFromSymbol(&s, symbol, sizeof s);
  printf("a variable after a reset: %d\n", s);
  bad += s != 7;
  puts(bad ? "FAILED" : "PASSED");
  return bad;
}

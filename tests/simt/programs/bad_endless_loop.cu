// A loop without end and without memory access, which comes back to where it was.
// expect: status 1, stderr "endless", stdout "cudaErrorLaunchTimeout"
// env: SIMT_TIMEOUT=0.3
#include <cstdio>

__global__ void endless(unsigned *out, unsigned step) {
  unsigned i = 1;
  while (i < 100) i = i % 7 + step;
  *out = i;
}

int main() {
  unsigned *p;
  cudaMalloc(&p, sizeof *p);
  endless<<<1, 1>>>(p, 1);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(e));
  return e != cudaSuccess;
}

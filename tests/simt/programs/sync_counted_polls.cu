// A thread that counts how often it has looked at a flag still lets the others run.
// expect: pass
#include <cstdio>

__global__ void look(volatile int *flag, unsigned *looks) {
  if (threadIdx.x == 0) {
    unsigned n = 0;
    while (*flag == 0) n++;
    *looks = n;
  }
  if (threadIdx.x == 31) *flag = 1;
}

__global__ void across(volatile int *flag, unsigned *looks) {
  unsigned n = 0;
  if (blockIdx.x == 0) {
    while (*flag == 0) n++;
    *looks = n;
  } else {
    *flag = 1;
  }
}

int main() {
  int *flag;
  unsigned *looks;
  cudaMalloc(&flag, sizeof *flag);
  cudaMalloc(&looks, sizeof *looks);
  cudaMemset(flag, 0, sizeof *flag);
  look<<<1, 32>>>(flag, looks);
  cudaMemset(flag, 0, sizeof *flag);
  across<<<2, 1>>>(flag, looks);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n%s\n", cudaGetErrorString(e), e ? "FAILED" : "PASSED");
  cudaFree(flag);
  cudaFree(looks);
  return e != cudaSuccess;
}

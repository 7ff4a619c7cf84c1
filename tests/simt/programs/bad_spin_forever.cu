// A kernel that waits for a flag that nobody sets meets the watchdog.
// expect: status 1, stderr "spin"
// env: SIMT_TIMEOUT=0.3
#include <cstdio>

__global__ void spin(volatile int *flag) {
  while (*flag == 0)
    ;
}

int main() {
  int *flag;
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  spin<<<1, 32>>>(flag);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(e));
  return e != cudaSuccess;
}

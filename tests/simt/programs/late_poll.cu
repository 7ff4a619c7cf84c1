// A kernel that nobody ever lets go, while the host asks again and again: it meets the watchdog.
// expect: output "PASSED", stderr "watchdog: kernel spin"
// env: SIMT_THREADS=2 SIMT_TIMEOUT=0.3
#include <cstdio>

__global__ void spin(volatile int *flag) {
  while (*flag == 0)
    ;
}

int main() {
  int *flag;
  cudaMalloc(&flag, sizeof *flag);
  cudaMemset(flag, 0, sizeof *flag);
  spin<<<1, 1>>>(flag);
  cudaError_t error;
  int asked = 0;
  while ((error = cudaStreamQuery(0)) == cudaErrorNotReady) asked = 1;
  puts(asked && error == cudaErrorLaunchTimeout ? "PASSED" : "FAILED");
  return 0;
}

// __trap() ends the grid with an error that the host sees.
// expect: output "PASSED"
#include <cstdio>

__global__ void stop(const int *flag) {
  if (*flag && threadIdx.x == 3) __trap();
}

int main() {
  int *f;
  cudaMalloc(&f, sizeof(int));
  cudaMemset(f, 0, sizeof(int));
  stop<<<1, 32>>>(f);
  cudaError_t a = cudaDeviceSynchronize();
  cudaMemset(f, 1, sizeof(int));
  stop<<<1, 32>>>(f);
  cudaError_t b = cudaDeviceSynchronize();
  printf("%s, then %s\n", cudaGetErrorName(a), cudaGetErrorName(b));
  puts(a == cudaSuccess && b != cudaSuccess ? "PASSED" : "FAILED");
  return 0;
}

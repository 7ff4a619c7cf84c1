// A byte-order mark, UTF-8 in comments and strings, CRLF, no newline at the end.
// expect: pass, stdout "Größe 64 ✓"
// clang-format off
#include <stdio.h>
__global__ void psi(int *p) { p[threadIdx.x] = 1; } // 核函数 <<<1,1>>>
int main() {
  int *p, Σ = 0;
  cudaMallocManaged(&p, 256);
  psi<<<1, 64>>>(p);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; i++) Σ += p[i];
  printf("Größe %d ✓\n%s\n", Σ, Σ == 64 ? "PASSED" : "FAILED");
  cudaFree(p);
  return Σ != 64;
}
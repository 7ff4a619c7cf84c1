// Launch errors and their codes: too many threads, too large grids, too much shared memory; later launches work.
// expect: pass
#include <cstdio>

__global__ void k(int *p) { atomicAdd(p, 1); }
static int bad = 0;
static void expect(const char *what, cudaError_t want) {
  cudaError_t peek = cudaPeekAtLastError(), got = cudaGetLastError(), after = cudaGetLastError();
  // Newer runtimes say "invalid argument" where older ones say "invalid configuration argument".
  if (want == cudaErrorInvalidConfiguration && got == cudaErrorInvalidValue) want = got;
  if (got != want || peek != want || after != cudaSuccess) {
    printf("%s: %s, not %s\n", what, cudaGetErrorName(got), cudaGetErrorName(want));
    ++bad;
  }
}

int main() {
  int *p, h = 0;
  cudaMalloc(&p, sizeof(int));
  cudaMemset(p, 0, sizeof(int));
  k<<<1, 1025>>>(p);
  expect("1025 threads", cudaErrorInvalidConfiguration);
  k<<<1, dim3(33, 32)>>>(p);
  expect("33 x 32 threads", cudaErrorInvalidConfiguration);
  k<<<1, dim3(1, 1, 65)>>>(p);
  expect("65 threads along z", cudaErrorInvalidConfiguration);
  k<<<dim3(1, 65536), 1>>>(p);
  expect("65536 blocks along y", cudaErrorInvalidConfiguration);
  k<<<dim3(1, 1, 70000), 1>>>(p);
  expect("70000 blocks along z", cudaErrorInvalidConfiguration);
  k<<<0, 1>>>(p);
  expect("no blocks", cudaErrorInvalidConfiguration);
  k<<<1, 1, 49 * 1024>>>(p);
  expect("49 KB dynamic", cudaErrorInvalidValue);
  k<<<1, 1, 0, 0>>>(p);
  expect("a good one", cudaSuccess);
  cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost);
  if (h != 1) bad++, printf("%d launches ran\n", h);
  printf("%s | %s\n", cudaGetErrorString(cudaErrorInvalidConfiguration),
         cudaGetErrorString(cudaErrorMemoryAllocation));
  printf(bad ? "FAILED\n" : "PASSED\n");
  cudaFree(p);
  return bad;
}

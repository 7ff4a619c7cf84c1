// Out of memory, invalid frees, wrong copy directions, wrong devices, symbols too small.
// expect: pass
#include <cstdio>
#include <cstdlib>

__device__ int small_symbol[4];

static int bad = 0, line_ = 0;
static void want(cudaError_t got, cudaError_t expected, const char *what, int line) {
  if (got != expected) {
    printf("line %d: %s: %s, not %s\n", line, what, cudaGetErrorName(got),
           cudaGetErrorName(expected));
    bad++;
  }
  line_ = line;
}
#define WANT(x, code) want((x), (code), #x, __LINE__)

int main() {
  void *p = NULL, *q = NULL;
  int h[16] = {0}, on_stack;
  cudaDeviceProp prop;
  WANT(cudaMalloc(&p, (size_t)1 << 50), cudaErrorMemoryAllocation);
  WANT(cudaGetLastError(), cudaErrorMemoryAllocation);
  WANT(cudaGetLastError(), cudaSuccess);
  WANT(cudaMalloc(&p, 64), cudaSuccess);
  WANT(cudaMalloc(NULL, 64), cudaErrorInvalidValue);
  WANT(cudaFree(&on_stack), cudaErrorInvalidValue);
  WANT(cudaFree(p), cudaSuccess);
  WANT(cudaFree(p), cudaErrorInvalidValue);
  WANT(cudaMalloc(&p, 64), cudaSuccess);
  WANT(cudaMemcpy(p, h, sizeof h, (cudaMemcpyKind)77), cudaErrorInvalidMemcpyDirection);
  WANT(cudaMemcpy(p, h, 1 << 20, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  WANT(cudaMemset(p, 0, 1 << 20), cudaErrorInvalidValue);
  WANT(cudaMemcpy(p, h, 64, cudaMemcpyHostToDevice), cudaSuccess);
  WANT(cudaMemcpyToSymbol(small_symbol, h, sizeof h), cudaErrorInvalidValue);
  WANT(cudaMemcpyToSymbol(small_symbol, h, 16), cudaSuccess);
  WANT(cudaSetDevice(1000), cudaErrorInvalidDevice);
  WANT(cudaSetDevice(-1), cudaErrorInvalidDevice);
  WANT(cudaGetDeviceProperties(&prop, 1000), cudaErrorInvalidDevice);
  WANT(cudaMallocHost(&q, 128), cudaSuccess);
  WANT(cudaFree(q), cudaErrorInvalidValue);
  WANT(cudaFreeHost(q), cudaSuccess);
  cudaGetLastError();
  WANT(cudaDeviceSynchronize(), cudaSuccess);
  WANT(cudaFree(p), cudaSuccess);
  printf("%s\n", bad ? "FAILED" : "PASSED");
  return bad;
}

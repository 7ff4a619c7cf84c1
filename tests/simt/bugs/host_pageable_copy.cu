// find: race read/write host
//
// An asynchronous copy into ordinary memory: nothing says that it has arrived.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__global__ void fill(int *out, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value + i;
}

int main() {
  int *a, h[100] = {0};
  cudaStream_t s;
  check(cudaStreamCreate(&s));
  check(cudaMalloc(&a, 400));
  fill<<<1, 128, 0, s>>>(a, 100, 1);
  check(cudaGetLastError());
  check(cudaMemcpyAsync(h, a, 400, cudaMemcpyDeviceToHost, s)); // BUG
#ifdef FIXED
  check(cudaStreamSynchronize(s));
#endif
  printf("%d\n", h[99]); // BUG
  check(cudaStreamSynchronize(s));
  printf("%d\n", h[98]);
  check(cudaFree(a));
  check(cudaStreamDestroy(s));
}

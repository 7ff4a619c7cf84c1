// find: leak
//
// An allocation of a stream that is never freed.
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
  cudaStream_t s;
  int *a, h[100];
  check(cudaStreamCreate(&s));
  check(cudaMallocAsync(&a, 400, s)); // BUG
  fill<<<1, 128, 0, s>>>(a, 100, 1);
  check(cudaGetLastError());
  check(cudaMemcpyAsync(h, a, 400, cudaMemcpyDeviceToHost, s));
#ifdef FIXED
  check(cudaFreeAsync(a, s));
#endif
  check(cudaStreamSynchronize(s));
  printf("%d\n", h[99]);
  check(cudaStreamDestroy(s));
}

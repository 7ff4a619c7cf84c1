// find: race read/write host
//
// The host waits for another stream than the one that fills.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__global__ void fill(int *out, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value + i; // BUG
}

int main() {
  int *a;
  cudaStream_t s, t;
  check(cudaStreamCreate(&s));
  check(cudaStreamCreate(&t));
  check(cudaMallocManaged(&a, 400));
  fill<<<1, 128, 0, s>>>(a, 100, 1);
  check(cudaGetLastError());
#ifdef FIXED
  check(cudaStreamSynchronize(s));
#else
  check(cudaStreamSynchronize(t));
#endif
  printf("%d\n", a[99]); // BUG
  check(cudaDeviceSynchronize());
  check(cudaFree(a));
  check(cudaStreamDestroy(s));
  check(cudaStreamDestroy(t));
}

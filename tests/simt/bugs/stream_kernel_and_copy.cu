// find: race streams
//
// The result is copied back in another stream.
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
  int *a, *h;
  cudaStream_t s, t;
  check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  check(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  check(cudaMalloc(&a, 400));
  check(cudaMallocHost(&h, 400));
  fill<<<1, 128, 0, s>>>(a, 100, 1);
  check(cudaGetLastError());
#ifdef FIXED
  check(cudaMemcpyAsync(h, a, 400, cudaMemcpyDeviceToHost, s));
#else
  check(cudaMemcpyAsync(h, a, 400, cudaMemcpyDeviceToHost, t)); // BUG
#endif
  check(cudaDeviceSynchronize());
  printf("%d\n", h[99]);
  check(cudaFree(a));
  check(cudaFreeHost(h));
  check(cudaStreamDestroy(s));
  check(cudaStreamDestroy(t));
}

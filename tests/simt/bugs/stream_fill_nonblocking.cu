// find: race streams
//
// cudaMemset of device memory does not wait, and the stream is non-blocking.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__global__ void add_one(int *data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1; // BUG
}

int main() {
  int *a, h[100];
  cudaStream_t s;
  check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  check(cudaMalloc(&a, 400));
#ifdef FIXED
  check(cudaMemsetAsync(a, 0, 400, s));
#else
  check(cudaMemset(a, 0, 400)); // BUG
#endif
  add_one<<<1, 128, 0, s>>>(a, 100);
  check(cudaGetLastError());
  check(cudaStreamSynchronize(s));
  check(cudaMemcpy(h, a, 400, cudaMemcpyDeviceToHost));
  printf("%d\n", h[99]);
  check(cudaFree(a));
  check(cudaStreamDestroy(s));
}

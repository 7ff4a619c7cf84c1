// find: race read/write host
//
// The event is recorded before the copy that it should stand for.
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
  int *a, *h;
  cudaStream_t s;
  cudaEvent_t e;
  check(cudaStreamCreate(&s));
  check(cudaEventCreate(&e));
  check(cudaMalloc(&a, 400));
  check(cudaMallocHost(&h, 400));
  fill<<<1, 128, 0, s>>>(a, 100, 1);
  check(cudaGetLastError());
#ifdef FIXED
  check(cudaMemcpyAsync(h, a, 400, cudaMemcpyDeviceToHost, s));
#endif
  check(cudaEventRecord(e, s));
#ifndef FIXED
  check(cudaMemcpyAsync(h, a, 400, cudaMemcpyDeviceToHost, s)); // BUG
#endif
  check(cudaEventSynchronize(e));
  printf("%d\n", h[99]); // BUG
  check(cudaStreamSynchronize(s));
  check(cudaFree(a));
  check(cudaFreeHost(h));
  check(cudaEventDestroy(e));
  check(cudaStreamDestroy(s));
}

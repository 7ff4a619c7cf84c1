// find: race streams
//
// The stream waits for the event before it is recorded: for nothing.
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

__global__ void add_one(int *data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1; // BUG
}

int main() {
  int *a, h[100];
  cudaStream_t s, t;
  cudaEvent_t e;
  check(cudaStreamCreate(&s));
  check(cudaStreamCreate(&t));
  check(cudaEventCreate(&e));
  check(cudaMalloc(&a, 400));
  fill<<<1, 128, 0, s>>>(a, 100, 1);
  check(cudaGetLastError());
#ifdef FIXED
  check(cudaEventRecord(e, s));
#endif
  check(cudaStreamWaitEvent(t, e, 0));
#ifndef FIXED
  check(cudaEventRecord(e, s));
#endif
  add_one<<<1, 128, 0, t>>>(a, 100);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  check(cudaMemcpy(h, a, 400, cudaMemcpyDeviceToHost));
  printf("%d\n", h[99]);
  check(cudaFree(a));
  check(cudaEventDestroy(e));
  if (s) check(cudaStreamDestroy(s));
  if (t) check(cudaStreamDestroy(t));
}

// find: race streams
//
// The input is copied in one stream, the kernel runs in another.
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
  int *a, *h;
  cudaStream_t s, t;
  check(cudaStreamCreate(&s));
  check(cudaStreamCreate(&t));
  check(cudaMalloc(&a, 400));
  check(cudaMallocHost(&h, 400));
  for (int i = 0; i < 100; ++i) h[i] = i;
  check(cudaMemcpyAsync(a, h, 400, cudaMemcpyHostToDevice, s)); // BUG
#ifdef FIXED
  add_one<<<1, 128, 0, s>>>(a, 100);
#else
  add_one<<<1, 128, 0, t>>>(a, 100);
#endif
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  check(cudaFree(a));
  check(cudaFreeHost(h));
  check(cudaStreamDestroy(s));
  check(cudaStreamDestroy(t));
}

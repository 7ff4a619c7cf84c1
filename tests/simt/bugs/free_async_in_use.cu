// find: race streams
//
// Freed in one stream while a kernel of another may still write: no event between the two.
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
  cudaStream_t s, t;
  cudaEvent_t filled;
  int *a;
  check(cudaStreamCreate(&s));
  check(cudaStreamCreate(&t));
  check(cudaEventCreate(&filled));
  check(cudaMallocAsync(&a, 400, s));
  fill<<<1, 128, 0, s>>>(a, 100, 1);
  check(cudaGetLastError());
  check(cudaEventRecord(filled, s));
#ifdef FIXED
  check(cudaStreamWaitEvent(t, filled, 0));
#endif
  check(cudaFreeAsync(a, t)); // BUG
  check(cudaDeviceSynchronize());
  check(cudaEventDestroy(filled));
  check(cudaStreamDestroy(s));
  check(cudaStreamDestroy(t));
}

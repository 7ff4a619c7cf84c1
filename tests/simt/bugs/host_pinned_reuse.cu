// find: race read/write host
//
// A pinned buffer is filled again while its copy may still read it.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__global__ void add_one(int *data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1;
}

int main() {
  int *a, *h;
  cudaStream_t s;
  check(cudaStreamCreate(&s));
  check(cudaMalloc(&a, 400));
  check(cudaMallocHost(&h, 400));
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 100; ++i) h[i] = i * round;               // BUG
    check(cudaMemcpyAsync(a, h, 400, cudaMemcpyHostToDevice, s)); // BUG
    add_one<<<1, 128, 0, s>>>(a, 100);
    check(cudaGetLastError());
#ifdef FIXED
    check(cudaStreamSynchronize(s));
#endif
  }
  check(cudaStreamSynchronize(s));
  check(cudaFree(a));
  check(cudaFreeHost(h));
  check(cudaStreamDestroy(s));
}

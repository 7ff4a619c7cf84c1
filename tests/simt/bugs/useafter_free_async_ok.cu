// find: nothing
// useafter_free_async.cu without its bug, which is: cudaFreeAsync stands before the last kernel of
// the same stream.
#include <cstdio>

__global__ void add(float *x, float v) { x[blockIdx.x * blockDim.x + threadIdx.x] += v; }

int main() {
  const int n = 512;
  float *x;
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaMallocAsync(&x, n * sizeof(float), s);
  cudaMemsetAsync(x, 0, n * sizeof(float), s);
  add<<<4, 128, 0, s>>>(x, 1);
  add<<<4, 128, 0, s>>>(x, 2);
  cudaFreeAsync(x, s);
  printf("%s\n", cudaGetErrorString(cudaStreamSynchronize(s)));
  cudaStreamDestroy(s);
}

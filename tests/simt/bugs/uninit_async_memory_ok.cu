// find: nothing
// uninit_async_memory.cu without its bug, which is: memory of a pool, used before it is filled.
#include <cstdio>

__global__ void halve(float *x) { x[threadIdx.x] *= 0.5f; }

int main() {
  cudaStream_t s;
  float *x;
  cudaStreamCreate(&s);
  cudaMallocAsync(&x, 128 * sizeof(float), s);
  cudaMemsetAsync(x, 0, 128 * sizeof(float), s);
  halve<<<1, 128, 0, s>>>(x);
  cudaFreeAsync(x, s);
  printf("%s\n", cudaGetErrorString(cudaStreamSynchronize(s)));
  cudaStreamDestroy(s);
}

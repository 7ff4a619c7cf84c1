// find: race global
// counter++ by all threads of all blocks.
// Fixed: A counter by atomicAdd.
#include <cstdio>

__device__ unsigned int counter;

__global__ void count(const int *v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && v[i] % 5 == 0) {
#ifdef FIXED
    atomicAdd(&counter, 1u);
#else
    counter++; // BUG
#endif
  }
}

int main() {
  const int n = 200;
  int *v;
  cudaMallocManaged(&v, n * sizeof(int));
  for (int i = 0; i < n; ++i) v[i] = i;
  count<<<2, 128>>>(v, n);
  unsigned int total = 0;
  cudaMemcpyFromSymbol(&total, counter, sizeof total);
  std::printf("%u of %d: %s\n", total, n, cudaGetErrorString(cudaGetLastError()));
  cudaFree(v);
  return 0;
}

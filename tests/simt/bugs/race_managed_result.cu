// find: race global write/write blocks
// The threads that find the key write its place; several may.
// Fixed: The first place is found by atomicMin.
#include <cstdio>

__managed__ int place = 1 << 30;

__global__ void find(const int *v, int n, int key) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && v[i] == key) {
#ifdef FIXED
    atomicMin(&place, i);
#else
    place = i; // BUG
#endif
  }
}

int main() {
  int *v;
  cudaMallocManaged(&v, 256 * sizeof(int));
  for (int i = 0; i < 256; ++i) v[i] = i % 100;
  find<<<4, 64>>>(v, 256, 42);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::printf("%d\n", place);
  cudaFree(v);
}

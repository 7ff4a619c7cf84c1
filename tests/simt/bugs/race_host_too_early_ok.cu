// find: nothing
// The host reads managed memory behind cudaDeviceSynchronize.
#include <cstdio>

__global__ void triple(int *v) { v[threadIdx.x] = v[threadIdx.x] * 3; }

int main() {
  int *v, sum = 0;
  cudaMallocManaged(&v, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i) v[i] = i;
  triple<<<1, 32>>>(v);
  if (cudaGetLastError() != cudaSuccess) return 1;
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; ++i) sum += v[i];
  std::printf("%d\n", sum);
  cudaFree(v);
}

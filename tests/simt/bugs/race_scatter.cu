// find: race global write/write blocks
// A scatter by a map in which two indices are the same.
// Fixed: A scatter by a permutation, which no checker can know beforehand.
#include <cstdio>
#include <vector>

__global__ void scatter(const int *map, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[map[i]] = i; // BUG
}

int main() {
  const int n = 128;
  std::vector<int> map(n);
  for (int i = 0; i < n; ++i) map[i] = (i * 37 + 11) % n;
#ifndef FIXED
  map[100] = map[3];
#endif
  int *d_map, *out;
  cudaMalloc(&d_map, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(out, 0, n * sizeof(int));
  cudaMemcpy(d_map, map.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  scatter<<<4, 32>>>(d_map, out, n);
  cudaMemcpy(map.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", map[11], cudaGetErrorString(cudaGetLastError()));
  cudaFree(d_map);
  cudaFree(out);
}

// find: race global read/write blocks
// Connected components: labels are read and lowered in the same array without atomics.
// Fixed: Connected components: a round reads the labels of the last one and writes a second
// array.
#include <cstdio>
#include <utility>

__global__ void propagate(int *label, int *next, int n) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  const int best = min(label[v], min(label[(v + 2) % n], label[(v + n - 2) % n])); // BUG
#ifndef FIXED
  label[v] = best; // BUG
#endif
  next[v] = best;
}

int main() {
  const int n = 96;
  int *label, *next;
  cudaMallocManaged(&label, n * sizeof(int));
  cudaMallocManaged(&next, n * sizeof(int));
  for (int v = 0; v < n; ++v) label[v] = next[v] = v;
  for (int round = 0; round < n / 4; ++round) {
    propagate<<<3, 32>>>(label, next, n);
    if (cudaGetLastError() != cudaSuccess) return 1;
    std::swap(label, next);
  }
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::printf("%d %d\n", label[n - 2], label[n - 1]);
  cudaFree(label);
  cudaFree(next);
}

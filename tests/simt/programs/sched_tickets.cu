// Every thread takes its tickets; on one OS thread in the same order each time.
// expect: pass
#include <cstdio>
#include <vector>

// Some threads compute for about as long as the scheduler's clock takes to strike.
__global__ void tickets(int *next, int *order, unsigned *sink) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = i;
  for (int turn = 0; turn < 3; turn++) {
    int n = i % 11 == 5 ? 2000000 + i % 5 * 900000 : 1000;
    for (int k = 0; k < n; k++) x = x * 1664525u + 1013904223u;
    order[atomicAdd(next, 1)] = i;
    __syncwarp();
  }
  sink[i] = x;
}

int main() {
  const int n = 256;
  int *next, *order, bad = 0;
  unsigned *sink;
  cudaMallocManaged(&next, sizeof *next);
  cudaMallocManaged(&order, 3 * n * sizeof *order);
  cudaMallocManaged(&sink, n * sizeof *sink);
  *next = 0;
  tickets<<<4, 64>>>(next, order, sink);
  bad += cudaDeviceSynchronize() != cudaSuccess || *next != 3 * n;
  std::vector<int> seen(n);
  unsigned long long hash = 1;
  for (int i = 0; i < 3 * n; i++) {
    if (order[i] >= 0 && order[i] < n) seen[order[i]]++;
    hash = (hash ^ order[i]) * 0x9E3779B97F4A7C15ull;
    hash ^= hash >> 31;
  }
  for (int i = 0; i < n; i++) bad += seen[i] != 3;
  printf("%s, order %llx\n", bad ? "FAILED" : "PASSED", hash);
  cudaFree(next), cudaFree(order), cudaFree(sink);
  return bad != 0;
}

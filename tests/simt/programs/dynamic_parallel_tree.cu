// Kernels that launch kernels: nested printing order aside, counts are checked; recursion to a depth, child blocks.
// expect: pass
// flags: -rdc=true
#include <cstdio>
#include <cstdlib>

__device__ int launches;
__device__ int leaves[64];

__global__ void child(int base) { atomicAdd(&leaves[(base + threadIdx.x) % 64], 1); }

__global__ void parent(int depth, int max_depth) {
  if (threadIdx.x == 0) {
    atomicAdd(&launches, 1);
    if (depth < max_depth)
      parent<<<gridDim.x * 2, blockDim.x>>>(depth + 1, max_depth);
    else
      child<<<2, 32>>>(blockIdx.x);
  }
}

__global__ void mandel_like(int *map, int w, int x0, int y0, int size, int level) {
  if (size <= 4 || level == 3) {
    for (int y = 0; y < size; ++y)
      for (int x = 0; x < size; ++x) atomicAdd(&map[(y0 + y) * w + x0 + x], level);
    return;
  }
  int half = size / 2;
  mandel_like<<<1, 1>>>(map, w, x0, y0, half, level + 1);
  mandel_like<<<1, 1>>>(map, w, x0 + half, y0, half, level + 1);
  mandel_like<<<1, 1>>>(map, w, x0, y0 + half, half, level + 1);
  mandel_like<<<1, 1>>>(map, w, x0 + half, y0 + half, half, level + 1);
}

int main() {
  parent<<<1, 8>>>(0, 2);
  cudaError_t e = cudaDeviceSynchronize();
  int n, l[64], total = 0;
  cudaMemcpyFromSymbol(&n, launches, sizeof n);
  cudaMemcpyFromSymbol(l, leaves, sizeof l);
  for (int v : l) total += v;
  // blocks: 1, then 2, then 2 x 4; the eight last each launch 64 threads
  bool ok = e == cudaSuccess && n == 1 + 2 + 8 && total == 8 * 64;
  int *map, h[32 * 32], bad = 0;
  cudaMalloc(&map, sizeof h);
  cudaMemset(map, 0, sizeof h);
  mandel_like<<<1, 1>>>(map, 32, 0, 0, 32, 0);
  cudaDeviceSynchronize();
  cudaMemcpy(h, map, sizeof h, cudaMemcpyDeviceToHost);
  for (int v : h) bad += v != 3;
  printf("%d launches, %d leaves, %d wrong\n%s\n", n, total, bad, ok && !bad ? "PASSED" : "FAILED");
  cudaFree(map);
  return !(ok && !bad);
}

// find: race global read/write syncwarp
// All lanes of a warp read the warp's word, twice, then the last lane of it, which has read it as well, replaces it.
// Fixed: The warp synchronises in between.
#include <cstdio>
#include <vector>

__global__ void replace(int *best, int *out) {
  const int t = threadIdx.x, warp = t / 32;
  const int first = best[warp]; // BUG?
  out[t] = first * 3;
  out[t] += best[warp]; // BUG?
#ifdef FIXED
  __syncwarp();
#endif
  if (t % 32 == 31) best[warp] = first + t; // BUG
}

int main() {
  const int n = 96;
  std::vector<int> host(n, 2), result(n);
  int *best, *out;
  cudaMalloc(&best, n / 32 * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(best, host.data(), n / 32 * sizeof(int), cudaMemcpyHostToDevice);
  replace<<<1, n>>>(best, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += result[i];
  std::printf("%d\n", sum);
  cudaFree(best);
  cudaFree(out);
  return 0;
}

// find: out-of-bounds
// The search's upper end starts at n and is read.
#include <cstdio>

__device__ int lower(const int *sorted, int n, int key) {
#ifdef FIXED
  int lo = 0, hi = n - 1;
#else
  int lo = 0, hi = n;
#endif
  while (lo <= hi) {
    int mid = (lo + hi) / 2;
    if (sorted[mid] < key) // BUG
      lo = mid + 1;
    else
      hi = mid - 1;
  }
  return lo;
}

__global__ void search(const int *sorted, int n, const int *keys, int *found) {
  int i = threadIdx.x;
  found[i] = lower(sorted, n, keys[i]);
}

int main() {
  const int n = 100, m = 64;
  int sorted[n], keys[m], *ds, *dk, *df;
  for (int i = 0; i < n; i++) sorted[i] = 3 * i;
  for (int i = 0; i < m; i++) keys[i] = 10 * i;
  cudaMalloc(&ds, sizeof sorted);
  cudaMalloc(&dk, sizeof keys);
  cudaMalloc(&df, sizeof keys);
  cudaMemcpy(ds, sorted, sizeof sorted, cudaMemcpyHostToDevice);
  cudaMemcpy(dk, keys, sizeof keys, cudaMemcpyHostToDevice);
  search<<<1, m>>>(ds, n, dk, df);
  cudaMemcpy(keys, df, sizeof keys, cudaMemcpyDeviceToHost);
  printf("%d %s\n", keys[5], cudaGetErrorString(cudaGetLastError()));
  cudaFree(ds);
  cudaFree(dk);
  cudaFree(df);
}

// find: out-of-bounds
// Memory that the kernel itself allocated is overrun by one.
#include <cstdio>

__global__ void triangle(int *out) {
  int n = threadIdx.x + 1;
  int *row = (int *)malloc(n * sizeof(int));
  row[0] = 1;
#ifdef FIXED
  for (int k = 1; k < n; k++) row[k] = row[k - 1] + k;
#else
  for (int k = 1; k <= n; k++) row[k] = row[k - 1] + k; // BUG
#endif
  out[threadIdx.x] = row[n - 1];
  free(row);
}

int main() {
  int h[40], *out;
  cudaMalloc(&out, sizeof h);
  triangle<<<1, 40>>>(out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %s\n", h[39], cudaGetErrorString(cudaGetLastError()));
  cudaFree(out);
}

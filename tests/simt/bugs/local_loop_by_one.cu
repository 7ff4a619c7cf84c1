// find: out-of-bounds
// A loop over a local window of 9 goes to 9.
#include <cstdio>

__global__ void median(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 9 > n) return;
  int w[9], spare = 0;
#ifdef FIXED
  for (int k = 0; k < 9; k++) w[k] = in[i + k < n ? i + k : n - 1];
#else
  for (int k = 0; k <= 9; k++) w[k] = in[i + k < n ? i + k : n - 1]; // BUG
#endif
  for (int a = 0; a < 9; a++)
    for (int b = a + 1; b < 9; b++)
      if (w[b] < w[a]) {
        spare = w[a];
        w[a] = w[b];
        w[b] = spare;
      }
  out[i] = w[4];
}

int main() {
  const int n = 100;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(in, 0, n * sizeof(int));
  median<<<1, 128>>>(in, out, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}

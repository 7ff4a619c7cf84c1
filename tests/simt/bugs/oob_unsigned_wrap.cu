// find: out-of-bounds
// An unsigned index of 0 less 1 is 4 Gi elements away.
#include <cstdio>

__global__ void previous(const unsigned short *in, unsigned short *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
#ifdef FIXED
  unsigned before = i == 0 ? n - 1 : i - 1;
#else
  unsigned before = i - 1;
#endif
  out[i] = in[before]; // BUG
}

int main() {
  const unsigned n = 2048;
  unsigned short *in, *out;
  cudaMalloc(&in, n * sizeof *in);
  cudaMalloc(&out, n * sizeof *out);
  cudaMemset(in, 3, n * sizeof *in);
  previous<<<n / 256, 256>>>(in, out, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}

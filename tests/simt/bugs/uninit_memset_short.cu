// find: uninitialised
// cudaMemset without sizeof: the later counters are what they happened to be.
#include <cstdio>

__global__ void count(const unsigned char *in, int n, unsigned *bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(bins + in[i], 1u); // BUG
}

int main() {
  const int n = 1024;
  unsigned char h[n], *in;
  unsigned *bins;
  for (int i = 0; i < n; i++) h[i] = i;
  cudaMalloc(&in, n);
  cudaMalloc(&bins, 256 * sizeof(unsigned));
  cudaMemcpy(in, h, n, cudaMemcpyHostToDevice);
#ifdef FIXED
  cudaMemset(bins, 0, 256 * sizeof(unsigned));
#else
  cudaMemset(bins, 0, 256);
#endif
  count<<<4, 256>>>(in, n, bins);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(bins);
}

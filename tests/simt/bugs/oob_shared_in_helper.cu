// find: out-of-bounds shared
// A helper function clears one element more than the shared array that it is given has.
#include <cstdio>

__device__ void clear(unsigned *counts, int n) {
#ifdef FIXED
  for (int i = threadIdx.x; i < n; i += blockDim.x) counts[i] = 0;
#else
  for (int i = threadIdx.x; i <= n; i += blockDim.x) counts[i] = 0; // BUG
#endif
}

__global__ void parity(const int *in, unsigned *out, int n) {
  __shared__ unsigned counts[2];
  clear(counts, 2);
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&counts[in[i] & 1], 1u);
  __syncthreads();
  if (threadIdx.x < 2) out[threadIdx.x] = counts[threadIdx.x];
}

int main() {
  const int n = 500;
  int *in;
  unsigned *out, h[2];
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, sizeof h);
  cudaMemset(in, 0, n * sizeof(int));
  parity<<<1, 96>>>(in, out, n);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%u %u %s\n", h[0], h[1], cudaGetErrorString(cudaGetLastError()));
  cudaFree(in);
  cudaFree(out);
}

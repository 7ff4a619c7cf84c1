// find: uninitialised shared
// A histogram in dynamic shared memory is not cleared.
#include <cstdio>

__global__ void histogram(const unsigned char *in, int n, unsigned *out, int bins) {
  extern __shared__ unsigned counts[];
#ifdef FIXED
  for (int b = threadIdx.x; b < bins; b += blockDim.x) counts[b] = 0;
#endif
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&counts[in[i] % bins], 1u); // BUG
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += blockDim.x) atomicAdd(&out[b], counts[b]);
}

int main() {
  const int n = 4096, bins = 16;
  static unsigned char h[n];
  for (int i = 0; i < n; i++) h[i] = i * 7;
  unsigned char *in;
  unsigned *out;
  cudaMalloc(&in, n);
  cudaMalloc(&out, bins * sizeof(unsigned));
  cudaMemcpy(in, h, n, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, bins * sizeof(unsigned));
  histogram<<<4, 128, bins * sizeof(unsigned)>>>(in, n, out, bins);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}

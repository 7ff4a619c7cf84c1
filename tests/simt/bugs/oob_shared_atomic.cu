// find: out-of-bounds shared
// A shared histogram of 64 bins gets a value of 64.
#include <cstdio>

__global__ void histogram(const unsigned char *in, int n, int *out) {
  __shared__ int bins[64];
  if (threadIdx.x < 64) bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
#ifdef FIXED
    atomicAdd(&bins[in[i] >> 2], 1);
#else
    atomicAdd(&bins[(in[i] + 3) >> 2], 1); // BUG
#endif
  }
  __syncthreads();
  if (threadIdx.x < 64) out[threadIdx.x] = bins[threadIdx.x];
}

int main() {
  const int n = 1000;
  unsigned char h[n], *in;
  for (int i = 0; i < n; i++) h[i] = i;
  int *out;
  cudaMalloc(&in, n);
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemcpy(in, h, n, cudaMemcpyHostToDevice);
  histogram<<<1, 128>>>(in, n, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}

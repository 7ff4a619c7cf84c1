// find: out-of-bounds shared
// A kernel written for blocks of 128 is launched with 256.
#include <cstdio>
#define TILE 128

__global__ void mirror(const int *in, int *out) {
  __shared__ int s[TILE];
  int base = blockIdx.x * blockDim.x;
  s[threadIdx.x] = in[base + threadIdx.x]; // BUG
  __syncthreads();
  out[base + threadIdx.x] = s[blockDim.x - 1 - threadIdx.x]; // BUG?
}

int main() {
  const int n = 1024;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(in, 0, n * sizeof(int));
#ifdef FIXED
  mirror<<<n / TILE, TILE>>>(in, out);
#else
  mirror<<<n / 256, 256>>>(in, out);
#endif
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}

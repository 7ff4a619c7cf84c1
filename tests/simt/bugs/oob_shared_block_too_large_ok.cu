// find: nothing
// oob_shared_block_too_large.cu without its bug, which is: a kernel written for blocks of 128 is
// launched with 256.
#include <cstdio>
#define TILE 128

__global__ void mirror(const int *in, int *out) {
  __shared__ int s[TILE];
  int base = blockIdx.x * blockDim.x;
  s[threadIdx.x] = in[base + threadIdx.x];
  __syncthreads();
  out[base + threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

int main() {
  const int n = 1024;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(in, 0, n * sizeof(int));
  mirror<<<n / TILE, TILE>>>(in, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}

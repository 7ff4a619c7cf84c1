// find: out-of-bounds shared
// The block's sum stands in s[0]; thread 0 of block b reads s[b * blockDim.x].
#include <cstdio>

__global__ void block_sums(const int *in, int *sums) {
  __shared__ int s[128];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
#ifdef FIXED
  if (t == 0) sums[blockIdx.x] = s[t];
#else
  if (t == 0) sums[blockIdx.x] = s[i]; // BUG
#endif
}

int main() {
  const int n = 512;
  int *in, *sums;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&sums, 4 * sizeof(int));
  cudaMemset(in, 0, n * sizeof(int));
  block_sums<<<4, 128>>>(in, sums);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(sums);
}

// find: out-of-bounds shared
// The launch does not ask for dynamic shared memory at all.
#include <cstdio>

extern __shared__ int buffer[];

__global__ void last_of_block(const int *in, int *out) {
  buffer[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x]; // BUG
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = buffer[blockDim.x - 1]; // BUG?
}

int main() {
  const int n = 256;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, 4 * sizeof(int));
  cudaMemset(in, 0, n * sizeof(int));
#ifdef FIXED
  last_of_block<<<4, n / 4, n / 4 * sizeof(int)>>>(in, out);
#else
  last_of_block<<<4, n / 4>>>(in, out);
#endif
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}

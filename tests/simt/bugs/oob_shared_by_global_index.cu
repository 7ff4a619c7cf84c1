// find: out-of-bounds shared
// The shared copy is read at the index of the whole grid.
#include <cstdio>

__global__ void twice(const float *in, float *out, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = in[i];
  __syncthreads();
#ifdef FIXED
  out[i] = 2 * s[threadIdx.x];
#else
  out[i] = 2 * s[i]; // BUG
#endif
}

int main() {
  const int n = 128;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemset(in, 0, n * sizeof(float));
  twice<<<2, 64>>>(in, out, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}

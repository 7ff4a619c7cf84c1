// find: uninitialised shared
// Block 0 leaves a value in shared memory that the other blocks count on.
#include <cstdio>

__global__ void scale(const float *in, float *out, float k) {
  __shared__ float factor;
#ifdef FIXED
  if (threadIdx.x == 0) factor = k;
#else
  if (blockIdx.x == 0 && threadIdx.x == 0) factor = k;
#endif
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * factor; // BUG
}

int main() {
  const int n = 256;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemset(in, 0, n * sizeof(float));
  scale<<<4, 64>>>(in, out, 3);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}

// find: out-of-bounds shared
// The launch asks for as many bytes as the kernel needs floats.
#include <cstdio>

__global__ void rotate(float *x, int by) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = x[t]; // BUG
  __syncthreads();
  x[t] = s[(t + by) % blockDim.x]; // BUG?
}

int main() {
  const int n = 200;
  float *x;
  cudaMalloc(&x, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
#ifdef FIXED
  rotate<<<1, n, n * sizeof(float)>>>(x, 3);
#else
  rotate<<<1, n, n>>>(x, 3);
#endif
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(x);
}

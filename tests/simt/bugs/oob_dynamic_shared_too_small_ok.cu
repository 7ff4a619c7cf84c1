// find: nothing
// oob_dynamic_shared_too_small.cu without its bug, which is: the launch asks for as many bytes as
// the kernel needs floats.
#include <cstdio>

__global__ void rotate(float *x, int by) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  x[t] = s[(t + by) % blockDim.x];
}

int main() {
  const int n = 200;
  float *x;
  cudaMalloc(&x, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  rotate<<<1, n, n * sizeof(float)>>>(x, 3);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(x);
}

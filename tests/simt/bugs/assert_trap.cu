// find: assert
// text: __trap() ends the launch
// A kernel ends itself where a number is negative.
// Fixed: A kernel would end itself where a number is negative, and none is.
#include <cstdio>

__device__ float root(float x) {
  if (x < 0) __trap(); // BUG
  return sqrtf(x);
}

__global__ void roots(const float *in, float *out) {
  out[threadIdx.x] = root(in[threadIdx.x]); // BUG?
}

int main() {
#ifdef FIXED
  const float host[4] = {4, 9, 16, 25};
#else
  const float host[4] = {4, 9, -16, 25};
#endif
  float *in, *out;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  roots<<<1, 4>>>(in, out);
  if (cudaGetLastError() != cudaSuccess) return 1;
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
  return 0;
}

// find: misaligned
// A float4 is loaded from the second float of an array.
#include <cstdio>

__global__ void sum(const float *in, float *out) {
#ifdef FIXED
  float4 v = *(const float4 *)(in + 4 + 4 * threadIdx.x);
#else
  float4 v = *(const float4 *)(in + 1 + 4 * threadIdx.x); // BUG
#endif
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

int main() {
  const int n = 256;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemset(in, 0, n * sizeof(float));
  sum<<<1, 32>>>(in, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}

// find: out-of-bounds
// Every thread takes two elements, the array has one for each thread.
#include <cstdio>

__global__ void pairs(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  for (; i < n / 2; i += gridDim.x * blockDim.x) out[i] = in[2 * i];
#else
  for (; i < n; i += gridDim.x * blockDim.x) out[i] = in[2 * i]; // BUG
#endif
}

int main() {
  const int n = 1 << 12;
  float *in, *out;
  cudaMalloc(&in, n * sizeof *in);
  cudaMalloc(&out, n * sizeof *out);
  cudaMemset(in, 0, n * sizeof *in);
  pairs<<<8, 64>>>(in, out, n);
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaFree(in);
  cudaFree(out);
}

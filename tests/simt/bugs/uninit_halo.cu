// find: uninitialised shared
// The halo cells of the shared tile are never loaded.
#include <cstdio>
#define BLOCK 128

__global__ void blur(const float *in, float *out, int n) {
  __shared__ float s[BLOCK + 2];
  int t = threadIdx.x + 1, i = blockIdx.x * BLOCK + threadIdx.x;
  s[t] = in[i];
#ifdef FIXED
  if (threadIdx.x == 0) s[0] = i > 0 ? in[i - 1] : 0;
  if (threadIdx.x == BLOCK - 1) s[BLOCK + 1] = i + 1 < n ? in[i + 1] : 0;
#endif
  __syncthreads();
  out[i] = (s[t - 1] + s[t] + s[t + 1]) / 3; // BUG
}

int main() {
  const int n = 512;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemset(in, 0, n * sizeof(float));
  blur<<<n / BLOCK, BLOCK>>>(in, out, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}

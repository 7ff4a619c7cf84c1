// find: out-of-bounds shared
// A tile with room for one halo cell at each side is filled as if the stencil reached two.
#include <cstdio>
#define BLOCK 64
#ifdef FIXED
#define RADIUS 1
#else
#define RADIUS 2
#endif

__global__ void stencil(const float *in, float *out, int n) {
  __shared__ float s[BLOCK + 2];
  int t = threadIdx.x + RADIUS, i = blockIdx.x * BLOCK + threadIdx.x;
  s[t] = in[i];
  if (threadIdx.x < RADIUS) {
    s[t - RADIUS] = i >= RADIUS ? in[i - RADIUS] : 0;
    s[t + BLOCK] = i + BLOCK < n ? in[i + BLOCK] : 0; // BUG
  }
  __syncthreads();
  float sum = 0;
  for (int k = -RADIUS; k <= RADIUS; k++) sum += s[t + k]; // BUG
  out[i] = sum;
}

int main() {
  const int n = 256;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemset(in, 0, n * sizeof(float));
  stencil<<<n / BLOCK, BLOCK>>>(in, out, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}

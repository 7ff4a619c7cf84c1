// find: uninitialised
// cudaMemcpy counts elements where it should count bytes: a quarter is copied.
#include <cstdio>

__global__ void add_one(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + 1; // BUG
}

int main() {
  const int n = 512;
  int h[n] = {0}, *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
#ifdef FIXED
  cudaMemcpy(in, h, n * sizeof(int), cudaMemcpyHostToDevice);
#else
  cudaMemcpy(in, h, n, cudaMemcpyHostToDevice);
#endif
  add_one<<<2, 256>>>(in, out, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}

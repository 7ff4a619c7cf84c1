// find: uninitialised local
// A thread counts in an array of its own that nobody has cleared.
// Fixed: It begins with zeros.
#include <cstdio>

__global__ void count(const int *in, int *out, int n) {
#ifdef FIXED
  int bins[4] = {0};
#else
  int bins[4];
#endif
  for (int i = 0; i < n; ++i) bins[in[i] & 3]++; // BUG
  for (int i = 0; i < 4; ++i) out[i] = bins[i];
}

int main() {
  int host[16], *in, *out;
  for (int i = 0; i < 16; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, 4 * sizeof(int));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  count<<<1, 1>>>(in, out, 16);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}

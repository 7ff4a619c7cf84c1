// find: out-of-bounds local
// text: 0 bytes behind the 32 bytes of a local variable
// A function fills one element more than its caller's array has.
// Fixed: It fills as many as there are.
#include <cstdio>

__device__ void fill(int *list, int n) {
  for (int i = 0; i < n; ++i) list[i] = i; // BUG
}

__global__ void squares(int *out, int n) {
  int mine[8];
  fill(mine, n);
  out[threadIdx.x] = mine[threadIdx.x % 8] * mine[threadIdx.x % 8];
}

int main() {
  int *out, host[32];
  cudaMalloc(&out, sizeof host);
#ifdef FIXED
  squares<<<1, 32>>>(out, 8);
#else
  squares<<<1, 32>>>(out, 9);
#endif
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", host[11], cudaGetErrorString(cudaGetLastError()));
  cudaFree(out);
}

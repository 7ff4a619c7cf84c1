// find: out-of-bounds
// More threads than a constant table has elements read it through a pointer.
// Fixed: They read it round and round.
#include <cstdio>

__constant__ int table[8];

__global__ void look(int *out) {
  const int *from = table;
#ifdef FIXED
  out[threadIdx.x] = from[threadIdx.x % 8];
#else
  out[threadIdx.x] = from[threadIdx.x]; // BUG
#endif
}

int main() {
  int host[8] = {1, 2}, *out;
  cudaMemcpyToSymbol(table, host, sizeof host);
  cudaMalloc(&out, 9 * sizeof(int));
  look<<<1, 9>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(out);
}

// find: out-of-bounds global
// A function fills one element more than a variable of the device has; the next variable follows.
// Fixed: As many as it has.
#include <cstdio>

__device__ int first[8];
__device__ int second[8];

__device__ void fill(int *list, int n) {
  for (int i = 0; i < n; ++i) list[i] = i; // BUG
}

__global__ void both(int n) {
  fill(first, n);
  fill(second, 8);
}

int main() {
#ifdef FIXED
  both<<<1, 1>>>(8);
#else
  both<<<1, 1>>>(9);
#endif
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

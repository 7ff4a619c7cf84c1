// find: out-of-bounds
// A row of a two-dimensional __device__ array is overrun into the next row.
#include <cstdio>

__device__ float m[8][12];

__global__ void set(int columns) {
  int r = threadIdx.x;
  for (int c = 0; c < columns; c++) m[r][c] = r + c; // BUG
}

int main() {
#ifdef FIXED
  set<<<1, 7>>>(12);
#else
  set<<<1, 7>>>(13);
#endif
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

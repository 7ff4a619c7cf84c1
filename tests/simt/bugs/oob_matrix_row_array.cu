// find: out-of-bounds
// A row of a two-dimensional __device__ array is overrun into the next row.
#include <cstdio>

__device__ float m[8][12];

__global__ void set(int columns) {
  int r = threadIdx.x;
  for (int c = 0; c < columns; c++) m[r][c] = r + c; // BUG
}

int main() {
  set<<<1, 7>>>(13);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

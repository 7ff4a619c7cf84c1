// find: out-of-bounds
// The index of a 3 by 500 matrix is made with the number of rows and columns swapped.
#include <cstdio>

__global__ void negate(int *m, int rows, int columns) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  if (c < columns && r < rows) {
#ifdef FIXED
    m[r * columns + c] = -c;
#else
    m[c * columns + r] = -c; // BUG
#endif
  }
}

int main() {
  int *m;
  cudaMalloc(&m, 3 * 500 * sizeof(int));
  negate<<<dim3(4, 3), 128>>>(m, 3, 500);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(m);
}

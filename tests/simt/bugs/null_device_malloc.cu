// find: null-pointer
// malloc in a kernel returns NULL when the heap is full, and nobody looks.
#include <cstdio>

__global__ void scratch(int *out, size_t ints) {
  int *mine = (int *)malloc(ints * sizeof(int));
#ifdef FIXED
  if (!mine) {
    out[threadIdx.x] = -1;
    return;
  }
#endif
  mine[0] = threadIdx.x; // BUG
  out[threadIdx.x] = mine[0];
  free(mine);
}

int main() {
  int *out;
  cudaMalloc(&out, 4 * sizeof(int));
  scratch<<<1, 4>>>(out, 1 << 26);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(out);
}

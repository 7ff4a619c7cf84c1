// find: double-free|invalid-free|unchecked-error
//
// cudaFreeArray twice.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

int main() {
  float in[64] = {0};
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  check(cudaMallocArray(&array, &format, 8, 8));
  check(cudaMemcpy2DToArray(array, 0, 0, in, 32, 32, 8, cudaMemcpyHostToDevice));
  check(cudaFreeArray(array));
#ifndef FIXED
  cudaFreeArray(array); // BUG
#endif
}

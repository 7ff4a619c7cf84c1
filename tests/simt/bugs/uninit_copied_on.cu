// find: uninitialised
// Memory that was never written is copied on the device and read from there.
#include <cstdio>

__global__ void use(const int *in, int *out) {
  out[threadIdx.x] = in[threadIdx.x] + 1; // BUG
}

int main() {
  const size_t bytes = 64 * sizeof(int);
  int *first, *second, *out;
  cudaMalloc(&first, bytes);
  cudaMalloc(&second, bytes);
  cudaMalloc(&out, bytes);
#ifdef FIXED
  cudaMemset(first, 0, bytes);
#endif
  cudaMemcpy(second, first, bytes, cudaMemcpyDeviceToDevice);
  use<<<1, 64>>>(second, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(first);
  cudaFree(second);
  cudaFree(out);
}

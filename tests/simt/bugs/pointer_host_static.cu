// find: host-pointer
// A static array of the host is given to a kernel of a program that has __constant__ and __device__ variables,
// between which the linker puts it.
#include <cstdio>

__constant__ float factor[16];
__device__ float seen[32];
#ifdef FIXED
__managed__ float weights[32];
#endif

__global__ void weigh(const float *w, float *x) {
  seen[threadIdx.x] = factor[threadIdx.x % 16];
  x[threadIdx.x] = w[threadIdx.x] * 2; // BUG
}

int main() {
#ifndef FIXED
  static float weights[32];
#endif
  float *x = nullptr;
  if (cudaMalloc(&x, sizeof weights) != cudaSuccess) return 1;
  cudaMemset(x, 0, sizeof weights);
  weigh<<<1, 32>>>(weights, x);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(x);
}

// find: barrier-divergence
// One barrier in the source, called from two branches: two barriers.
#include <cstdio>

__device__ void meet() {
  __syncthreads(); // BUG
}

__global__ void twice(int *data) {
  const int i = threadIdx.x;
  if (i < 32) {
    data[i] = 1;
    meet();
  } else {
    meet();
    data[i] = 2;
  }
} // BUG?

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  twice<<<1, 64>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

// find: no-progress
// env: SIMT_TIMEOUT=0.2
// Nobody ever gives the lock back.
#include <cstdio>

__device__ int held;

__global__ void take(int *data) {
  while (atomicCAS(&held, 0, 1) != 0) { // BUG
  }
  data[0] += 1;
  __threadfence();
}

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  take<<<1, 4>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

// find: no-progress
// env: SIMT_TIMEOUT=0.2
// A flag that no thread sets is waited for.
#include <cstdio>

__global__ void wait(volatile int *data) {
  while (data[1] == 0) { // BUG
  }
  data[0] = 1;
}

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  wait<<<1, 1>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

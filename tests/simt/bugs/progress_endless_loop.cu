// find: no-progress
// env: SIMT_TIMEOUT=0.2
// A loop whose counter does not count.
#include <cstdio>

__global__ void count(int *data, int n) {
  for (int i = 0; i < n;) data[0] = i; // BUG
}

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  count<<<1, 1>>>(data, 10);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

// find: nothing
// A whole block takes one branch or the other.
#include <cstdio>

__global__ void branches(int *data) {
  const int i = threadIdx.x;
  if (blockIdx.x % 2) {
    data[i + 128] = 1;
    __syncthreads();
  } else {
    data[i] = 2;
    __syncthreads();
  }
}

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  branches<<<2, 64>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

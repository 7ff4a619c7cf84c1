// find: barrier-divergence
// Both branches have a barrier: not the same one.
#include <cstdio>

__global__ void branches(int *data) {
  const int i = threadIdx.x;
  if (i % 2) {
    data[i] = 1;
    __syncthreads(); // BUG
  } else {
    data[i] = 2;
    __syncthreads(); // BUG
  }
  data[i] += i;
}

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  branches<<<1, 64>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

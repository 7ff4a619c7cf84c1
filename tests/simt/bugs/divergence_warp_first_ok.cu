// find: nothing
// As divergence_warp_first.cu without the bug.
#include <cstdio>

__global__ void mixed(int *data) {
  const int i = threadIdx.x;
  if (i % 32 < 16) data[i] = 1;
  __syncthreads();
  __syncwarp();
  data[i] += 1;
}

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  mixed<<<1, 64>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

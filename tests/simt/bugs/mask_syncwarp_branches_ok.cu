// find: nothing
// Since sm_70 the lanes of a warp may meet at different __syncwarp lines.
#include <cstdio>

__global__ void meet(int *data) {
  const int i = threadIdx.x;
  if (i % 2) {
    data[i] = 1;
    __syncwarp();
    data[i] += data[i - 1];
  } else {
    data[i] = 2;
    __syncwarp();
  }
}

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  meet<<<1, 32>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

// find: nothing
// A block of 16 threads: the whole warp's mask names lanes that do not exist, and need not come.
#include <cstdio>

__global__ void small(int *data) {
  int v = threadIdx.x;
  for (int d = 8; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffff, v, d);
  __syncwarp();
  if (__all_sync(0xffffffff, v == 120)) data[threadIdx.x] = __ballot_sync(0xffffffff, 1);
}

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  small<<<1, 16>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

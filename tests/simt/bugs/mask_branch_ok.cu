// find: nothing
// As mask_branch.cu without the bug.
#include <cstdio>

__global__ void half(int *data) {
  int v = threadIdx.x;
  if (threadIdx.x < 16) v += __shfl_xor_sync(0x0000ffff, v, 8);
  data[threadIdx.x] = v;
}

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  half<<<1, 32>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

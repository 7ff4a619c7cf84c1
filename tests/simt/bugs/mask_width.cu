// find: warp-mask
// A width that is not a power of two.
#include <cstdio>

__global__ void twelve(int *data) {
#ifdef FIXED
  data[threadIdx.x] = __shfl_sync(0xffffffff, int(threadIdx.x), 0, 8);
#else
  data[threadIdx.x] = __shfl_sync(0xffffffff, int(threadIdx.x), 0, 12); // BUG
#endif
}

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  twelve<<<1, 32>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

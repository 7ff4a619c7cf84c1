// find: warp-mask
// Lanes that belong together name different lanes.
#include <cstdio>

__global__ void pairs(int *data) {
#ifdef FIXED
  const unsigned mask = threadIdx.x < 16 ? 0x0000ffffu : 0xffff0000u;
#else
  const unsigned mask = threadIdx.x < 16 ? 0xffffffffu : 0xffff0000u;
#endif
  data[threadIdx.x] = __shfl_xor_sync(mask, int(threadIdx.x), 1); // BUG
} // BUG?

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  pairs<<<1, 32>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

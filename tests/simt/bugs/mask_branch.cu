// find: warp-mask
// A shuffle that names the whole warp, in a branch that half of it takes.
#include <cstdio>

__global__ void half(int *data) {
  int v = threadIdx.x;
#ifdef FIXED
  if (threadIdx.x < 16) v += __shfl_xor_sync(0x0000ffff, v, 8);
#else
  if (threadIdx.x < 16) v += __shfl_down_sync(0xffffffff, v, 8); // BUG
#endif
  data[threadIdx.x] = v;
} // BUG?

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

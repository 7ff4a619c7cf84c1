// find: warp-mask
// The last warp has 20 lanes; a reduction over 32 takes values from the missing ones.
#include <cstdio>

__device__ int warp_sum(int v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d); // BUG
  return v;
}

__global__ void total(int *data, int n) {
#ifdef FIXED
  const int sum = warp_sum(threadIdx.x < n ? threadIdx.x : 0);
#else
  if (threadIdx.x >= n) return;
  const int sum = warp_sum(threadIdx.x);
#endif
  if (threadIdx.x % 32 == 0) atomicAdd(data, sum);
}

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  total<<<1, 64>>>(data, 52);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

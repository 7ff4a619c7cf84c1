// find: warp-mask
// A reduction of the whole warp, called by a part of it.
#include <cstdio>

__device__ int warp_sum(int v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d); // BUG
  return v;
}

__global__ void part(int *data) {
#ifdef FIXED
  const int sum = warp_sum(threadIdx.x < 20 ? threadIdx.x : 0);
  if (threadIdx.x == 0) data[0] = sum;
#else
  int v = threadIdx.x;
  if (threadIdx.x < 20) v = warp_sum(v);
  data[threadIdx.x] = v;
#endif
} // BUG?

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  part<<<1, 32>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

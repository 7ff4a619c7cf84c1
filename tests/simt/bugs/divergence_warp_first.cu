// find: barrier-divergence
// Half a warp waits at the block's barrier, the other half at the warp's behind it.
#include <cstdio>

__global__ void mixed(int *data) {
  const int i = threadIdx.x;
#ifdef FIXED
  if (i % 32 < 16) data[i] = 1;
  __syncthreads();
#else
  if (i % 32 < 16) {
    data[i] = 1;
    __syncthreads(); // BUG
  }
#endif
  __syncwarp(); // BUG?
  data[i] += 1;
} // BUG?

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

// find: barrier-divergence
// The first warp alone comes to the barrier, and later the others to another one.
#include <cstdio>

__global__ void warps(int *data) {
  __shared__ int s[96];
  s[threadIdx.x] = 1;
#ifdef FIXED
  if (threadIdx.x < 32) s[threadIdx.x] = 2;
  __syncthreads();
  __syncthreads();
  data[threadIdx.x] = s[95 - threadIdx.x];
#else
  if (threadIdx.x < 32) {
    s[threadIdx.x] = 2;
    __syncthreads(); // BUG
  }
  __syncthreads(); // BUG
  data[threadIdx.x] = s[threadIdx.x];
#endif
} // BUG?

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  warps<<<1, 96>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

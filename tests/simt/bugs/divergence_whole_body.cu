// find: barrier-divergence
// The body of the kernel is in `if (i < n)`, barrier and all, and n is no multiple of the block.
#include <cstdio>

__global__ void smooth(int *data, int n) {
  __shared__ int s[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  s[threadIdx.x] = i < n ? data[i] : 0;
  __syncthreads();
  if (i < n) data[i] = s[63 - threadIdx.x] + 1;
#else
  if (i < n) {
    s[threadIdx.x] = data[i];
    __syncthreads(); // BUG
    data[i] = s[threadIdx.x] + 1;
  }
#endif
} // BUG?

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  smooth<<<2, 64>>>(data, 100);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

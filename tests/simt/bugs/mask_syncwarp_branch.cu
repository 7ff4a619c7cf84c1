// find: warp-mask
// A __syncwarp of the whole warp in a branch; the other lanes take the one behind it for it.
#include <cstdio>

__global__ void phases(int *data) {
  const int i = threadIdx.x;
  if (i < 16) {
    data[i] = 1;
#ifdef FIXED
    __syncwarp(0x0000ffff);
#else
    __syncwarp(); // BUG
#endif
  }
  __syncwarp(); // BUG?
  data[i] += 2;
} // BUG?

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  phases<<<1, 32>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

// find: warp-mask
// Lanes read from lane 0, which their mask does not name.
#include <cstdio>

__global__ void odd(int *data) {
#ifdef FIXED
  if (threadIdx.x % 2) data[threadIdx.x] = __shfl_sync(0xaaaaaaaa, int(threadIdx.x), 1);
#else
  if (threadIdx.x % 2) data[threadIdx.x] = __shfl_sync(0xaaaaaaaa, int(threadIdx.x), 0); // BUG
#endif
}

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  odd<<<1, 32>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

// find: warp-mask
// An empty mask.
#include <cstdio>

__global__ void vote(int *data) {
#ifdef FIXED
  data[threadIdx.x] = __all_sync(__activemask(), threadIdx.x < 32);
#else
  data[threadIdx.x] = __all_sync(0, threadIdx.x < 32); // BUG
#endif
}

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  vote<<<1, 32>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

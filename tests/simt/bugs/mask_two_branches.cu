// find: warp-mask
// The shuffles of two branches are not one shuffle.
#include <cstdio>

__global__ void branches(int *data) {
  int v = threadIdx.x;
  if (threadIdx.x < 16)
#ifdef FIXED
    v += __shfl_xor_sync(0x0000ffff, v, 1);
  else
    v -= __shfl_xor_sync(0xffff0000, v, 1);
#else
    v += __shfl_xor_sync(0xffffffff, v, 1); // BUG
  else
    v -= __shfl_xor_sync(0xffffffff, v, 1); // BUG
#endif
  data[threadIdx.x] = v;
}

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  branches<<<1, 32>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

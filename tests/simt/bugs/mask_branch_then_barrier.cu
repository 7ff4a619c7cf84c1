// find: warp-mask
// As mask_branch.cu; the others wait at the block's barrier.
#include <cstdio>

__global__ void half(int *data) {
  int v = threadIdx.x;
#ifdef FIXED
  const unsigned mask = __ballot_sync(0xffffffff, threadIdx.x % 32 < 16);
  if (threadIdx.x % 32 < 16) v = __any_sync(mask, v == 3);
#else
  if (threadIdx.x % 32 < 16) v = __any_sync(0xffffffff, v == 3); // BUG
#endif
  __syncthreads(); // BUG?
  data[threadIdx.x] = v;
}

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  half<<<1, 64>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

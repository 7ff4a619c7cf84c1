// find: nothing
// As mask_branch_then_barrier.cu without the bug.
#include <cstdio>

__global__ void half(int *data) {
  int v = threadIdx.x;
  const unsigned mask = __ballot_sync(0xffffffff, threadIdx.x % 32 < 16);
  if (threadIdx.x % 32 < 16) v = __any_sync(mask, v == 3);
  __syncthreads();
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

// find: nothing
// As progress_lock_twice.cu without the bug.
#include <cstdio>

__device__ int held;

__global__ void take(int *data) {
  while (atomicCAS(&held, 0, 1) != 0) {
  }
  __threadfence();
  data[0] += 1;
  __threadfence();
  atomicExch(&held, 0);
}

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  take<<<1, 4>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

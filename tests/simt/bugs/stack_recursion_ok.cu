// find: nothing
// As stack_recursion.cu without the bug.
#include <cstdio>

__device__ int depth(int n) {
  volatile int room[256];
  room[n % 256] = n;
  if (n > 8) return 0;
  return depth(n + 1) + room[n % 256];
}

__global__ void dive(int *data) { data[threadIdx.x] = depth(threadIdx.x); }

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  dive<<<1, 4>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

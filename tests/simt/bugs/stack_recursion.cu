// find: stack-overflow
// A recursion that does not end in time.
#include <cstdio>

__device__ int depth(int n) { // BUG?
  volatile int room[256];
  room[n % 256] = n; // BUG?
#ifdef FIXED
  if (n > 8) return 0;
#else
  if (n > 1 << 20) return 0;
#endif
  return depth(n + 1) + room[n % 256];
}

#ifdef FIXED
__global__ void dive(int *data) { data[threadIdx.x] = depth(threadIdx.x); }
#else
__global__ void dive(int *data) { data[0] = depth(threadIdx.x); }
#endif

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

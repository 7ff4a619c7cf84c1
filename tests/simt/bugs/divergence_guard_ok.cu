// find: nothing
// Threads beyond the data return before the barriers: allowed, they need not come.
#include <cstdio>

__device__ int neighbours(const int *s, int i, int n) {
  return s[(i + 1) % n] + s[(i + n - 1) % n];
}

__global__ void guard(int *data, int n) {
  __shared__ int s[64];
  const int i = threadIdx.x;
  if (i >= n) return;
  s[i] = i;
  __syncthreads();
  const int sum = neighbours(s, i, n);
  __syncthreads();
  s[i] = sum;
  __syncthreads();
  data[i] = neighbours(s, i, n);
}

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  guard<<<1, 64>>>(data, 40);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

// find: nothing
// Threads without work return before the barriers, which is allowed; the rest call the function in
// step.
#include <cstdio>

__device__ void meet() { __syncthreads(); }

__global__ void twice(int *data, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  data[i] = 1;
  meet();
  data[i] += 2;
  for (int k = 0; k < 3; ++k) meet();
}

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  twice<<<1, 64>>>(data, 50);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

// find: nothing
// As divergence_count.cu without the bug.
#include <cstdio>

__global__ void votes(int *data) {
  const int i = threadIdx.x;
  const int odd = __syncthreads_count(i < 48 && i % 2);
  if (i < 48) data[i] = odd;
  data[i] += 1;
}

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  votes<<<1, 64>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

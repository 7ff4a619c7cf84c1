// find: barrier-divergence
// Some threads leave the loop early and wait at the barrier behind it.
#include <cstdio>

__global__ void rounds(int *data) {
  const int i = threadIdx.x;
  int sum = 0;
#ifdef FIXED
  for (int k = 0; k < 3; ++k) {
    if (k <= i % 3) sum += k;
#else
  for (int k = 0; k <= i % 3; ++k) {
    sum += k;
#endif
    __syncthreads(); // BUG
  }
  data[i] = sum;
  __syncthreads(); // BUG
  data[i + 64] = sum;
} // BUG?

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  rounds<<<1, 64>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

// find: barrier-divergence
// The barrier stands in a function that only some threads call.
#include <cstdio>

__device__ int shared_sum(const int *s) {
  int sum = 0;
  __syncthreads(); // BUG
  for (int k = 0; k < 64; ++k) sum += s[k];
  return sum;
}

__global__ void totals(int *data) {
  __shared__ int s[64];
  const int i = threadIdx.x;
  s[i] = i;
#ifdef FIXED
  const int sum = shared_sum(s);
  if (i < 40) data[i] = sum;
#else
  if (i < 40) data[i] = shared_sum(s);
#endif
} // BUG?

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  totals<<<1, 64>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

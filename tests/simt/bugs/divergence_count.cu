// find: barrier-divergence
// A voting barrier in a branch: the others do not vote.
#include <cstdio>

__global__ void votes(int *data) {
  const int i = threadIdx.x;
#ifdef FIXED
  const int odd = __syncthreads_count(i < 48 && i % 2);
  if (i < 48) data[i] = odd;
#else
  if (i < 48) data[i] = __syncthreads_count(i % 2); // BUG
#endif
  data[i] += 1;
} // BUG?

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

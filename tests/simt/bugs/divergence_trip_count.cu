// find: barrier-divergence
// A barrier in a loop that ends sooner for some threads: 100 elements, 64 threads.
#include <cstdio>

__global__ void stride(int *data, int n) {
#ifdef FIXED
  for (int first = 0; first < n; first += blockDim.x) {
    const int i = first + threadIdx.x;
    if (i < n) data[i] = i;
#else
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    data[i] = i;
#endif
    __syncthreads(); // BUG
  }
} // BUG?

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  stride<<<1, 64>>>(data, 100);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

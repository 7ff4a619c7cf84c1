// find: barrier-divergence
// A barrier in a branch that the second half of the block does not take.
#include <cstdio>

__global__ void half(int *data) {
  __shared__ int s[128];
  const int i = threadIdx.x;
  s[i] = i;
#ifdef FIXED
  __syncthreads();
  if (i < 64) data[i] = s[63 - i];
#else
  if (i < 64) {
    __syncthreads(); // BUG
    data[i] = s[i];
  }
#endif
} // BUG?: where the others return

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  half<<<1, 128>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

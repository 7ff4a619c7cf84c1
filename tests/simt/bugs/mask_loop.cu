// find: warp-mask
// A vote of the whole warp in a loop that lanes leave one after the other.
#include <cstdio>

__global__ void drain(int *data) {
  int left = threadIdx.x % 5, rounds = 0;
#ifdef FIXED
  while (__any_sync(0xffffffff, left > 0)) {
    if (left > 2) ++rounds;
#else
  while (left > 0) {
    if (__any_sync(0xffffffff, left > 2)) ++rounds; // BUG
#endif
    --left;
  }
  data[threadIdx.x] = rounds;
} // BUG?

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  drain<<<1, 32>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

// find: warp-mask
// The mask leaves out lanes that call.
#include <cstdio>

#ifdef FIXED
__global__ void vote(int *data) { data[threadIdx.x] = __ballot_sync(0xffffffff, threadIdx.x & 1); }
#else
__global__ void vote(int *data) {
  data[threadIdx.x] = __ballot_sync(0xfffffff0, threadIdx.x & 1); // BUG
}
#endif

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  vote<<<1, 32>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

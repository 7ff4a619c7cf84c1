// find: nothing
// Reductions over a part of a warp: what the last lanes read beyond it is not used.
#include <cstdio>

__global__ void parts(int *data, int n) {
  const int i = threadIdx.x;
  int v = i, w = i;
  if (i < 16) {
    for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(0x0000ffff, v, d);
    for (int d = 8; d > 0; d /= 2) w = max(w, __shfl_down_sync(0x0000ffff, w, d));
    if (i == 0) data[0] = v + w;
  }
  const unsigned mask = __ballot_sync(0xffffffff, i < n);
  if (i < n) {
    int sum = i;
    for (int d = 16; d > 0; d /= 2) {
      const int other = __shfl_down_sync(mask, sum, d);
      if (i + d < n) sum += other;
    }
    if (i == 0) data[1] = sum;
  }
}

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  parts<<<1, 32>>>(data, 20);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}

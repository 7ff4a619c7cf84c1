// find: race shared read/write fence
// One warp tells another by a volatile flag that data are there, without a fence.
// Fixed: One warp tells another by a volatile flag, behind __threadfence_block, that data are
// there.
#include <cstdio>
#include <vector>

__global__ void relay(const int *in, int *out) {
  __shared__ int data[32];
  __shared__ volatile int ready;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (warp == 0) {
    data[lane] = in[lane] * 2; // BUG
#ifdef FIXED
    __threadfence_block();
#endif
    __syncwarp();
    if (lane == 0) ready = 1;
  } else {
    while (ready == 0) {
    }
    __threadfence_block();
    out[lane] = data[31 - lane]; // BUG
  }
}

int main() {
  const int n = 32;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  relay<<<1, 64>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}

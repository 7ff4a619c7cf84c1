// find: race global read/write fence
// All threads store, a barrier, then one counts the block: without a fence the stores may come
// late.
// Fixed: All threads store and fence, a barrier, then one counts the block; the last block
// reads it all.
#include <cstdio>
#include <vector>

__device__ int done;

__global__ void sort_of_scan(const int *in, int *out, int n) {
  __shared__ int ticket;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * in[i]; // BUG
#ifdef FIXED
  __threadfence();
#endif
  __syncthreads();
  if (threadIdx.x == 0) ticket = atomicAdd(&done, 1);
  __syncthreads();
  if (ticket != gridDim.x - 1) return;
  int sum = 0;
  for (int k = threadIdx.x; k < n; k += blockDim.x) sum += out[k]; // BUG
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, sum);
  __syncthreads();
  out[n + threadIdx.x] = total - sum;
}

int main() {
  const int n = 320;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  sort_of_scan<<<4, 64>>>(in, out, 256);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}

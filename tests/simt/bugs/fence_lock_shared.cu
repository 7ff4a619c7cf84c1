// find: race shared
// A lock in shared memory guards a sum, but thread 0 reads the sum without waiting for the
// others.
// Fixed: A lock in shared memory with fences guards a sum; it is read behind a barrier.
#include <cstdio>
#include <vector>

__global__ void guarded(const int *in, int *out) {
  __shared__ int lock, sum, most;
  if (threadIdx.x == 0) lock = sum = most = 0;
  __syncthreads();
  bool leave = false;
  while (!leave) {
    if (atomicExch(&lock, 1) == 0) {
      __threadfence_block();
      sum += in[threadIdx.x]; // BUG
      most = max(most, in[threadIdx.x]);
      __threadfence_block();
      atomicExch(&lock, 0);
      leave = true;
    }
  }
#ifdef FIXED
  __syncthreads();
#endif
  if (threadIdx.x == 0) {
    out[0] = sum; // BUG
  }
  __syncthreads();
  if (threadIdx.x == 0) out[1] = most;
}

int main() {
  const int n = 64;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  guarded<<<1, 64>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}

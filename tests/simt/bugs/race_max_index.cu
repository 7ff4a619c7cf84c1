// find: race shared
// The block's maximum by a plain compare and store in shared memory.
// Fixed: The block's maximum by atomicMax; the thread that has it stores its index behind a
// barrier.
#include <cstdio>
#include <vector>

__global__ void arg_max(const int *in, int *out) {
  __shared__ int best, where;
  if (threadIdx.x == 0) best = -1, where = -1;
  __syncthreads();
  const int mine = in[threadIdx.x] * 64 + threadIdx.x;
#ifdef FIXED
  atomicMax(&best, mine);
#else
  if (mine > best) // BUG
    best = mine;   // BUG
#endif
  __syncthreads();
  if (mine == best) where = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = where;
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
  arg_max<<<1, 64>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}

// find: race shared read/write barrier
// A thread clears the shared pointer of a block's scratch memory while others still use it.
// Fixed: A thread clears the shared pointer of a block's scratch memory behind a barrier.
#include <cstdio>
#include <vector>

__device__ int pool[8][64];

__global__ void pools(const int *in, int *out) {
  __shared__ int *scratch;
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t == 0) scratch = pool[blockIdx.x];
  __syncthreads();
  scratch[t] = in[i];
  __syncthreads();
  const int v = scratch[63 - t]; // BUG
#ifdef FIXED
  __syncthreads();
#endif
  if (t == 0) scratch = pool[blockIdx.x + 4]; // BUG
  __syncthreads();
  out[i] = v + (scratch != nullptr);
}

int main() {
  const int n = 256;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  pools<<<4, 64>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}

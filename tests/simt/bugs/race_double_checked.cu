// find: race global read/write fence
// A table is made once by whoever comes first; its flag is set without a fence behind the table.
// Fixed: A table is made once by whoever comes first: table, fence, flag; the others test the
// flag.
#include <cstdio>
#include <vector>

__device__ int state; // 0: nothing, 1: somebody makes it, 2: it is there
__device__ float table[16];

__device__ float lookup(int k) {
  if (atomicAdd(&state, 0) != 2) {
    if (atomicCAS(&state, 0, 1) == 0) {
      for (int i = 0; i < 16; ++i) table[i] = i * i; // BUG
#ifdef FIXED
      __threadfence();
#endif
      atomicExch(&state, 2);
    }
    while (atomicAdd(&state, 0) != 2) {
    }
  }
  __threadfence();
  return table[k & 15]; // BUG
}

__global__ void apply(const int *in, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = static_cast<int>(lookup(in[i]));
}

int main() {
  const int n = 128;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  apply<<<4, 32>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}

// find: race shared read/write copy
// flags: -std=c++17
// cuda::memcpy_async that is bound to a cuda::barrier, and __syncthreads() in place of the barrier's wait.
// Fixed: all threads arrive at the barrier and wait.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/barrier>

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;

#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void mirror(const int *in, int *out) {
  __shared__ alignas(16) int tile[128];
  __shared__ barrier filled;
  auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&filled, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(block, tile, in, sizeof tile, filled); // BUG
#ifdef FIXED
  filled.arrive_and_wait();
#else
  __syncthreads();
#endif
  out[threadIdx.x] = tile[127 - threadIdx.x]; // BUG
}

int main() {
  constexpr int n = 128;
  int *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, n * sizeof *out);
  for (int i = 0; i < n; ++i) in[i] = i * 31 % 101;
  mirror<<<1, 128>>>(in, out);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  std::printf("%d %d\n", out[0], out[n - 1]);
  cudaFree(in);
  cudaFree(out);
}

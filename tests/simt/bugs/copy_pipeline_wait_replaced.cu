// find: race shared read/write copy
// flags: -std=c++17
// A pipeline of a block, two stages, one warp copies; the others meet it at __syncthreads() in place of
// consumer_wait().
// Fixed: consumers wait for the stage and release it, the producers acquire it.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void pass(const int *in, int *out, int batches) {
  __shared__ alignas(16) int buffer[2][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  const bool produces = threadIdx.x < 32;
  auto pipe = cuda::make_pipeline(
      block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  for (int i = 0; i < batches; ++i) {
    if (produces) {
      pipe.producer_acquire();
      for (int k = threadIdx.x; k < 64; k += 32)
        cuda::memcpy_async(&buffer[i % 2][k], &in[i * 64 + k], sizeof(int), pipe); // BUG
      pipe.producer_commit();
    }
#ifndef FIXED
    __syncthreads();
#endif
    if (!produces) {
#ifdef FIXED
      pipe.consumer_wait();
#endif
      for (int k = threadIdx.x - 32; k < 64; k += 32)
        out[i * 64 + k] = buffer[i % 2][63 - k]; // BUG
#ifndef FIXED
      pipe.consumer_wait();
#endif
      pipe.consumer_release();
    }
  }
}

int main() {
  constexpr int n = 5 * 64;
  int *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, n * sizeof *out);
  for (int i = 0; i < n; ++i) in[i] = i * 31 % 101;
  pass<<<1, 64>>>(in, out, 5);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  std::printf("%d %d\n", out[0], out[n - 1]);
  cudaFree(in);
  cudaFree(out);
}

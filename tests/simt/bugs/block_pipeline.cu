// find: race shared read/write
// flags: -std=c++17
// A two-stage pipeline: a batch is used by all threads before it is waited for.
// Fixed: A two-stage pipeline of cuda::memcpy_async: acquire, copy, commit; wait, use, release.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void staged(const int *in, int *out, int batches) {
  __shared__ alignas(16) int buffer[2][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  pipe.producer_acquire();
  cuda::memcpy_async(block, buffer[0], in, sizeof buffer[0], pipe); // BUG
  pipe.producer_commit();
  for (int i = 1; i <= batches; ++i) {
    if (i < batches) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, buffer[i % 2], in + i * 64, sizeof buffer[0], pipe); // BUG?
      pipe.producer_commit();
    }
#ifdef FIXED
    pipe.consumer_wait();
#endif
    sum += buffer[(i - 1) % 2][63 - threadIdx.x]; // BUG
#ifndef FIXED
    pipe.consumer_wait();
#endif
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

int main() {
  constexpr int n = 256;
  int *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, n * sizeof *out);
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<int>(i * 31 % 101);
    out[i] = 0;
  }
  staged<<<1, 64>>>(in, out, 4);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  std::printf("%g %g\n", static_cast<double>(out[0]), static_cast<double>(out[n - 1]));
  cudaFree(in);
  cudaFree(out);
}

// find: race shared read/write
// flags: -std=c++17
// cuda::barrier: the consumers arrive, but do not wait before they read.
// Fixed: cuda::barrier: producers arrive, consumers arrive and wait, twice a round.
#include <cstdio>
#include <cuda/barrier>
#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;

#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void exchange(const int *in, int *out) {
  __shared__ barrier filled;
  __shared__ int box[64];
  if (threadIdx.x == 0) init(&filled, blockDim.x);
  __syncthreads();
  box[threadIdx.x] = in[threadIdx.x] + 5; // BUG
  barrier::arrival_token token = filled.arrive();
  int busy = 0;
  for (int i = 0; i < 4; ++i) busy += in[i];
#ifdef FIXED
  filled.wait(std::move(token));
#endif
  out[threadIdx.x] = busy + box[(threadIdx.x + 33) % 64]; // BUG
#ifndef FIXED
  filled.wait(std::move(token));
#endif
}

int main() {
  constexpr int n = 64;
  int *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, n * sizeof *out);
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<int>(i * 31 % 101);
    out[i] = 0;
  }
  exchange<<<1, 64>>>(in, out);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  std::printf("%g %g\n", static_cast<double>(out[0]), static_cast<double>(out[n - 1]));
  cudaFree(in);
  cudaFree(out);
}

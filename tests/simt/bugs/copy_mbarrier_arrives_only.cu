// find: race shared read/write copy
// __pipeline_arrive_on an __mbarrier: threads arrive, and none waits for the phase, only for the others.
// Fixed: each polls the phase of its arrival.
#include <cstdio>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline_primitives.h>

__global__ void shift(const float *in, float *out) {
  __shared__ __mbarrier_t ready;
  __shared__ float tile[64];
  if (threadIdx.x == 0) __mbarrier_init(&ready, blockDim.x);
  __syncthreads();
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(float)); // BUG
  __pipeline_arrive_on(&ready);
  __mbarrier_token_t token = __mbarrier_arrive(&ready);
#ifdef FIXED
  while (!__mbarrier_test_wait(&ready, token)) {
  }
#else
  (void)token;
  __syncthreads();
#endif
  out[threadIdx.x] = tile[(threadIdx.x + 1) % 64]; // BUG
}

int main() {
  constexpr int n = 64;
  float *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, n * sizeof *out);
  for (int i = 0; i < n; ++i) in[i] = i % 13;
  shift<<<1, 64>>>(in, out);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  std::printf("%g %g\n", out[0], out[n - 1]);
  cudaFree(in);
  cudaFree(out);
}

// find: race shared read/write copy
// text: has to wait for it
// Threads begin asynchronous copies into shared memory; a barrier, but no wait for them, precedes the use.
// Fixed: Each thread waits for its copies first.
#include <cstdio>
#include <cuda_pipeline.h>

__global__ void sums(const float4 *in, float *out) {
  __shared__ float4 tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(float4)); // BUG
  __pipeline_commit();
#ifdef FIXED
  __pipeline_wait_prior(0);
#endif
  __syncthreads();
  const float4 v = tile[63 - threadIdx.x]; // BUG
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

int main() {
  float4 *in;
  float *out;
  cudaMalloc(&in, 64 * sizeof(float4));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(in, 0, 64 * sizeof(float4));
  sums<<<1, 64>>>(in, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}

// find: race shared read/write copy
// find: race shared same-value copy
// Two stages of asynchronous copies are under way; the wait leaves both of them, one too many, so
// that a third one writes where the first may still.
// Fixed: It leaves one.
#include <cstdio>
#include <cuda_pipeline.h>

__global__ void stages(const int *in, int *out, int count) {
  __shared__ int tile[2][64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[0][t], &in[t], sizeof(int)); // BUG 1 2
  __pipeline_commit();
  for (int i = 0; i < count; ++i) {
    if (i + 1 < count)
      __pipeline_memcpy_async(&tile[(i + 1) % 2][t], &in[(i + 1) * 64 + t], sizeof(int)); // BUG 1 2
    __pipeline_commit();
#ifdef FIXED
    __pipeline_wait_prior(1);
#else
    __pipeline_wait_prior(2);
#endif
    __syncthreads();
    out[i * 64 + t] = tile[i % 2][63 - t]; // BUG
    __syncthreads();
  }
}

int main() {
  const int count = 4;
  int *in, *out;
  cudaMalloc(&in, count * 64 * sizeof(int));
  cudaMalloc(&out, count * 64 * sizeof(int));
  cudaMemset(in, 0, count * 64 * sizeof(int));
  stages<<<1, 64>>>(in, out, count);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}

// find: race global read/write fence
// Decoupled look-back: a tile's sum is published by a flag without a fence between the two.
// Fixed: Decoupled look-back: sum, fence, flag; the reader sees the flag, then reads the sum.
#include <cstdio>
#include <vector>

__device__ unsigned ticket;
__device__ int flags[8]; // 1: the tile's own sum, 2: with all before it
__device__ int own[8], inclusive[8];

__device__ void publish(int *where, int value, int *flag, int state) {
  *where = value; // BUG
#ifdef FIXED
  __threadfence();
#endif
  atomicExch(flag, state);
}

__global__ void scan(const int *in, int *out) {
  __shared__ int s[32];
  __shared__ int tile, before;
  const int t = threadIdx.x;
  if (t == 0) tile = atomicAdd(&ticket, 1u);
  __syncthreads();
  s[t] = in[tile * 32 + t];
  __syncthreads();
  for (int d = 1; d < 32; d *= 2) {
    const int v = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  if (t == 0) {
    publish(&own[tile], s[31], &flags[tile], 1);
    int sum = 0;
    for (int p = tile - 1; p >= 0; --p) {
      int state;
      while ((state = atomicAdd(&flags[p], 0)) == 0) {
      }
      __threadfence();
      sum += state == 2 ? inclusive[p] // BUG
                        : own[p];      // BUG?
      if (state == 2) break;
    }
    publish(&inclusive[tile], sum + s[31], &flags[tile], 2);
    before = sum;
  }
  __syncthreads();
  out[tile * 32 + t] = before + s[t];
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
  scan<<<8, 32>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}

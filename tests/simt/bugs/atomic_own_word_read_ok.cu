// find: nothing
// The first lane of each warp adds to a word of its warp alone, again and again, and reads it; what all
// have added is read behind a barrier.
#include <cstdio>

__global__ void count(int *out) {
  __shared__ int own[2], all;
  if (threadIdx.x < 2) own[threadIdx.x] = 0;
  if (threadIdx.x == 0) all = 0;
  __syncthreads();
  for (int i = 0; i < 3; ++i) {
    atomicAdd(&all, 1);
    atomicAdd(&all, 2);
    if (threadIdx.x % 32 == 0) {
      atomicAdd(&own[threadIdx.x / 32], 1);
      atomicAdd(&own[threadIdx.x / 32], 2);
      out[threadIdx.x / 32] = own[threadIdx.x / 32];
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) out[2] = all;
}

int main() {
  int *out, host[3];
  cudaMalloc(&out, sizeof host);
  count<<<1, 64>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return host[0] == 9 && host[1] == 9 && host[2] == 576 ? 0 : 1;
}

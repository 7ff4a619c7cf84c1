// find: race global read/write fence
// Data, then a volatile flag for another block: no fence between the two stores.
// Fixed: Data, a fence, then a volatile flag for another block.
#include <cstdio>
#include <vector>

__global__ void pass(const float *in, float *out, volatile int *flag) {
  if (blockIdx.x == 0) {
    out[threadIdx.x] = in[threadIdx.x] * 0.5f; // BUG
#ifdef FIXED
    __threadfence();
#endif
    __syncthreads();
    if (threadIdx.x == 0) *flag = 1;
  } else {
    if (threadIdx.x == 0) {
      while (*flag == 0) {
      }
      __threadfence();
    }
    __syncthreads();
    out[64 + threadIdx.x] = out[63 - threadIdx.x] + 1.0f; // BUG
  }
}

int main() {
  const int n = 128;
  std::vector<float> host(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i);
  float *in, *out;
  int *flag;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  pass<<<2, 64>>>(in, out, flag);
  cudaMemcpy(host.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g %g %s\n", host[64], host[127], cudaGetErrorString(cudaGetLastError()));
  cudaFree(in);
  cudaFree(out);
  cudaFree(flag);
}

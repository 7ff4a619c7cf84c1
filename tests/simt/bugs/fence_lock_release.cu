// find: race global fence
// A lock is released by atomicExch without a fence: the next owner may miss the sum.
// Fixed: A spinlock: taken by atomicCAS, a fence, the work, a fence, released by atomicExch.
#include <cstdio>
#include <vector>

struct Lock {
  int state;
  __device__ void acquire() {
    while (atomicCAS(&state, 0, 1) != 0) {
    }
#ifdef FIXED
    __threadfence();
  }
  __device__ void release() {
    __threadfence();
    atomicExch(&state, 0);
  }
#else
  }
  __device__ void release() { atomicExch(&state, 0); }
#endif
};

__device__ Lock lock;

__global__ void dot(const float *in, float *out) {
  __shared__ float s[32];
  const int t = threadIdx.x;
  const float v = in[blockIdx.x * 32 + t];
  s[t] = v * v;
  __syncthreads();
  if (t == 0) {
    float sum = 0;
    for (int i = 0; i < 32; ++i) sum += s[i];
    lock.acquire();
    out[0] += sum; // BUG
    lock.release();
  }
}

int main() {
  const int n = 256;
  std::vector<float> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i % 17);
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(float));
  dot<<<8, 32>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}

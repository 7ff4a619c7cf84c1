// find: race shared read/write barrier
// All threads read the sum in s[0], then the array is used again without waiting for them.
// Fixed: Mean and variance of a block: a barrier after the sum has been read, before s is used
// again.
#include <cstdio>

__device__ float block_sum(float *s, float mine) {
  s[threadIdx.x] = mine; // BUG: of the second call
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  float sum = s[0]; // BUG: others may be here yet
#ifdef FIXED
  __syncthreads();
#endif
  return sum;
}

__global__ void normalise(const float *in, float *out) {
  __shared__ float s[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float mean = block_sum(s, in[i]) / blockDim.x;
  const float d = in[i] - mean;
  const float variance = block_sum(s, d * d) / blockDim.x;
  out[i] = d * rsqrtf(variance + 1e-5f);
}

int main() {
  constexpr int n = 256;
  float *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, n * sizeof *out);
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<float>(i * 31 % 101);
    out[i] = 0;
  }
  normalise<<<2, 128>>>(in, out);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  std::printf("%g %g\n", static_cast<double>(out[0]), static_cast<double>(out[n - 1]));
  cudaFree(in);
  cudaFree(out);
}

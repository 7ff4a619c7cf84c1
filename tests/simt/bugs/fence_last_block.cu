// find: race global read/write fence
// The last block adds the others' partial sums; they were stored without a fence before the
// counter.
// Fixed: The form of the threadFenceReduction sample: partial sum, fence, counter; the last
// block adds them.
#include <cstdio>
#include <vector>

__device__ unsigned int retired = 0;

__global__ void sum_all(const float *in, volatile float *partial, float *out) {
  __shared__ float s[64];
  __shared__ bool last;
  const unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned half = 32; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t == 0) {
    partial[blockIdx.x] = s[0]; // BUG: no __threadfence behind it
#ifdef FIXED
    __threadfence();
#endif
    const unsigned ticket = atomicInc(&retired, gridDim.x - 1);
    last = ticket == gridDim.x - 1;
  }
  __syncthreads();
  if (last && t < gridDim.x) s[t] = partial[t]; // BUG
  __syncthreads();
  if (last && t == 0) {
    float sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += s[b];
    out[0] = sum;
#ifdef FIXED
    retired = 0;
#endif
  }
}

int main() {
  const int n = 512;
  float *in, *partial, *out;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&partial, 8 * sizeof(float));
  cudaMallocManaged(&out, sizeof(float));
  for (int i = 0; i < n; ++i) in[i] = i % 10;
  for (int round = 0; round < 2; ++round) {
    sum_all<<<n / 64, 64>>>(in, partial, out);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    std::printf("%g\n", *out);
  }
  cudaFree(in);
  cudaFree(partial);
  cudaFree(out);
}

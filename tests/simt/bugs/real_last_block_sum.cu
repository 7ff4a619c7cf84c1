// find: race global fence|blocks
// A sum in one launch: the block that takes the last ticket adds all partial sums, but nobody's
// fence stands between its sum and its ticket.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define THREADS 128

__device__ unsigned int retired = 0;

__device__ void sum_in_block(float *s, unsigned t) {
  for (unsigned half = THREADS / 2; half > 0; half >>= 1) {
    __syncthreads();
    if (t < half) s[t] += s[t + half];
  }
  __syncthreads();
}

__global__ void sum_single_pass(const float *in, volatile float *partial, float *out, unsigned n) {
  __shared__ float s[THREADS];
  __shared__ bool is_last;
  unsigned t = threadIdx.x;
  float sum = 0;
  for (unsigned i = blockIdx.x * THREADS + t; i < n; i += THREADS * gridDim.x) sum += in[i];
  s[t] = sum;
  sum_in_block(s, t);
  if (t == 0) {
    partial[blockIdx.x] = s[0]; // BUG
#ifdef FIXED
    __threadfence();
#endif
    unsigned ticket = atomicInc(&retired, gridDim.x); // BUG?
    is_last = ticket == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last) {
#ifdef FIXED
    __threadfence();
#endif
    sum = 0;
    for (unsigned i = t; i < gridDim.x; i += THREADS) {
      sum += partial[i]; // BUG
    }
    s[t] = sum;
    sum_in_block(s, t);
    if (t == 0) {
      *out = s[0];
      retired = 0; // BUG?
    }
  }
}

int main(int argc, char **argv) {
  const unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 5000, blocks = 7;
  std::vector<float> h(n);
  double expected = 0;
  for (unsigned i = 0; i < n; i++) {
    h[i] = i % 10;
    expected += h[i];
  }
  float *in, *partial, *out, result = 0;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&partial, blocks * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  for (int round = 0; round < 3; round++) {
    sum_single_pass<<<blocks, THREADS>>>(in, partial, out, n);
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%g, expected %g\n", result, expected);
  }
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaFree(in);
  cudaFree(partial);
  cudaFree(out);
  return 0;
}

// find: race shared
// Bitonic sort: the inner loop lacks its barrier, a step meets elements of the one before.
// Fixed: Bitonic sort with a barrier after each compare-and-exchange step.
#include <cstdio>
#include <vector>

__device__ inline void compare(int &a, int &b, bool ascending) {
  if ((a > b) == ascending) { // BUG
    const int keep = a;       // BUG?
    a = b;                    // BUG
    b = keep;                 // BUG
  }
}

__global__ void sort(const int *in, int *out) {
  __shared__ int keys[128];
  const unsigned t = threadIdx.x;
  keys[t] = in[t];
  keys[t + 64] = in[t + 64];
  for (unsigned size = 2; size <= 128; size *= 2) {
#ifndef FIXED
    __syncthreads();
#endif
    const bool up = (t & (size / 2)) == 0;
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
#ifdef FIXED
      __syncthreads();
#endif
      const unsigned pos = 2 * t - (t & (stride - 1));
      compare(keys[pos], keys[pos + stride], up);
    }
  }
  __syncthreads();
  out[t] = keys[t];
  out[t + 64] = keys[t + 64];
}

int main() {
  const int n = 128;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  sort<<<1, 64>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}

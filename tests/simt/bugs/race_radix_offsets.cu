// find: race shared read/write barrier
// A radix step: the scanned bin offsets are read before the thread that scans them is done.
// Fixed: A radix step: count by atomics, scan by one thread, place by atomics, barriers
// between.
#include <cstdio>
#include <vector>

__global__ void radix_step(const unsigned *in, unsigned *out, int shift) {
  __shared__ unsigned count[4], offset[4];
  const unsigned t = threadIdx.x, digit = in[t] >> shift & 3;
  if (t < 4) count[t] = 0;
  __syncthreads();
  const unsigned rank = atomicAdd(&count[digit], 1u);
  __syncthreads();
  if (t == 0) {
    unsigned sum = 0;
    for (int d = 0; d < 4; ++d) {
      offset[d] = sum; // BUG
      sum += count[d];
    }
  }
#ifdef FIXED
  __syncthreads();
#endif
  const unsigned place = offset[digit] + rank; // BUG
  out[t] = place;
}

int main() {
  const int n = 64;
  std::vector<unsigned> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<unsigned>(i % 17);
  unsigned *in, *out;
  cudaMalloc(&in, n * sizeof(unsigned));
  cudaMalloc(&out, n * sizeof(unsigned));
  cudaMemcpy(in, host.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(unsigned));
  radix_step<<<1, 64>>>(in, out, 1);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}

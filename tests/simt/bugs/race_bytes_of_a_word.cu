// find: race shared read/write barrier
// Bytes in shared memory: each thread reads the byte that its neighbour writes.
// Fixed: Bytes in shared memory: neighbours write and read different bytes of one word, which
// is no race.
#include <cstdio>
#include <vector>

__global__ void mark(const unsigned char *in, unsigned char *out) {
  __shared__ unsigned char seen[100];
  const int t = threadIdx.x;
  seen[t] = in[t] > 5; // BUG
#ifdef FIXED
  out[t] = seen[t] + 1;
#else
  out[t] = seen[(t + 1) % 100] + 1; // BUG
#endif
}

int main() {
  const int n = 100;
  std::vector<unsigned char> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<unsigned char>(i % 17);
  unsigned char *in, *out;
  cudaMalloc(&in, n * sizeof(unsigned char));
  cudaMalloc(&out, n * sizeof(unsigned char));
  cudaMemcpy(in, host.data(), n * sizeof(unsigned char), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(unsigned char));
  mark<<<1, 100>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(unsigned char), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}

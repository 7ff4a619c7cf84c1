// find: race shared barrier
// Two bit-fields of one word, written by two threads: each store writes the whole word.
// Fixed: Two bit-fields in words of their own, written by two threads.
#include <cstdio>
#include <vector>

struct Flags {
  unsigned visited : 4;
#ifdef FIXED
  unsigned : 0;
#endif
  unsigned colour : 4;
};

__global__ void flags(const int *in, int *out) {
  __shared__ Flags f[32];
  const int t = threadIdx.x;
  if (t < 32) {
    f[t].visited = 0;
    f[t].colour = 0;
  }
  __syncthreads();
  if (t < 32)
    f[t].visited = in[t] & 1; // BUG
  else
    f[t - 32].colour = in[t] % 3; // BUG
  __syncthreads();
  if (t < 32) out[t] = f[t].visited + 10 * f[t].colour;
}

int main() {
  const int n = 64;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  flags<<<1, 64>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}

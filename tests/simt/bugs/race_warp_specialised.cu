// find: race shared read/write barrier
// Halves of a block meet at a named barrier of 64 threads each; one half reads what the other
// wrote.
// Fixed: Halves of a block meet at named barriers of 64 threads each and use their own half
// only.
#include <cstdio>
#include <vector>

__device__ void half_barrier(int name) { asm volatile("bar.sync %0, 64;" ::"r"(name) : "memory"); }

__global__ void halves(const int *in, int *out) {
  __shared__ int s[128];
  const int t = threadIdx.x, half = t / 64;
  s[t] = in[t] + half; // BUG
  half_barrier(1 + half);
#ifdef FIXED
  out[t] = s[half * 64 + 63 - t % 64];
#else
  out[t] = s[127 - t]; // BUG
#endif
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
  halves<<<1, 128>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}

// find: race shared
// Counting sort: places are taken from the offsets by ++.
// Fixed: Counting sort: places are taken from the offsets by atomicAdd.
#include <cstdio>
#include <vector>

using u16 = unsigned short;

__global__ void counting_sort(const u16 *in, u16 *out) {
  __shared__ int at[18];
  if (threadIdx.x == 0) {
    for (int i = 0; i < 18; ++i) at[i] = 0;
    for (int i = 0; i < 64; ++i) ++at[in[i] + 1];
    for (int i = 1; i < 18; ++i) at[i] += at[i - 1];
  }
  __syncthreads();
  const u16 v = in[threadIdx.x];
#ifdef FIXED
  const int place = atomicAdd(&at[v], 1);
#else
  const int place = at[v]++; // BUG
#endif
  out[place] = v;
}

int main() {
  const int n = 64;
  std::vector<u16> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<u16>(i % 17);
  u16 *in, *out;
  cudaMalloc(&in, n * sizeof(u16));
  cudaMalloc(&out, n * sizeof(u16));
  cudaMemcpy(in, host.data(), n * sizeof(u16), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(u16));
  counting_sort<<<1, 64>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(u16), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}

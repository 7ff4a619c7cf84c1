// find: race shared
// Bits of a bitmap in shared memory are set by |=.
// Fixed: Bits of a bitmap in shared memory are set by atomicOr.
#include <cstdio>
#include <vector>

__global__ void seen(const int *in, int *out) {
  __shared__ unsigned bits[4];
  if (threadIdx.x < 4) bits[threadIdx.x] = 0;
  __syncthreads();
  const int v = in[threadIdx.x] * 7;
#ifdef FIXED
  atomicOr(&bits[v / 32], 1u << v % 32);
#else
  bits[v / 32] |= 1u << v % 32; // BUG
#endif
  __syncthreads();
  out[threadIdx.x] = bits[threadIdx.x / 32] >> threadIdx.x % 32 & 1;
}

int main() {
  const int n = 96;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  seen<<<1, 96>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}

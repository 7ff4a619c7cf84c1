// find: race shared read/write syncwarp
// A shuffle stands between store and load; it exchanges registers and orders no memory.
// Fixed: __syncwarp orders the store and the load; the shuffle is only a shuffle.
#include <cstdio>
#include <vector>

__global__ void rotate(const int *in, int *out) {
  __shared__ int s[64];
  const int lane = threadIdx.x % 32, base = threadIdx.x - lane;
  int v = in[threadIdx.x];
  s[threadIdx.x] = v; // BUG
  v = __shfl_xor_sync(0xffffffffu, v, 1);
#ifdef FIXED
  __syncwarp();
#endif
  out[threadIdx.x] = v + s[base + (lane + 5) % 32]; // BUG
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
  rotate<<<1, 64>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}

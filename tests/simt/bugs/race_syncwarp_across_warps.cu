// find: race shared read/write barrier
// __syncwarp between store and load, but the element comes from another warp.
// Fixed: __syncthreads where elements of other warps are read.
#include <cstdio>
#include <vector>

__global__ void neighbour_warp(const int *in, int *out) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t]; // BUG
#ifdef FIXED
  __syncthreads();
#else
  __syncwarp();
#endif
  out[t] = s[(t + 32) % 128]; // BUG
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
  neighbour_warp<<<1, 128>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}

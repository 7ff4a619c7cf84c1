// find: race shared read/write syncwarp
// The last steps of a reduction by one warp: its lanes need not move together.
// Fixed: The last steps of a reduction by one warp with __syncwarp between reading and writing.
#include <cstdio>
#include <vector>

__global__ void reduce(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 32) {
#ifdef FIXED
    int v = s[t];
    for (int d = 32; d > 0; d /= 2) {
      v += s[t + d];
      __syncwarp();
      s[t] = v;
      __syncwarp();
#else
    for (int d = 32; d > 0; d /= 2) {
      s[t] += s[t + d]; // BUG
#endif
    }
  }
  if (t == 0) out[0] = s[0];
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
  reduce<<<1, 64>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}

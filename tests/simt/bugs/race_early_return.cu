// find: race shared read/write barrier
// Threads beyond the end return; the others read a border that nobody waits for.
// Fixed: Threads beyond the end return before a barrier, which then is the others' alone.
#include <cstdio>
#include <vector>

__global__ void edges(const int *in, int *out, int n) {
  __shared__ int s[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  s[threadIdx.x] = in[i]; // BUG
#ifdef FIXED
  __syncthreads();
#endif
  const bool last = threadIdx.x + 1 == blockDim.x || i + 1 == n;
  out[i] = last ? 0 : s[threadIdx.x + 1] - s[threadIdx.x]; // BUG
}

int main() {
  const int n = 112;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  edges<<<2, 64>>>(in, out, n);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}

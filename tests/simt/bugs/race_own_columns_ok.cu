// find: nothing
// Each thread uses its own column of shared memory only, so no barrier is needed.
#include <cstdio>
#include <vector>

__global__ void median(const int *in, int *out, int n) {
  __shared__ int window[5][64];
  const int t = threadIdx.x;
  for (int k = 0; k < 5; ++k) window[k][t] = in[(t + k) % n];
  for (int i = 1; i < 5; ++i)
    for (int k = i; k > 0 && window[k - 1][t] > window[k][t]; --k) {
      const int keep = window[k][t];
      window[k][t] = window[k - 1][t];
      window[k - 1][t] = keep;
    }
  out[t] = window[2][t];
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
  median<<<1, 64>>>(in, out, n);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}

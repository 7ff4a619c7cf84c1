// find: nothing
// Kernels of one stream follow each other: sums, then a scan of them, then the sums are added.
// All plain accesses.
#include <cstdio>
#include <vector>

__global__ void sums(const int *in, int *partial) {
  int sum = 0;
  for (int i = 0; i < 8; ++i) sum += in[(blockIdx.x * blockDim.x + threadIdx.x) * 8 + i];
  partial[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void scan(int *partial, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    int v = partial[i];
    partial[i] = sum;
    sum += v;
  }
}

__global__ void add(const int *in, const int *partial, int *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = partial[t];
  for (int i = 0; i < 8; ++i) out[t * 8 + i] = sum += in[t * 8 + i];
}

void all(const int *in, int *out) {
  int *partial;
  cudaMalloc(&partial, 64 * sizeof(int));
  sums<<<2, 32>>>(in, partial);
  scan<<<1, 1>>>(partial, 64);
  add<<<1, 64>>>(in, partial, out);
  cudaFree(partial);
}

int main() {
  const int n = 512;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  all(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}

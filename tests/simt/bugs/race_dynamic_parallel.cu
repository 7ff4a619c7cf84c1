// find: race global read/write blocks
// flags: -rdc=true
// A grid launched by a kernel squares values in place, of two blocks: one reads the other's.
// Fixed: A grid launched by a kernel squares values; the parent's stores before the launch are
// seen by it.
#include <cstdio>
#include <vector>

__global__ void child(int *v, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  v[i] = v[i] * v[i];
#else
  v[i] = v[i] * v[n - 1 - i]; // BUG
#endif
}

__global__ void parent(const int *in, int *out, int n) {
  if (threadIdx.x == 0) {
    for (int i = 0; i < n; ++i) out[i] = in[i] + 1;
    child<<<2, 32>>>(out, n);
  }
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
  parent<<<1, 32>>>(in, out, n);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}

// Stream-ordered allocation: cudaMallocAsync, cudaFreeAsync, pool attributes; graph capture of a small chain.
// expect: pass
#include <cstdio>
#include <vector>

__global__ void fill(int *p, int n, int v) {
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
    p[i] = v + i;
}
__global__ void add_into(int *p, const int *q, int n) {
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
    p[i] += q[i];
}

int main() {
  int supported = 0;
  cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0);
  if (!supported) return puts("pools are not supported"), 1;
  cudaMemPool_t pool;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  unsigned long long threshold = ~0ull;
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
  cudaStream_t s;
  cudaStreamCreate(&s);
  const int n = 5000;
  std::vector<int> h(n);
  bool ok = true;
  for (int round = 0; round < 3; ++round) {
    int *a, *b;
    cudaMallocAsync(&a, n * sizeof(int), s);
    cudaMallocAsync((void **)&b, n * sizeof(int), s);
    fill<<<4, 128, 0, s>>>(a, n, round);
    fill<<<4, 128, 0, s>>>(b, n, 10 * round);
    add_into<<<4, 128, 0, s>>>(a, b, n);
    cudaMemcpyAsync(h.data(), a, n * sizeof(int), cudaMemcpyDeviceToHost, s);
    cudaFreeAsync(a, s);
    cudaFreeAsync(b, s);
    cudaStreamSynchronize(s);
    for (int i = 0; i < n; ++i) ok = ok && h[i] == 2 * i + 11 * round;
  }
  cudaStreamDestroy(s);
  ok = ok && cudaGetLastError() == cudaSuccess;
  puts(ok ? "PASSED" : "FAILED");
  return !ok;
}

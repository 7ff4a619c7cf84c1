// Sizes as real programs have them: 2^24 elements, half a gigabyte reserved, many small allocations, long streams of launches.
// expect: pass
// limit: 60
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void init(float *p, size_t n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = (float)(i & 1023);
}
__global__ void triad(float *a, const float *b, const float *c, float s, size_t n) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)blockDim.x * gridDim.x)
    a[i] = b[i] + s * c[i];
}
__global__ void tick(unsigned *counter) {
  if (threadIdx.x == 0) ++*counter;
}

int main() {
  const size_t n = size_t(1) << 24;
  float *a, *b, *c, *reserve;
  if (cudaMalloc(&a, n * 4) || cudaMalloc(&b, n * 4) || cudaMalloc(&c, n * 4)) return 1;
  if (cudaMalloc(&reserve, size_t(1) << 29)) return 2;
  init<<<(unsigned)((n + 255) / 256), 256>>>(b, n);
  init<<<(unsigned)((n + 1023) / 1024), 1024>>>(c, n);
  triad<<<1024, 256>>>(a, b, c, 2.0f, n);
  std::vector<float> h(n);
  cudaMemcpy(h.data(), a, n * 4, cudaMemcpyDeviceToHost);
  size_t bad = 0;
  for (size_t i = 0; i < n; i++) bad += h[i] != 3.0f * (i & 1023);
  cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(reserve);
  std::vector<void *> many(3000);
  for (size_t i = 0; i < many.size(); i++) bad += cudaMalloc(&many[i], 1 + i % 5000) != cudaSuccess;
  for (size_t i = 0; i < many.size(); i += 2) bad += cudaFree(many[i]) != cudaSuccess;
  for (size_t i = 0; i < many.size(); i += 2) bad += cudaMalloc(&many[i], 777) != cudaSuccess;
  for (void *p : many) bad += cudaFree(p) != cudaSuccess;
  unsigned *counter, count;
  cudaMalloc(&counter, 4);
  cudaMemset(counter, 0, 4);
  for (int i = 0; i < 20000; i++) tick<<<1, 32>>>(counter);
  cudaMemcpy(&count, counter, 4, cudaMemcpyDeviceToHost);
  bad += count != 20000;
  printf("%zu wrong, %u launches\n%s\n", bad, count, bad ? "FAILED" : "PASSED");
  cudaFree(counter);
  return bad != 0;
}

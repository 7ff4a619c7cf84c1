// Edges: zero-byte copies, empty ranges, n smaller than a block, free of NULL, memset of nothing.
// expect: pass
#include <cstdio>
#include <vector>

__global__ void inc(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) ++p[i];
}

#define EXPECT(x, code)                                                                    \
  do {                                                                                     \
    cudaError_t e_ = (x);                                                                  \
    if (e_ != (code)) {                                                                    \
      printf("line %d: %s gives %s, not %s\n", __LINE__, #x, cudaGetErrorName(e_), #code); \
      ++bad;                                                                               \
    }                                                                                      \
  } while (0)

int main() {
  int bad = 0, *p = nullptr, *q = nullptr;
  EXPECT(cudaFree(nullptr), cudaSuccess);
  EXPECT(cudaFree(0), cudaSuccess);
  EXPECT(cudaFreeHost(NULL), cudaSuccess);
  EXPECT(cudaMalloc(&p, 0), cudaSuccess);
  EXPECT(cudaMalloc(&q, 10 * sizeof(int)), cudaSuccess);
  EXPECT(cudaMemset(q, 0, 0), cudaSuccess);
  EXPECT(cudaMemset(q, 0, 10 * sizeof(int)), cudaSuccess);
  std::vector<int> empty;
  EXPECT(cudaMemcpy(q, empty.data(), 0, cudaMemcpyHostToDevice), cudaSuccess);
  inc<<<1, 256>>>(q, 0);
  EXPECT(cudaGetLastError(), cudaSuccess);
  inc<<<1, 256>>>(q, 3);
  EXPECT(cudaDeviceSynchronize(), cudaSuccess);
  inc<<<0, 256>>>(q, 3);
  bad += cudaGetLastError() == cudaSuccess;
  inc<<<1, 0>>>(q, 3);
  bad += cudaGetLastError() == cudaSuccess;
  EXPECT(cudaGetLastError(), cudaSuccess);
  int h[10];
  EXPECT(cudaMemcpy(h, q, sizeof h, cudaMemcpyDeviceToHost), cudaSuccess);
  for (int i = 0; i < 10; i++) bad += h[i] != (i < 3);
  EXPECT(cudaFree(q), cudaSuccess);
  puts(bad ? "FAILED" : "PASSED");
  return bad;
}

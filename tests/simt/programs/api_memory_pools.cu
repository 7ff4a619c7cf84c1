// Stream-ordered allocation, memory pools and their counters.
// expect: pass
#include <cstdint>
#include <cstdio>

static int wrong;
#define EXPECT(condition) \
  if (!(condition)) ++wrong, printf("line %d: %s\n", __LINE__, #condition)
#define OK(call) EXPECT((call) == cudaSuccess)

__global__ void fill(int *p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}

int main() {
  cudaStream_t s;
  cudaMemPool_t pool, own;
  int *p, *q, h[100];
  uint64_t used = 1, threshold = UINT64_MAX;
  OK(cudaStreamCreate(&s));
  OK(cudaMallocAsync(&p, sizeof h, s));
  fill<<<1, 128, 0, s>>>(p, 100);
  OK(cudaMemcpyAsync(h, p, sizeof h, cudaMemcpyDeviceToHost, s));
  OK(cudaFreeAsync(p, s));
  OK(cudaStreamSynchronize(s));
  EXPECT(h[0] == 0 && h[99] == 99);
  EXPECT(cudaFreeAsync(p, s) == cudaErrorInvalidValue);
  cudaGetLastError();

  OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  threshold = 0;
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  EXPECT(threshold == UINT64_MAX);
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  props.location.id = 0;
  OK(cudaMemPoolCreate(&own, &props));
  OK(cudaMallocFromPoolAsync(&q, 1 << 20, own, s));
  OK(cudaStreamSynchronize(s));
  OK(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &used));
  EXPECT(used >= 1 << 20);
  fill<<<2, 64, 0, s>>>(q, 100);
  OK(cudaStreamSynchronize(s));
  OK(cudaFreeAsync(q, s));
  OK(cudaStreamSynchronize(s));
  OK(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &used));
  EXPECT(used == 0);
  OK(cudaMemPoolTrimTo(own, 0));
  OK(cudaMemPoolDestroy(own));
  OK(cudaMallocAsync(&p, 1000, 0));
  OK(cudaFree(p));
  EXPECT(cudaMallocAsync(&p, (size_t)1 << 46, s) == cudaErrorMemoryAllocation);
  cudaGetLastError();
  OK(cudaStreamDestroy(s));
  puts(wrong ? "FAILED" : "PASSED");
  return wrong != 0;
}

// What events and streams say: not recorded, no timing, destroyed, order by waiting, query, elapsed time that grows.
// expect: pass
#include <cstdio>

static int bad = 0;
#define EXPECT(x, code)                                                               \
  do {                                                                                \
    cudaError_t e_ = (x);                                                             \
    if (e_ != (code)) printf("line %d: %s\n", __LINE__, cudaGetErrorName(e_)), ++bad; \
    cudaGetLastError();                                                               \
  } while (0)

__global__ void work(float *p, int rounds) {
  float v = blockIdx.x ? 1.0f : p[threadIdx.x];
  for (int i = 0; i < rounds; i++) v = v * 0.999f + 1.0f;
  if (blockIdx.x == 0) p[threadIdx.x] = v;
}

int main() {
  cudaEvent_t a, b, quiet;
  cudaStream_t s, t;
  float *p, ms = -1, longer = -1;
  EXPECT(cudaMalloc(&p, 1024), cudaSuccess);
  EXPECT(cudaMemset(p, 0, 1024), cudaSuccess);
  EXPECT(cudaEventCreate(&a), cudaSuccess);
  EXPECT(cudaEventCreate(&b), cudaSuccess);
  EXPECT(cudaEventCreateWithFlags(&quiet, cudaEventDisableTiming), cudaSuccess);
  EXPECT(cudaStreamCreate(&s), cudaSuccess);
  EXPECT(cudaStreamCreate(&t), cudaSuccess);
  EXPECT(cudaEventElapsedTime(&ms, a, b), cudaErrorInvalidResourceHandle);
  EXPECT(cudaEventQuery(a), cudaSuccess);
  EXPECT(cudaEventRecord(a, s), cudaSuccess);
  work<<<1, 256, 0, s>>>(p, 100);
  EXPECT(cudaEventRecord(b, s), cudaSuccess);
  EXPECT(cudaStreamWaitEvent(t, b), cudaSuccess);
  work<<<1, 256, 0, t>>>(p, 100);
  EXPECT(cudaEventSynchronize(b), cudaSuccess);
  EXPECT(cudaEventElapsedTime(&ms, a, b), cudaSuccess);
  EXPECT(cudaEventRecord(a), cudaSuccess);
  work<<<64, 256>>>(p, 20000);
  EXPECT(cudaEventRecord(b), cudaSuccess);
  EXPECT(cudaEventSynchronize(b), cudaSuccess);
  EXPECT(cudaEventElapsedTime(&longer, a, b), cudaSuccess);
  EXPECT(cudaEventRecord(quiet), cudaSuccess);
  EXPECT(cudaEventSynchronize(quiet), cudaSuccess);
  EXPECT(cudaEventElapsedTime(&longer, a, quiet), cudaErrorInvalidResourceHandle);
  bad += ms < 0 || longer <= ms;
  EXPECT(cudaStreamQuery(s), cudaSuccess);
  EXPECT(cudaStreamSynchronize(0), cudaSuccess);
  EXPECT(cudaEventDestroy(a), cudaSuccess);
  EXPECT(cudaEventDestroy(b), cudaSuccess);
  EXPECT(cudaEventDestroy(quiet), cudaSuccess);
  EXPECT(cudaStreamDestroy(s), cudaSuccess);
  EXPECT(cudaStreamDestroy(t), cudaSuccess);
  EXPECT(cudaDeviceSynchronize(), cudaSuccess);
  printf("%g ms, then %g ms\n%s\n", ms, longer, bad ? "FAILED" : "PASSED");
  cudaFree(p);
  return bad;
}

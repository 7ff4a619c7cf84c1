// Memory for pointers to const, and the signatures that older programs use.
// expect: pass
#include <cstdio>

__global__ void sum(const float *a, const float *b, float *out, int n) {
  float s = 0;
  for (int i = 0; i < n; i++) s += a[i] * b[i];
  *out = s;
}

__global__ void fill(float *p, float v) { p[threadIdx.x] = v + threadIdx.x; }

static int check(cudaError_t e, int line) {
  if (e != cudaSuccess) printf("line %d: %s\n", line, cudaGetErrorString(e));
  return e != cudaSuccess;
}
#define CHECK(call) bad += check(call, __LINE__)

int main() {
  int bad = 0;
  const float *a, *b, *pinned, *mapped, *pitched, *later, *pooled, *last;
  const volatile float *v;
  const float *const *nested;
  float *out, host[8], result = 0;
  size_t pitch;
  cudaStream_t stream;
  cudaMemPool_t pool;
  for (int i = 0; i < 8; i++) host[i] = i * i - 3;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  CHECK(cudaMalloc(&a, sizeof host));
  CHECK(cudaMalloc(&v, 4));
  CHECK(cudaMalloc(&nested, 8));
  CHECK(cudaMallocManaged(&b, sizeof host));
  CHECK(cudaMallocHost(&pinned, sizeof host));
  CHECK(cudaHostAlloc(&mapped, sizeof host, cudaHostAllocMapped));
  const float *seen;
  CHECK(cudaHostGetDevicePointer(&seen, (void *)mapped, 0));
  CHECK(cudaMallocPitch(&pitched, &pitch, 100, 3));
  CHECK(cudaMallocAsync(&later, sizeof host, stream));
  CHECK(cudaMallocAsync(&pooled, sizeof host, pool, stream));
  CHECK(cudaMallocFromPoolAsync(&last, sizeof host, pool, stream));
  CHECK(cudaMalloc(&out, sizeof *out));
  CHECK(cudaMemcpy((void *)a, host, sizeof host, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy((void *)b, host, sizeof host, cudaMemcpyHostToDevice));
  sum<<<1, 1>>>(a, b, out, 8);
  CHECK(cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost));
  float want = 0;
  for (int i = 0; i < 8; i++) want += host[i] * host[i];
  bad += result != want;

  // A graph whose one kernel gets another argument.
  float *d, four[4];
  cudaGraph_t first, second;
  cudaGraphExec_t exec;
  cudaGraphNode_t wrong = nullptr;
  cudaGraphExecUpdateResult updated = cudaGraphExecUpdateError;
  CHECK(cudaMalloc(&d, sizeof four));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  fill<<<1, 4, 0, stream>>>(d, 10);
  CHECK(cudaStreamEndCapture(stream, &first));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  fill<<<1, 4, 0, stream>>>(d, 20);
  CHECK(cudaStreamEndCapture(stream, &second));
  CHECK(cudaGraphInstantiate(&exec, first, nullptr, nullptr, 0));
  CHECK(cudaGraphExecUpdate(exec, second, &wrong, &updated));
  bad += updated != cudaGraphExecUpdateSuccess || wrong != nullptr;
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy(four, d, sizeof four, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; i++) bad += four[i] != 20 + i;
  for (const void *p : {(const void *)a, (const void *)v, (const void *)nested, (const void *)b, (const void *)pitched,
                        (const void *)out, (const void *)d})
    CHECK(cudaFree((void *)p));
  CHECK(cudaFreeHost((void *)pinned));
  CHECK(cudaFreeHost((void *)mapped));
  for (const float *p : {later, pooled, last}) CHECK(cudaFreeAsync((void *)p, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(first));
  CHECK(cudaGraphDestroy(second));
  CHECK(cudaStreamDestroy(stream));
  printf("%s\n", bad ? "FAILED" : "PASSED");
  return bad != 0;
}

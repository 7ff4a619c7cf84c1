// Streams and events: creation, flags, priorities, order, callbacks, times, their errors.
// expect: pass
#include <cstdio>

static int wrong;
#define EXPECT(condition) \
  if (!(condition)) ++wrong, printf("line %d: %s\n", __LINE__, #condition)
#define OK(call) EXPECT((call) == cudaSuccess)
#define BAD(call) EXPECT((call) == cudaErrorInvalidValue)
#define NO_HANDLE(call) EXPECT((call) == cudaErrorInvalidResourceHandle)

__global__ void set(int *p, int v) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *p = v;
}
__global__ void add(int *p, const int *q) { *p += *q; }

static void CUDART_CB note(void *user) { *(int *)user += 1; }
static void CUDART_CB note_old(cudaStream_t, cudaError_t status, void *user) {
  if (status == cudaSuccess) *(int *)user += 10;
}

static void streams() {
  cudaStream_t s, t;
  int *d, least, greatest, priority = 9, calls = 0, h = 0;
  unsigned int flags = 9;
  OK(cudaMalloc(&d, 8));
  OK(cudaStreamCreate(&s));
  OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  OK(cudaStreamGetFlags(t, &flags));
  EXPECT(flags == cudaStreamNonBlocking);
  cudaEvent_t done;
  OK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  set<<<1, 1, 0, s>>>(d, 40);
  OK(cudaEventRecord(done, s));
  OK(cudaStreamWaitEvent(t, done, 0));
  set<<<1, 1, 0, t>>>(d + 1, 2);
  add<<<1, 1, 0, t>>>(d, d + 1);
  OK(cudaMemcpyAsync(&h, d, 4, cudaMemcpyDeviceToHost, t));
  OK(cudaLaunchHostFunc(t, note, &calls));
  OK(cudaStreamAddCallback(t, note_old, &calls, 0));
  OK(cudaStreamSynchronize(t));
  EXPECT(h == 42 && calls == 11);
  OK(cudaStreamQuery(t));
  OK(cudaEventQuery(done));
  OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT(least == 0 && greatest < 0);
  OK(cudaStreamDestroy(t));
  OK(cudaStreamCreateWithPriority(&t, cudaStreamDefault, greatest - 100));
  OK(cudaStreamGetPriority(t, &priority));
  EXPECT(priority == greatest);
  OK(cudaStreamDestroy(t));
  OK(cudaStreamDestroy(s));
  OK(cudaEventDestroy(done));
  OK(cudaStreamSynchronize(cudaStreamPerThread));
  OK(cudaStreamQuery(cudaStreamLegacy));
  BAD(cudaStreamCreate(nullptr));
  BAD(cudaStreamCreateWithFlags(&s, 2));
  NO_HANDLE(cudaStreamDestroy(0));
  BAD(cudaLaunchHostFunc(0, nullptr, nullptr));
  cudaFree(d);
}

static void events() {
  cudaEvent_t a, b, no_time;
  float ms = -1;
  int *d;
  OK(cudaMalloc(&d, 4));
  OK(cudaEventCreate(&a));
  OK(cudaEventCreate(&b, cudaEventBlockingSync));
  OK(cudaEventCreateWithFlags(&no_time, cudaEventDisableTiming));
  NO_HANDLE(cudaEventElapsedTime(&ms, a, b)); // neither was recorded
  OK(cudaEventQuery(a));
  OK(cudaEventSynchronize(a));
  OK(cudaEventRecord(b));
  NO_HANDLE(cudaEventElapsedTime(&ms, a, b));
  NO_HANDLE(cudaEventElapsedTime(&ms, b, a));
  OK(cudaEventRecord(a));
  for (int i = 0; i < 100; ++i) set<<<100, 256>>>(d, i);
  OK(cudaEventRecord(b));
  OK(cudaEventRecord(no_time, 0));
  OK(cudaEventSynchronize(b));
  OK(cudaEventElapsedTime(&ms, a, b));
  EXPECT(ms > 0 && ms < 60000);
  OK(cudaEventElapsedTime(&ms, a, a));
  EXPECT(ms == 0);
  NO_HANDLE(cudaEventElapsedTime(&ms, a, no_time));
  BAD(cudaEventElapsedTime(nullptr, a, b));
  OK(cudaEventDestroy(a));
  OK(cudaEventDestroy(b));
  OK(cudaEventDestroy(no_time));
  NO_HANDLE(cudaEventRecord(nullptr, 0));
  NO_HANDLE(cudaStreamWaitEvent(0, nullptr, 0));
  BAD(cudaEventCreateWithFlags(&a, 8));
  BAD(cudaEventCreateWithFlags(&a, cudaEventInterprocess));
  cudaFree(d);
}

int main() {
  streams();
  events();
  puts(wrong ? "FAILED" : "PASSED");
  return wrong != 0;
}

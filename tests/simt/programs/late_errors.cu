// A kernel that fails after its launch has returned: later calls tell, what was issued behind it never
// runs, and the error stays.
// expect: status 3, stdout "PASSED", stderr "kernel fail_when_told"
// env: SIMT_THREADS=2
#include <cstdio>

static int wrong, called;
#define EXPECT(condition) \
  if (!(condition)) ++wrong, printf("line %d: %s\n", __LINE__, #condition)
#define OK(call) EXPECT((call) == cudaSuccess)

__global__ void fail_when_told(volatile int *go, int *nowhere) {
  while (!*go) {
  }
  *nowhere = 1;
}
__global__ void set(int *p) { *p = 1; }
static void CUDART_CB note(void *) { called = 1; }

int main() {
  int *go, *touched, *nowhere = (int *)16;
  cudaEvent_t event;
  OK(cudaHostAlloc(&go, sizeof *go, cudaHostAllocMapped));
  OK(cudaHostAlloc(&touched, sizeof *touched, cudaHostAllocMapped));
  OK(cudaEventCreate(&event));
  *go = *touched = 0;
  fail_when_told<<<1, 1>>>(go, nowhere);
  OK(cudaGetLastError());
  set<<<1, 1>>>(touched);
  OK(cudaGetLastError());
  OK(cudaLaunchHostFunc(0, note, 0));
  OK(cudaEventRecord(event, 0));
  EXPECT(cudaEventQuery(event) == cudaErrorNotReady);
  *(volatile int *)go = 1;
  EXPECT(cudaEventSynchronize(event) == cudaErrorIllegalAddress);
  EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);
  EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  set<<<1, 1>>>(touched);
  EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);
  EXPECT(*touched == 0 && called == 0);
  puts(wrong ? "FAILED" : "PASSED");
  return 0;
}

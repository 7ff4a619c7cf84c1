// A fault in a kernel: not known at the launch, given by the next waiting call, then by every call
// that needs the context; what needs none still answers; a reset does not bring the device back.
// expect: status 3, stdout "PASSED", no stdout "FAILED"
#include <cstdio>

static int wrong;
#define EXPECT(condition) \
  if (!(condition)) ++wrong, printf("line %d: %s\n", __LINE__, #condition)
#define OK(call) EXPECT((call) == cudaSuccess)
#define LOST(call) EXPECT((call) == cudaErrorIllegalAddress)

__global__ void store(int *p) { *p = 1; }
__global__ void nothing() {}

int main() {
  int *d, n = 0;
  cudaDeviceProp p;
  cudaEvent_t e;
  OK(cudaMalloc(&d, 4));
  store<<<1, 1>>>(nullptr);
  OK(cudaGetLastError());
  LOST(cudaDeviceSynchronize());
  LOST(cudaPeekAtLastError());
  LOST(cudaGetLastError());
  OK(cudaGetLastError());
  LOST(cudaDeviceSynchronize());
  LOST(cudaMalloc(&d, 4));
  LOST(cudaFree(d));
  LOST(cudaMemcpy(&n, d, 4, cudaMemcpyDeviceToHost));
  LOST(cudaEventCreate(&e));
  LOST(cudaStreamQuery(0));
  nothing<<<1, 1>>>();
  LOST(cudaGetLastError());
  OK(cudaGetDevice(&n));
  OK(cudaGetDeviceCount(&n));
  OK(cudaGetDeviceProperties(&p, 0));
  OK(cudaSetDevice(0));
  OK(cudaDeviceReset());
  EXPECT(cudaMalloc(&d, 4) == cudaErrorDevicesUnavailable);
  puts(wrong ? "FAILED" : "PASSED");
  return wrong != 0;
}

// Copies and kernels in four streams with pinned memory, events between streams, callbacks.
// expect: pass
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <math.h>

// Convenience function for checking CUDA runtime API results
inline cudaError_t checkCuda(cudaError_t result) {
#if defined(DEBUG) || defined(_DEBUG)
  if (result != cudaSuccess) {
    fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
    exit(1);
  }
#endif
  return result;
}

__global__ void kernel(float *a, int offset) {
  int i = offset + threadIdx.x + blockIdx.x * blockDim.x;
  float x = (float)i;
  float s = sinf(x);
  float c = cosf(x);
  a[i] = a[i] + sqrtf(s * s + c * c);
}

float maxError(float *a, int n) {
  float maxE = 0;
  for (int i = 0; i < n; i++) {
    float error = fabs(a[i] - 1.0f);
    if (error > maxE) maxE = error;
  }
  return maxE;
}

static int called = 0;
static void CUDART_CB when_done(cudaStream_t, cudaError_t status, void *user) {
  if (status == cudaSuccess) called += *(int *)user;
}
static void host_function(void *user) { called += *static_cast<int *>(user); }

int main(int argc, char **argv) {
  const int blockSize = 256, nStreams = 4;
  const int n = 4 * blockSize * nStreams * 4;
  const int streamSize = n / nStreams;
  const int streamBytes = streamSize * sizeof(float);
  const int bytes = n * sizeof(float);
  int devId = 0;
  if (argc > 1) devId = atoi(argv[1]);
  cudaDeviceProp prop;
  checkCuda(cudaGetDeviceProperties(&prop, devId));
  printf("Device : %s\n", prop.name);
  checkCuda(cudaSetDevice(devId));
  float *a, *d_a;
  checkCuda(cudaMallocHost((void **)&a, bytes));
  checkCuda(cudaMalloc((void **)&d_a, bytes));
  float ms;
  cudaEvent_t startEvent, stopEvent, dummyEvent;
  cudaStream_t stream[nStreams];
  checkCuda(cudaEventCreate(&startEvent));
  checkCuda(cudaEventCreate(&stopEvent));
  checkCuda(cudaEventCreateWithFlags(&dummyEvent, cudaEventDisableTiming));
  for (int i = 0; i < nStreams; ++i) checkCuda(cudaStreamCreate(&stream[i]));
  bool ok = true;
  memset(a, 0, bytes);
  checkCuda(cudaEventRecord(startEvent, 0));
  for (int i = 0; i < nStreams; ++i) {
    int offset = i * streamSize;
    checkCuda(cudaMemcpyAsync(&d_a[offset], &a[offset], streamBytes, cudaMemcpyHostToDevice, stream[i]));
    kernel<<<streamSize / blockSize, blockSize, 0, stream[i]>>>(d_a, offset);
    checkCuda(cudaMemcpyAsync(&a[offset], &d_a[offset], streamBytes, cudaMemcpyDeviceToHost, stream[i]));
  }
  checkCuda(cudaEventRecord(stopEvent, 0));
  checkCuda(cudaEventSynchronize(stopEvent));
  checkCuda(cudaEventElapsedTime(&ms, startEvent, stopEvent));
  printf("Time for asynchronous V1 transfer and execute (ms): %f\n  max error: %e\n", ms, maxError(a, n));
  ok &= maxError(a, n) < 1e-5;

  memset(a, 0, bytes);
  for (int i = 0; i < nStreams; ++i)
    cudaMemcpyAsync(&d_a[i * streamSize], &a[i * streamSize], streamBytes, cudaMemcpyHostToDevice, stream[i]);
  for (int i = 0; i < nStreams; ++i) kernel<<<streamSize / blockSize, blockSize, 0, stream[i]>>>(d_a, i * streamSize);
  checkCuda(cudaEventRecord(dummyEvent, stream[1]));
  checkCuda(cudaStreamWaitEvent(stream[2], dummyEvent, 0));
  for (int i = 0; i < nStreams; ++i)
    cudaMemcpyAsync(&a[i * streamSize], &d_a[i * streamSize], streamBytes, cudaMemcpyDeviceToHost, stream[i]);
  int one = 1, ten = 10;
  checkCuda(cudaStreamAddCallback(stream[0], when_done, &one, 0));
  checkCuda(cudaLaunchHostFunc(stream[1], host_function, &ten));
  for (int i = 0; i < nStreams; ++i) checkCuda(cudaStreamSynchronize(stream[i]));
  ok &= maxError(a, n) < 1e-5 && called == 11;
  ok &= cudaStreamQuery(stream[3]) == cudaSuccess && cudaEventQuery(dummyEvent) == cudaSuccess;
  cudaEventDestroy(startEvent);
  cudaEventDestroy(stopEvent);
  cudaEventDestroy(dummyEvent);
  for (int i = 0; i < nStreams; ++i) checkCuda(cudaStreamDestroy(stream[i]));
  cudaFree(d_a);
  cudaFreeHost(a);
  printf(ok ? "PASSED\n" : "FAILED\n");
  return ok ? 0 : 1;
}

// Copies and kernels in four streams with pinned memory, events between streams, callbacks.
// expect: pass
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <math.h>

// Checks in debug builds alone.
inline cudaError_t ok_or_exit(cudaError_t e) {
#ifndef NDEBUG
  if (e != cudaSuccess) {
    fprintf(stderr, "runtime: %s\n", cudaGetErrorString(e));
    exit(1);
  }
#endif
  return e;
}

// Adds one by host detour through the circle.
__global__ void add_circle(float *data, int first) {
  const int at = first + blockIdx.x * blockDim.x + threadIdx.x;
  float sn, cs;
  sincosf(0.001f * at, &sn, &cs);
  data[at] += sn * sn + cs * cs;
}

static float deviation(const float *v, int count) {
  float worst = 0;
  while (count-- > 0) worst = fmaxf(worst, fabsf(v[count] - 1.0f));
  return worst;
}

static int called = 0;
static void CUDART_CB when_done(cudaStream_t, cudaError_t status, void *user) {
  if (status == cudaSuccess) called += *(int *)user;
}
static void host_function(void *user) { called += *static_cast<int *>(user); }

int main(int argc, char **argv) {
  const int kThreads = 256, kStreams = 4;
  const int total = 4 * kThreads * kStreams * 4;
  const int chunk = total / kStreams;
  const int chunk_bytes = chunk * sizeof(float);
  const int bytes = total * sizeof(float);
  int device = 0;
  if (argc > 1) device = atoi(argv[1]);
  cudaDeviceProp prop;
  ok_or_exit(cudaGetDeviceProperties(&prop, device));
  printf("on %s\n", prop.name);
  ok_or_exit(cudaSetDevice(device));
  float *host, *dev;
  ok_or_exit(cudaMallocHost((void **)&host, bytes));
  ok_or_exit(cudaMalloc((void **)&dev, bytes));
  float ms;
  cudaEvent_t first, last, between;
  cudaStream_t lanes[kStreams];
  ok_or_exit(cudaEventCreate(&first));
  ok_or_exit(cudaEventCreate(&last));
  ok_or_exit(cudaEventCreateWithFlags(&between, cudaEventDisableTiming));
  for (int i = 0; i < kStreams; ++i) ok_or_exit(cudaStreamCreate(&lanes[i]));
  bool ok = true;
  memset(host, 0, bytes);
  ok_or_exit(cudaEventRecord(first, 0));
  for (int i = 0; i < kStreams; ++i) {
    int offset = i * chunk;
    ok_or_exit(cudaMemcpyAsync(&dev[offset], &host[offset], chunk_bytes, cudaMemcpyHostToDevice,
                               lanes[i]));
    add_circle<<<chunk / kThreads, kThreads, 0, lanes[i]>>>(dev, offset);
    ok_or_exit(cudaMemcpyAsync(&host[offset], &dev[offset], chunk_bytes, cudaMemcpyDeviceToHost,
                               lanes[i]));
  }
  ok_or_exit(cudaEventRecord(last, 0));
  ok_or_exit(cudaEventSynchronize(last));
  ok_or_exit(cudaEventElapsedTime(&ms, first, last));
  printf("one lanes after the other: %f ms, deviation %g\n", ms, deviation(host, total));
  ok &= deviation(host, total) < 1e-5;

  memset(host, 0, bytes);
  for (int i = 0; i < kStreams; ++i)
    cudaMemcpyAsync(&dev[i * chunk], &host[i * chunk], chunk_bytes, cudaMemcpyHostToDevice,
                    lanes[i]);
  for (int i = 0; i < kStreams; ++i)
    add_circle<<<chunk / kThreads, kThreads, 0, lanes[i]>>>(dev, i * chunk);
  ok_or_exit(cudaEventRecord(between, lanes[1]));
  ok_or_exit(cudaStreamWaitEvent(lanes[2], between, 0));
  for (int i = 0; i < kStreams; ++i)
    cudaMemcpyAsync(&host[i * chunk], &dev[i * chunk], chunk_bytes, cudaMemcpyDeviceToHost,
                    lanes[i]);
  int one = 1, ten = 10;
  ok_or_exit(cudaStreamAddCallback(lanes[0], when_done, &one, 0));
  ok_or_exit(cudaLaunchHostFunc(lanes[1], host_function, &ten));
  for (int i = 0; i < kStreams; ++i) ok_or_exit(cudaStreamSynchronize(lanes[i]));
  ok &= deviation(host, total) < 1e-5 && called == 11;
  ok &= cudaStreamQuery(lanes[3]) == cudaSuccess && cudaEventQuery(between) == cudaSuccess;
  cudaEventDestroy(first);
  cudaEventDestroy(last);
  cudaEventDestroy(between);
  for (int i = 0; i < kStreams; ++i) ok_or_exit(cudaStreamDestroy(lanes[i]));
  cudaFree(dev);
  cudaFreeHost(host);
  printf(ok ? "PASSED\n" : "FAILED\n");
  return ok ? 0 : 1;
}

// find: nothing
// The host waits for one stream by a query and by an event before it launches in another.
#include <cstdio>

__global__ void next(int *v) { v[threadIdx.x] += threadIdx.x + 1; }

int main() {
  int *v, host[32];
  cudaStream_t streams[3];
  cudaEvent_t event;
  cudaMalloc(&v, sizeof host);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  for (auto &s : streams) cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaMemsetAsync(v, 0, sizeof host, streams[0]);
  next<<<1, 32, 0, streams[0]>>>(v);
  while (cudaStreamQuery(streams[0]) == cudaErrorNotReady) {
  }
  next<<<1, 32, 0, streams[1]>>>(v);
  cudaEventRecord(event, streams[1]);
  cudaEventSynchronize(event);
  next<<<1, 32, 0, streams[2]>>>(v);
  cudaDeviceSynchronize();
  next<<<1, 32>>>(v);
  cudaMemcpy(host, v, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", host[31], cudaGetErrorString(cudaGetLastError()));
  for (auto s : streams) cudaStreamDestroy(s);
  cudaEventDestroy(event);
  cudaFree(v);
}

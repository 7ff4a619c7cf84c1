// find: race global read/write streams
// Two streams: the second kernel reads what the first one writes, nothing makes it wait.
// Fixed: Two streams: the second one waits for an event that is recorded behind the first
// kernel.
#include <cstdio>

__global__ void produce(int *a) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x * 3; // BUG
}

__global__ void consume(const int *a, int *b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] + 1; // BUG
}

int main() {
  const int n = 128;
  int *a, *b, host[n];
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEvent_t made;
  cudaEventCreateWithFlags(&made, cudaEventDisableTiming);
  produce<<<2, 64, 0, first>>>(a);
  cudaEventRecord(made, first);
#ifdef FIXED
  cudaStreamWaitEvent(second, made, 0);
#endif
  consume<<<2, 64, 0, second>>>(a, b);
  cudaDeviceSynchronize();
  cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", host[n - 1], cudaGetErrorString(cudaGetLastError()));
  cudaEventDestroy(made);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFree(a);
  cudaFree(b);
}

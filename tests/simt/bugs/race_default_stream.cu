// find: race global read/write streams
// A stream that does not wait for the default stream reads what a kernel there writes.
// Fixed: A stream made by cudaStreamCreate waits for the default stream, and that for it.
#include <cstdio>

__global__ void square(int *v) { v[threadIdx.x] *= v[threadIdx.x]; } // BUG

__global__ void sum(const int *v, int *result) {
  int s = 0;
  for (int i = 0; i < 64; ++i) s += v[i]; // BUG
  *result = s;
}

int main() {
  int *v, *result, host = 0, init[64];
  for (int i = 0; i < 64; ++i) init[i] = i;
  cudaMalloc(&v, sizeof init);
  cudaMalloc(&result, sizeof(int));
  cudaMemcpy(v, init, sizeof init, cudaMemcpyHostToDevice);
  cudaStream_t other;
#ifdef FIXED
  cudaStreamCreate(&other);
#else
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
#endif
  square<<<1, 64>>>(v);
  sum<<<1, 1, 0, other>>>(v, result);
  cudaStreamSynchronize(other);
  cudaMemcpy(&host, result, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", host, cudaGetErrorString(cudaGetLastError()));
  cudaStreamDestroy(other);
  cudaFree(v);
  cudaFree(result);
}

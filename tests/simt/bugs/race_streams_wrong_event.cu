// find: race global read/write streams
// The event is recorded before the kernel that it should stand for.
// Fixed: The event is recorded behind the kernel that it stands for.
#include <cstdio>

#define N 64

__global__ void scale(float *v, float f) { v[threadIdx.x] *= f; } // BUG

__global__ void add(const float *v, float *sum) {
  float s = 0;
  for (int i = 0; i < N; ++i) s += v[i]; // BUG
  *sum = s;
}

int main() {
  float *v, *sum, result;
  cudaMalloc(&v, N * sizeof(float));
  cudaMalloc(&sum, sizeof(float));
  cudaMemset(v, 0, N * sizeof(float));
  cudaStream_t left, right;
  cudaEvent_t event;
  cudaStreamCreateWithFlags(&left, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&right, cudaStreamNonBlocking);
  cudaEventCreate(&event);
  cudaDeviceSynchronize();
#ifdef FIXED
  scale<<<1, N, 0, left>>>(v, 2.0f);
#endif
  cudaEventRecord(event, left);
#ifndef FIXED
  scale<<<1, N, 0, left>>>(v, 2.0f);
#endif
  cudaStreamWaitEvent(right, event);
  add<<<1, 1, 0, right>>>(v, sum);
  cudaMemcpyAsync(&result, sum, sizeof(float), cudaMemcpyDeviceToHost, right);
  cudaStreamSynchronize(right);
  cudaStreamSynchronize(left);
  std::printf("%g %s\n", result, cudaGetErrorString(cudaGetLastError()));
  cudaEventDestroy(event);
  cudaStreamDestroy(left);
  cudaStreamDestroy(right);
  cudaFree(v);
  cudaFree(sum);
}

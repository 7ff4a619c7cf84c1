// find: race streams
//
// Two buffers by turns: with three rounds the first is used again too early.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__global__ void produce(int *out, int value) { out[threadIdx.x] = value + threadIdx.x; } // BUG
__global__ void consume(const int *in, int *sum) { atomicAdd(sum, in[threadIdx.x]); }    // BUG

int main() {
  int *buffer[2], *sum, h;
  cudaStream_t s, t;
  cudaEvent_t full[2], empty[2];
  check(cudaStreamCreate(&s));
  check(cudaStreamCreate(&t));
  for (int i = 0; i < 2; ++i) {
    check(cudaMalloc(&buffer[i], 256));
    check(cudaEventCreate(&full[i]));
    check(cudaEventCreate(&empty[i]));
  }
  check(cudaMalloc(&sum, sizeof(int)));
  check(cudaMemset(sum, 0, sizeof(int)));
  for (int round = 0; round < 6; ++round) {
    const int b = round % 2;
#ifdef FIXED
    check(cudaStreamWaitEvent(s, empty[b], 0));
#endif
    produce<<<1, 64, 0, s>>>(buffer[b], round);
    check(cudaEventRecord(full[b], s));
    check(cudaStreamWaitEvent(t, full[b], 0));
    consume<<<1, 64, 0, t>>>(buffer[b], sum);
    check(cudaEventRecord(empty[b], t));
  }
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  check(cudaMemcpy(&h, sum, sizeof h, cudaMemcpyDeviceToHost));
  printf("%d\n", h);
  for (int i = 0; i < 2; ++i) {
    check(cudaFree(buffer[i]));
    check(cudaEventDestroy(full[i]));
    check(cudaEventDestroy(empty[i]));
  }
  check(cudaFree(sum));
  check(cudaStreamDestroy(s));
  check(cudaStreamDestroy(t));
}

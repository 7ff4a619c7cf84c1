// find: race streams
//
// Captured streams: the branch is forked, but what follows does not wait for it.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__global__ void fill(int *out, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value + i; // BUG
}

__global__ void add_one(int *data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1; // BUG
}

int main() {
  int *a, *b;
  cudaStream_t s, t;
  cudaEvent_t fork, join;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  check(cudaStreamCreate(&s));
  check(cudaStreamCreate(&t));
  check(cudaEventCreate(&fork));
  check(cudaEventCreate(&join));
  check(cudaMalloc(&a, 400));
  check(cudaMalloc(&b, 400));
  check(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  check(cudaMemsetAsync(b, 0, 400, s));
  check(cudaEventRecord(fork, s));
  check(cudaStreamWaitEvent(t, fork, 0));
  fill<<<1, 128, 0, t>>>(a, 100, 1);
  check(cudaEventRecord(join, t));
#ifdef FIXED
  check(cudaStreamWaitEvent(s, join, 0));
#endif
  add_one<<<1, 128, 0, s>>>(b, 100);
  add_one<<<1, 128, 0, s>>>(a, 100);
#ifndef FIXED
  check(cudaStreamWaitEvent(s, join, 0));
#endif
  check(cudaStreamEndCapture(s, &graph));
  check(cudaGraphInstantiate(&exec, graph, 0));
  check(cudaGraphLaunch(exec, s));
  check(cudaStreamSynchronize(s));
  check(cudaGraphExecDestroy(exec));
  check(cudaGraphDestroy(graph));
  check(cudaFree(a));
  check(cudaFree(b));
  check(cudaEventDestroy(fork));
  check(cudaEventDestroy(join));
  check(cudaStreamDestroy(s));
  check(cudaStreamDestroy(t));
}

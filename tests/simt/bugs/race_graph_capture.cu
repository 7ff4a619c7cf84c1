// find: race global read/write streams
// A captured graph: the branch in the second stream is not joined before the kernel that reads
// its result.
// Fixed: A captured graph with a fork and a join by events.
#include <cstdio>

__global__ void set(int *v, int f) { v[threadIdx.x] = f * threadIdx.x; } // BUG

__global__ void add(const int *a, const int *b, int *sum) {
  const int left = a[threadIdx.x], i = threadIdx.x;
  sum[i] = left + b[i]; // BUG
}

int main() {
  int *a, *b, *sum, host[32];
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, sizeof host);
  cudaMalloc(&sum, sizeof host);
  cudaMemset(b, 0, sizeof host);
  cudaStream_t main_stream, side;
  cudaEvent_t fork, join;
  cudaStreamCreateWithFlags(&main_stream, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  cudaDeviceSynchronize();
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(main_stream, cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, main_stream);
  cudaStreamWaitEvent(side, fork, 0);
  set<<<1, 32, 0, side>>>(b, 2);
  cudaEventRecord(join, side);
  set<<<1, 32, 0, main_stream>>>(a, 1);
#ifdef FIXED
  cudaStreamWaitEvent(main_stream, join, 0);
#endif
  add<<<1, 32, 0, main_stream>>>(a, b, sum);
#ifndef FIXED
  cudaStreamWaitEvent(main_stream, join, 0);
#endif
  cudaStreamEndCapture(main_stream, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, main_stream);
  cudaStreamSynchronize(main_stream);
  cudaMemcpy(host, sum, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", host[31], cudaGetErrorString(cudaGetLastError()));
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaEventDestroy(fork);
  cudaEventDestroy(join);
  cudaStreamDestroy(main_stream);
  cudaStreamDestroy(side);
  cudaFree(a);
  cudaFree(b);
  cudaFree(sum);
}

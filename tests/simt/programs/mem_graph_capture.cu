// A CUDA graph captured from a stream and launched several times.
// expect: pass
#include <cstdio>

__global__ void twice(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] *= 2;
}
__global__ void plus_one(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += 1;
}

int main() {
  const int n = 500;
  int *p, h[n], bad = 0;
  cudaStream_t s;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaMalloc(&p, n * sizeof(int));
  cudaMemset(p, 0, n * sizeof(int));
  cudaStreamCreate(&s);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  plus_one<<<4, 128, 0, s>>>(p, n);
  twice<<<4, 128, 0, s>>>(p, n);
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  for (int round = 0; round < 5; round++) cudaGraphLaunch(exec, s);
  cudaStreamSynchronize(s);
  cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
  for (int v : h) bad += v != 62;
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(s);
  printf("%d: %s\n", h[0], bad ? "FAILED" : "PASSED");
  cudaFree(p);
  return bad;
}

// find: race streams
//
// Two nodes of a graph without a dependency.
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
  int *a, n = 100, value = 1, h[100];
  check(cudaMalloc(&a, 400));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t first, second;
  check(cudaGraphCreate(&graph, 0));
  void *fill_arguments[] = {&a, &n, &value}, *add_arguments[] = {&a, &n};
  cudaKernelNodeParams p = {};
  p.func = reinterpret_cast<void *>(fill);
  p.gridDim = dim3(1);
  p.blockDim = dim3(128);
  p.kernelParams = fill_arguments;
  check(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &p));
  p.func = reinterpret_cast<void *>(add_one);
  p.kernelParams = add_arguments;
#ifdef FIXED
  check(cudaGraphAddKernelNode(&second, graph, &first, 1, &p));
#else
  check(cudaGraphAddKernelNode(&second, graph, nullptr, 0, &p));
#endif
  check(cudaGraphInstantiate(&exec, graph, 0));
  for (int round = 0; round < 3; ++round) check(cudaGraphLaunch(exec, 0));
  check(cudaDeviceSynchronize());
  check(cudaMemcpy(h, a, 400, cudaMemcpyDeviceToHost));
  printf("%d\n", h[99]);
  check(cudaGraphExecDestroy(exec));
  check(cudaGraphDestroy(graph));
  check(cudaFree(a));
}

// Graphs: recorded from streams, built by hand, launched many times, changed, refused.
// expect: pass
#include <cstdio>
#include <vector>

static int wrong;
#define EXPECT(condition) \
  if (!(condition)) ++wrong, printf("line %d: %s\n", __LINE__, #condition)
#define OK(call) EXPECT((call) == cudaSuccess)

__global__ void add(int *v, int n, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] += by;
}
template <class T> __global__ void twice(T *v, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= 2;
}
static void CUDART_CB count(void *user) { ++*(int *)user; }

enum { N = 1000 };

static void captured() {
  int *d, calls = 0;
  std::vector<int> h(N);
  cudaStream_t s, t;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaEvent_t fork, join;
  cudaStreamCaptureStatus status;
  size_t nodes = 0;
  OK(cudaMalloc(&d, N * sizeof(int)));
  OK(cudaStreamCreate(&s));
  OK(cudaStreamCreate(&t));
  OK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  OK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  OK(cudaMemset(d, 0, N * sizeof(int)));
  OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  OK(cudaStreamIsCapturing(s, &status));
  EXPECT(status == cudaStreamCaptureStatusActive);
  add<<<8, 128, 0, s>>>(d, N, 3);
  OK(cudaEventRecord(fork, s));
  OK(cudaStreamWaitEvent(t, fork, 0));
  twice<<<8, 128, 0, t>>>(d, N);
  OK(cudaEventRecord(join, t));
  OK(cudaStreamWaitEvent(s, join, 0));
  OK(cudaLaunchHostFunc(s, count, &calls));
  OK(cudaMemcpyAsync(h.data(), d, N * sizeof(int), cudaMemcpyDeviceToHost, s));
  OK(cudaStreamEndCapture(s, &graph));
  EXPECT(calls == 0 && h[0] == 0); // nothing has run
  OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  EXPECT(nodes >= 4);
  OK(cudaGraphInstantiate(&exec, graph, 0));
  OK(cudaGraphDestroy(graph));
  int expected = 0;
  for (int i = 0; i < 5; ++i) {
    OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    expected = (expected + 3) * 2;
    EXPECT(h[0] == expected && h[N - 1] == expected && calls == i + 1);
  }
  OK(cudaGraphExecDestroy(exec));
  add<<<8, 128, 0, t>>>(d, N, 1); // both streams work as usual again
  OK(cudaStreamSynchronize(t));
  OK(cudaStreamIsCapturing(t, &status));
  EXPECT(status == cudaStreamCaptureStatusNone);
  OK(cudaStreamDestroy(s));
  OK(cudaStreamDestroy(t));
  OK(cudaFree(d));
}

static void by_hand() {
  int *d, n = N, by = 5, calls = 0;
  std::vector<int> h(N);
  cudaGraph_t graph;
  cudaGraphNode_t set, first, second, back, host, roots[4];
  cudaGraphExec_t exec;
  size_t number = 4;
  OK(cudaMalloc(&d, N * sizeof(int)));
  OK(cudaGraphCreate(&graph, 0));
  cudaMemsetParams m = {};
  m.dst = d;
  m.value = 7;
  m.elementSize = 4;
  m.width = N;
  m.height = 1;
  OK(cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &m));
  void *arguments[] = {&d, &n, &by};
  cudaKernelNodeParams k = {};
  k.func = (void *)add;
  k.gridDim = dim3(8);
  k.blockDim = dim3(128);
  k.kernelParams = arguments;
  // Made in the wrong order: the second kernel must wait for the first all the same.
  cudaKernelNodeParams k2 = k;
  void *arguments2[] = {&d, &n};
  k2.func = (void *)twice<int>;
  k2.kernelParams = arguments2;
  OK(cudaGraphAddKernelNode(&second, graph, nullptr, 0, &k2));
  OK(cudaGraphAddKernelNode(&first, graph, &set, 1, &k));
  OK(cudaGraphAddDependencies(graph, &first, &second, nullptr, 1));
  OK(cudaGraphAddMemcpyNode1D(&back, graph, &second, 1, h.data(), d, N * sizeof(int),
                              cudaMemcpyDeviceToHost));
  cudaHostNodeParams c = {count, &calls};
  OK(cudaGraphAddHostNode(&host, graph, &back, 1, &c));
  by = 1000; // arguments were copied
  OK(cudaGraphGetRootNodes(graph, roots, &number));
  EXPECT(number == 1 && roots[0] == set);
  OK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
  OK(cudaGraphLaunch(exec, 0));
  OK(cudaDeviceSynchronize());
  EXPECT(h[0] == 24 && h[N - 1] == 24 && calls == 1);
  by = 6;
  OK(cudaGraphExecKernelNodeSetParams(exec, first, &k));
  OK(cudaGraphLaunch(exec, 0));
  OK(cudaDeviceSynchronize());
  EXPECT(h[0] == 26 && calls == 2);
  OK(cudaGraphExecDestroy(exec));

  cudaGraph_t outer;
  cudaGraphNode_t a, b;
  OK(cudaGraphCreate(&outer, 0));
  OK(cudaGraphAddChildGraphNode(&a, outer, nullptr, 0, graph));
  OK(cudaGraphAddChildGraphNode(&b, outer, &a, 1, graph));
  OK(cudaGraphInstantiate(&exec, outer, 0));
  OK(cudaGraphLaunch(exec, 0));
  OK(cudaDeviceSynchronize());
  EXPECT(calls == 4);
  OK(cudaGraphExecDestroy(exec));
  OK(cudaGraphDestroy(outer));
  OK(cudaGraphDestroy(graph));
  OK(cudaFree(d));
}

static void refused() {
  cudaStream_t s;
  cudaGraph_t graph = nullptr;
  OK(cudaStreamCreate(&s));
  EXPECT(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal) ==
         cudaErrorStreamCaptureUnsupported);
  EXPECT(cudaStreamEndCapture(s, &graph) == cudaErrorIllegalState);
  OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  EXPECT(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed) == cudaErrorIllegalState);
  EXPECT(cudaStreamSynchronize(s) == cudaErrorStreamCaptureUnsupported);
  EXPECT(cudaStreamEndCapture(s, &graph) == cudaErrorStreamCaptureInvalidated);
  EXPECT(graph == nullptr);
  cudaGetLastError();
  OK(cudaStreamSynchronize(s));
  OK(cudaStreamDestroy(s));
}

int main() {
  captured();
  by_hand();
  refused();
  puts(wrong ? "FAILED" : "PASSED");
  return wrong != 0;
}

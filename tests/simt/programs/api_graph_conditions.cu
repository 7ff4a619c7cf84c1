// Conditional nodes of graphs: if, while, switch, one in another.
// expect: pass
#include <cstdio>

static int check(bool fine, int line) {
  if (!fine) printf("line %d\n", line);
  return !fine;
}
#define CHECK(what) bad += check(what, __LINE__)
#define DONE(call) bad += check((call) == cudaSuccess, __LINE__)

__global__ void decide(cudaGraphConditionalHandle handle, const int *value) { cudaGraphSetConditional(handle, *value); }
__global__ void add(int *p, int v) { *p += v; }
__global__ void count_down(cudaGraphConditionalHandle handle, int *left, int *turns) {
  *turns += 1;
  *left -= 1;
  cudaGraphSetConditional(handle, *left > 0);
}

static cudaGraphNodeParams condition(cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                                     unsigned size) {
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeConditional;
  p.conditional.handle = handle;
  p.conditional.type = type;
  p.conditional.size = size;
  return p;
}

template <class... T> static cudaGraphNodeParams kernel(void (*function)(T...), void **arguments) {
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeKernel;
  p.kernel.func = (void *)function;
  p.kernel.gridDim = p.kernel.blockDim = dim3(1);
  p.kernel.kernelParams = arguments;
  return p;
}

static int chosen(int *m, cudaGraphConditionalNodeType type, unsigned size) {
  int bad = 0, *value = m, *sum = m + 1;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphConditionalHandle handle;
  cudaGraphNode_t first, node;
  cudaStream_t stream;
  DONE(cudaStreamCreate(&stream));
  DONE(cudaGraphCreate(&graph, 0));
  DONE(cudaGraphConditionalHandleCreate(&handle, graph));
  void *arguments[] = {&handle, &value};
  cudaGraphNodeParams p = kernel(decide, arguments);
  DONE(cudaGraphAddNode(&first, graph, nullptr, nullptr, 0, &p));
  p = condition(handle, type, size);
  DONE(cudaGraphAddNode(&node, graph, &first, nullptr, 1, &p));
  for (unsigned i = 0; i < size; i++) {
    cudaGraph_t body = p.conditional.phGraph_out[i], same;
    DONE(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, stream>>>(sum, 10 + i);
    DONE(cudaStreamEndCapture(stream, &same));
    CHECK(same == body);
  }
  DONE(cudaGraphInstantiate(&exec, graph, 0));
  for (unsigned v = 0; v < size + 2; v++) {
    *value = v, *sum = 0;
    DONE(cudaGraphLaunch(exec, stream));
    DONE(cudaStreamSynchronize(stream));
    unsigned which = type == cudaGraphCondTypeIf ? v == 0 : v;
    CHECK(*sum == (which < size ? int(10 + which) : 0));
  }
  DONE(cudaGraphExecDestroy(exec));
  DONE(cudaGraphDestroy(graph));
  DONE(cudaStreamDestroy(stream));
  return bad;
}

// Five times round, each time three times round within.
static int loops(int *m) {
  int bad = 0, *outer_left = m, *outer_turns = m + 1, *left = m + 2, *turns = m + 3, three = 3;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphConditionalHandle outer, inner;
  cudaGraphNode_t node, refill, set, within, last;
  DONE(cudaGraphCreate(&graph, 0));
  DONE(cudaGraphConditionalHandleCreate(&outer, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams p = condition(outer, cudaGraphCondTypeWhile, 1);
  DONE(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p));
  cudaGraph_t body = p.conditional.phGraph_out[0];
  DONE(cudaGraphConditionalHandleCreate(&inner, body));
  void *refill_arguments[] = {&left, &three}, *set_arguments[] = {&inner, &left};
  void *inner_arguments[] = {&inner, &left, &turns}, *outer_arguments[] = {&outer, &outer_left, &outer_turns};
  p = kernel(add, refill_arguments);
  DONE(cudaGraphAddNode(&refill, body, nullptr, nullptr, 0, &p));
  p = kernel(decide, set_arguments);
  DONE(cudaGraphAddNode(&set, body, &refill, nullptr, 1, &p));
  p = condition(inner, cudaGraphCondTypeWhile, 1);
  DONE(cudaGraphAddNode(&within, body, &set, nullptr, 1, &p));
  cudaGraph_t innermost = p.conditional.phGraph_out[0];
  p = kernel(count_down, outer_arguments);
  DONE(cudaGraphAddNode(&last, body, &within, nullptr, 1, &p));
  p = kernel(count_down, inner_arguments);
  DONE(cudaGraphAddNode(&last, innermost, nullptr, nullptr, 0, &p));
  DONE(cudaGraphInstantiate(&exec, graph, 0));
  for (int round = 0; round < 2; round++) {
    m[0] = 5, m[1] = m[2] = m[3] = 0;
    DONE(cudaGraphLaunch(exec, 0));
    DONE(cudaDeviceSynchronize());
    CHECK(m[0] == 0 && m[1] == 5 && m[2] == 0 && m[3] == 15);
  }
  p = condition(outer, cudaGraphCondTypeWhile, 2);
  CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p) == cudaErrorInvalidValue);
  DONE(cudaGraphExecDestroy(exec));
  DONE(cudaGraphDestroy(graph));
  return bad;
}

int main() {
  int *m, bad = 0;
  DONE(cudaMallocManaged(&m, 4 * sizeof *m));
  bad += chosen(m, cudaGraphCondTypeIf, 1) + chosen(m, cudaGraphCondTypeIf, 2);
  bad += chosen(m, cudaGraphCondTypeSwitch, 4) + loops(m);
  DONE(cudaFree(m));
  printf("%s\n", bad ? "FAILED" : "PASSED");
  return bad != 0;
}

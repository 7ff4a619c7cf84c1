// Graphs that allocate and free memory, and the nodes that a captured one comes after.
// expect: pass
#include <cstdint>
#include <cstdio>

__global__ void fill(int *p, int v) { p[threadIdx.x] = v + 3 * threadIdx.x; }
__global__ void add(const int *p, int *sum, int n) {
  for (int i = 0; i < n; i++) *sum += p[i];
}

static int check(bool fine, int line) {
  if (!fine) printf("line %d\n", line);
  return !fine;
}
#define CHECK(what) bad += check(what, __LINE__)
#define DONE(call) bad += check((call) == cudaSuccess, __LINE__)

static uint64_t graph_bytes(cudaGraphMemAttributeType attr) {
  uint64_t value = ~0ull;
  cudaDeviceGetGraphMemAttribute(0, attr, &value);
  return value;
}

static int by_hand(int *sum) {
  int bad = 0, n = 32, v = 5;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t take, first, second, give;
  cudaMemAllocNodeParams params = {}, read = {};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.bytesize = 32 * sizeof(int);
  DONE(cudaGraphCreate(&graph, 0));
  DONE(cudaGraphAddMemAllocNode(&take, graph, nullptr, 0, &params));
  CHECK(params.dptr != nullptr);
  void *fill_arguments[] = {&params.dptr, &v}, *add_arguments[] = {&params.dptr, &sum, &n};
  cudaKernelNodeParams kernel = {};
  kernel.func = (void *)fill, kernel.gridDim = 1, kernel.blockDim = 32, kernel.kernelParams = fill_arguments;
  DONE(cudaGraphAddKernelNode(&first, graph, &take, 1, &kernel));
  kernel.func = (void *)add, kernel.blockDim = 1, kernel.kernelParams = add_arguments;
  DONE(cudaGraphAddKernelNode(&second, graph, &first, 1, &kernel));
  DONE(cudaGraphAddMemFreeNode(&give, graph, &second, 1, params.dptr));
  DONE(cudaGraphMemAllocNodeGetParams(take, &read));
  void *freed = nullptr;
  DONE(cudaGraphMemFreeNodeGetParams(give, &freed));
  CHECK(read.dptr == params.dptr && read.bytesize == params.bytesize && freed == params.dptr);
  cudaGraphNodeType type;
  DONE(cudaGraphNodeGetType(take, &type));
  CHECK(type == cudaGraphNodeTypeMemAlloc);
  DONE(cudaGraphInstantiate(&exec, graph, 0));
  *sum = 0;
  for (int round = 0; round < 3; round++) DONE(cudaGraphLaunch(exec, 0));
  DONE(cudaDeviceSynchronize());
  CHECK(*sum == 3 * (32 * 5 + 3 * 31 * 16));
  CHECK(graph_bytes(cudaGraphMemAttrUsedMemCurrent) == 0);
  CHECK(graph_bytes(cudaGraphMemAttrUsedMemHigh) >= params.bytesize);
  uint64_t zero = 0;
  DONE(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));
  CHECK(graph_bytes(cudaGraphMemAttrUsedMemHigh) == 0);
  DONE(cudaGraphExecDestroy(exec));
  DONE(cudaGraphDestroy(graph));
  DONE(cudaDeviceGraphMemTrim(0));
  CHECK(graph_bytes(cudaGraphMemAttrReservedMemCurrent) == 0);
  return bad;
}

// Memory that outlives the launch is the program's to free, before the next one.
static int captured(int *sum) {
  int bad = 0, *p = nullptr, h[32];
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec, anew;
  DONE(cudaStreamCreate(&stream));
  DONE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  DONE(cudaMallocAsync(&p, sizeof h, stream));
  fill<<<1, 32, 0, stream>>>(p, 9);
  DONE(cudaStreamEndCapture(stream, &graph));
  DONE(cudaGraphInstantiate(&exec, graph, 0));
  DONE(cudaGraphInstantiate(&anew, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  DONE(cudaGraphLaunch(exec, stream));
  DONE(cudaMemcpyAsync(h, p, sizeof h, cudaMemcpyDeviceToHost, stream));
  DONE(cudaStreamSynchronize(stream));
  for (int i = 0; i < 32; i++) bad += h[i] != 9 + 3 * i;
  CHECK(cudaGraphLaunch(exec, stream) != cudaSuccess);
  cudaGetLastError();
  DONE(cudaFreeAsync(p, stream));
  DONE(cudaGraphLaunch(exec, stream));
  DONE(cudaFree(p));
  DONE(cudaGraphLaunch(anew, stream));
  DONE(cudaGraphLaunch(anew, stream));
  *sum = 0;
  DONE(cudaStreamSynchronize(stream));
  add<<<1, 1>>>(p, sum, 32);
  DONE(cudaDeviceSynchronize());
  CHECK(*sum == 32 * 9 + 3 * 31 * 16);
  DONE(cudaFree(p));
  DONE(cudaGraphExecDestroy(exec));
  DONE(cudaGraphExecDestroy(anew));
  DONE(cudaGraphDestroy(graph));
  DONE(cudaStreamDestroy(stream));
  return bad;
}

static int dependencies(int *sum) {
  int bad = 0;
  cudaStream_t stream, other;
  cudaEvent_t event;
  cudaGraph_t graph, ended;
  cudaStreamCaptureStatus status;
  unsigned long long id = 0, second = 0;
  const cudaGraphNode_t *after;
  size_t count = 99;
  DONE(cudaStreamCreate(&stream));
  DONE(cudaStreamCreate(&other));
  DONE(cudaEventCreate(&event));
  DONE(cudaStreamGetCaptureInfo(stream, &status));
  CHECK(status == cudaStreamCaptureStatusNone);
  DONE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  DONE(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &after, nullptr, &count));
  CHECK(status == cudaStreamCaptureStatusActive && count == 0 && id != 0);
  fill<<<1, 32, 0, stream>>>(sum, 1);
  DONE(cudaStreamGetCaptureInfo(stream, &status, &second, &graph, &after, nullptr, &count));
  CHECK(count == 1 && second == id);
  cudaGraphNode_t head = after[0], empty;
  DONE(cudaEventRecord(event, stream));
  DONE(cudaStreamWaitEvent(other, event, 0));
  fill<<<1, 32, 0, other>>>(sum + 32, 2);
  fill<<<1, 32, 0, stream>>>(sum + 64, 3);
  DONE(cudaEventRecord(event, other));
  DONE(cudaStreamWaitEvent(stream, event, 0));
  DONE(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, &after, nullptr, &count));
  CHECK(count == 2);
  // A node by hand, in place of both.
  DONE(cudaGraphAddEmptyNode(&empty, graph, after, count));
  DONE(cudaStreamUpdateCaptureDependencies(stream, &empty, nullptr, 1, cudaStreamSetCaptureDependencies));
  DONE(cudaStreamUpdateCaptureDependencies(stream, &head, nullptr, 1, cudaStreamAddCaptureDependencies));
  DONE(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, &after, nullptr, &count));
  CHECK(count == 2 && after[0] == empty && after[1] == head);
  fill<<<1, 32, 0, stream>>>(sum + 96, 4);
  DONE(cudaStreamEndCapture(stream, &ended));
  CHECK(ended == graph);
  size_t nodes = 0, roots = 0;
  DONE(cudaGraphGetNodes(graph, nullptr, &nodes));
  DONE(cudaGraphGetRootNodes(graph, nullptr, &roots));
  CHECK(nodes == 5 && roots == 1);
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &head, nullptr, 1, 0) == cudaErrorIllegalState);
  cudaGraphExec_t exec;
  DONE(cudaGraphInstantiate(&exec, graph, 0));
  DONE(cudaGraphLaunch(exec, stream));
  DONE(cudaStreamSynchronize(stream));
  for (int i = 0; i < 128; i++) bad += sum[i] != i / 32 + 1 + 3 * (i % 32);
  DONE(cudaGraphExecDestroy(exec));
  DONE(cudaGraphDestroy(graph));
  DONE(cudaEventDestroy(event));
  DONE(cudaStreamDestroy(stream));
  DONE(cudaStreamDestroy(other));
  return bad;
}

int main() {
  int *sum, bad = 0;
  DONE(cudaMallocManaged(&sum, 128 * sizeof *sum));
  bad += by_hand(sum) + captured(sum) + dependencies(sum);
  DONE(cudaFree(sum));
  printf("%s\n", bad ? "FAILED" : "PASSED");
  return bad != 0;
}

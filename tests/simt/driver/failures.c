/* Captures, failures of kernels, errors on demand. */
#include "libraries.h"

static const char text[] = "extern \"C\" __global__ void add(int *to, const int *from, int n) {\n"
                           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                           "  if (i < n) to[i] += from[i];\n"
                           "}\n"
                           "extern \"C\" __global__ void wrong(int *p) { p[threadIdx.x] = 1; }\n"
                           "extern \"C\" __global__ void trap() { __trap(); }\n";

static result launch(handle f, handle stream, void **arguments) {
  return cuLaunchKernel(f, 4, 1, 1, 256, 1, 1, 0, stream, arguments, NULL);
}

/* Three replays on changing data. */
static void replay(void) {
  enum { N = 1000 };
  static int data[N], back[N];
  handle f = function_of(module_of((start(), text)), "add"), s, graph, exec, of;
  pointer a = device_memory(sizeof data), b = device_memory(sizeof data);
  int n = N, status;
  uint64_t id = 0;
  void *arguments[] = {&a, &b, &n};
  OK(cuStreamCreate(&s, 1));
  OK(cuMemsetD8_v2(a, 1, sizeof data));
  OK(cuCtxSynchronize()); /* s does not wait for the legacy stream */
  OK(cuStreamBeginCapture_v2(s, 1));
  OK(cuStreamIsCapturing(s, &status));
  EXPECT(status, 1);
  OK(cuStreamGetCaptureInfo_v2(s, &status, &id, &of, NULL, NULL));
  EXPECT(status == 1 && id != 0 && of != NULL, 1);
  OK(cuMemsetD32Async(a, 100, N, s));
  OK(cuMemcpyHtoDAsync_v2(b, data, sizeof data, s));
  OK(launch(f, s, arguments));
  OK(launch(f, s, arguments));
  OK(cuMemcpyDtoHAsync_v2(back, a, sizeof back, s));
  EXPECT(cuStreamSynchronize(s), 900);
  OK(cuStreamIsCapturing(s, &status));
  EXPECT(status, 2); /* waiting for it has spoilt it */
  EXPECT(cuStreamEndCapture(s, &graph), 901);
  EXPECT(graph == NULL, 1);
  EXPECT(back[0], 0); /* nothing has run */
  OK(cuStreamBeginCapture_v2(s, 1));
  OK(cuMemsetD32Async(a, 100, N, s));
  OK(cuMemcpyHtoDAsync_v2(b, data, sizeof data, s));
  OK(launch(f, s, arguments));
  OK(launch(f, s, arguments));
  OK(cuMemcpyDtoHAsync_v2(back, a, sizeof back, s));
  OK(cuStreamEndCapture(s, &graph));
  EXPECT(cuStreamEndCapture(s, &of), 401);
  OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
  OK(cuGraphDestroy(graph));
  EXPECT(cuGraphDestroy(graph), 1);
  for (int round = 1; round < 4; ++round) {
    for (int i = 0; i < N; ++i) data[i] = i * round;
    OK(cuGraphLaunch(exec, s));
    OK(cuStreamSynchronize(s));
    for (int i = 0; i < N; ++i) EXPECT(back[i], 100 + 2 * i * round);
  }
  OK(cuGraphExecDestroy(exec));
  EXPECT(cuGraphLaunch(exec, s), 1);
}

static void forbidden(void) {
  start();
  pointer a = device_memory(4), b;
  handle s, t, graph;
  int mode = 2, status;
  OK(cuStreamCreate(&s, 1));
  OK(cuStreamCreate(&t, 0));
  OK(cuStreamBeginCapture_v2(s, 0));
  EXPECT(cuMemAlloc_v2(&b, 4), 900);
  EXPECT(cuStreamEndCapture(s, &graph), 901);
  OK(cuStreamBeginCapture_v2(s, 2)); /* relaxed */
  OK(cuMemAlloc_v2(&b, 4));
  OK(cuMemFree_v2(b));
  OK(cuStreamEndCapture(s, &graph));
  OK(cuThreadExchangeStreamCaptureMode(&mode));
  EXPECT(mode, 0);
  OK(cuStreamBeginCapture_v2(s, 0));
  OK(cuMemAlloc_v2(&b, 4)); /* this thread does not mind */
  OK(cuThreadExchangeStreamCaptureMode(&mode));
  EXPECT(mode, 2);
  OK(cuMemsetD8Async(a, 0, 4, NULL)); /* s does not wait for the legacy stream */
  OK(cuStreamEndCapture(s, &graph));
  OK(cuStreamBeginCapture_v2(t, 1));
  EXPECT(cuMemsetD8Async(a, 0, 4, NULL), 906);
  OK(cuStreamIsCapturing(t, &status));
  EXPECT(status, 2);
  EXPECT(cuStreamEndCapture(t, &graph), 901);
  EXPECT(cuStreamBeginCapture_v2(NULL, 0), 900);
  mode = 9;
  EXPECT(cuThreadExchangeStreamCaptureMode(&mode), 1);
}

/* Told by a call that waits, and by all that follow; another context is as good as new. */
static void lost(void) {
  handle own, module, other;
  pointer null = 0, a;
  int n = 4;
  OK(cuInit(0));
  OK(cuCtxCreate_v2(&other, 0, 0));
  OK(cuCtxCreate_v2(&own, 0, 0));
  module = module_of(text);
  a = device_memory(4096);
  handle wrong = function_of(module, "wrong"), add = function_of(module, "add");
  void *arguments[] = {&null, &a, &n};
  OK(cuMemsetD8_v2(a, 0, 4096));
  OK(launch(wrong, NULL, arguments));
  OK(launch(add, NULL, arguments)); /* it is not known yet, and nothing runs any more */
  OK(cuMemsetD8Async(a, 1, 4096, NULL));
  EXPECT(cuCtxSynchronize(), 700);
  EXPECT(cuMemAlloc_v2(&a, 4), 700);
  EXPECT(launch(add, NULL, arguments), 700);
  EXPECT(cuStreamQuery(NULL), 700);
  EXPECT(cuModuleUnload(module), 700);
  OK(cuCtxSetCurrent(other));
  a = device_memory(16);
  OK(cuCtxSynchronize());
  OK(cuCtxDestroy_v2(own));
  OK(cuCtxCreate_v2(&own, 0, 0));
  module = module_of(text);
  OK(launch(function_of(module, "trap"), NULL, NULL));
  EXPECT(cuStreamSynchronize(NULL) != 0, 1);
  OK(cuCtxDestroy_v2(own));
  start();
  a = device_memory(16);
  OK(cuDevicePrimaryCtxRelease_v2(0));
  EXPECT(cuMemFree_v2(a), 709);
}

static void injected(void) {
  handle program, context;
  pointer a = 0;
  start();
  setenv("SIMT_FAIL", "cuMemAlloc_v2:2", 1);
  OK(cuMemAlloc_v2(&a, 4));
  OK(cuMemFree_v2(a));
  EXPECT(cuMemAlloc_v2(&a, 4), 2);
  EXPECT(getenv("SIMT_FAIL") == NULL, 1);
  OK(cuMemAlloc_v2(&a, 4));
  setenv("SIMT_FAIL", "cuMemAlloc_v2:2", 1);
  OK(cuMemAlloc_v2(&a, 4));
  EXPECT(cuMemAlloc_v2(&a, 4), 2);
  setenv("SIMT_FAIL", "cuStreamQuery:1:600,cuMemAlloc_v2:1+", 1);
  EXPECT(cuStreamQuery(NULL), 600);
  for (int i = 0; i < 3; ++i) EXPECT(cuMemAlloc_v2(&a, 4), 2);
  setenv("SIMT_FAIL", "*:3:801", 1);
  OK(cuCtxSynchronize());
  OK(cuStreamQuery(NULL));
  EXPECT(cuCtxGetCurrent(&context), 801);
  setenv("SIMT_FAIL", "nvrtcCompileProgram:1:11", 1);
  OK(nvrtcCreateProgram(&program, text, NULL, 0, NULL, NULL));
  EXPECT(nvrtcCompileProgram(program, 0, NULL), 11);
  OK(nvrtcCompileProgram(program, 0, NULL));
  setenv("SIMT_FAIL", "nonsense,:,x:,cuInit:0,cuInit:-", 1);
  OK(cuInit(0));
  OK(cuCtxSynchronize());
  setenv("SIMT_FAIL", "cuCtxSynchronize:1:719", 1);
  EXPECT(cuCtxSynchronize(), 719);
  EXPECT(cuCtxSynchronize(), 719); /* the device is lost */
  OK(cuDevicePrimaryCtxRelease_v2(0));
  OK(cuDevicePrimaryCtxRetain(&context, 0));
  OK(cuCtxSynchronize());
}

int main(int argc, char **argv) {
  static const struct test_case cases[] = {{"replay", replay},
                                           {"forbidden", forbidden},
                                           {"lost", lost},
                                           {"injected", injected},
                                           {NULL, NULL}};
  return run_case(cases, argc, argv);
}

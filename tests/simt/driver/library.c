/* Libraries, which belong to no context, and their kernels; code that is not simt's; pools. */
#include "libraries.h"

#include <fcntl.h>
#include <unistd.h>

static const char text[] = "__device__ int calls;\n"
                           "extern \"C\" __global__ void put(char a, double b, int *to) {\n"
                           "  *to = a * 10 + (int)b + 1000 * calls++;\n"
                           "}\n";

static handle library_of(const char *text) {
  size_t bytes;
  handle library;
  char *image = image_of(text, &bytes);
  OK(cuLibraryLoadData(&library, image, NULL, NULL, 0, NULL, NULL, 0));
  memset(image, 0, bytes); /* it has a copy */
  free(image);
  return library;
}

static int run_put(handle kernel, char a, double b) {
  int got = -1;
  pointer d = device_memory(4);
  void *arguments[] = {&a, &b, &d};
  OK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
  OK(cuMemcpyDtoH_v2(&got, d, 4));
  OK(cuMemFree_v2(d));
  return got;
}

static void kernels(void) {
  handle kernel, same, of, function, module;
  const char *name;
  size_t offset, bytes, count;
  int value;
  start();
  handle library = library_of(text);
  EXPECT(cuLibraryGetKernel(&kernel, library, "missing"), 500);
  EXPECT(cuLibraryGetKernel(&kernel, library, "calls"), 500);
  EXPECT(cuLibraryGetKernel(NULL, library, "put"), 1);
  OK(cuLibraryGetKernel(&kernel, library, "put"));
  OK(cuLibraryGetKernel(&same, library, "put"));
  EXPECT(kernel == same, 1);
  OK(cuKernelGetName(&name, kernel));
  EXPECT(strcmp(name, "put"), 0);
  OK(cuKernelGetLibrary(&of, kernel));
  EXPECT(of == library, 1);
  OK(cuKernelGetParamCount(kernel, &count));
  EXPECT(count, 3);
  OK(cuKernelGetParamInfo(kernel, 1, &offset, &bytes));
  EXPECT(offset * 100 + bytes, 808);
  OK(cuKernelGetParamInfo(kernel, 2, &offset, NULL));
  EXPECT(offset, 16);
  EXPECT(cuKernelGetParamInfo(kernel, 3, &offset, &bytes), 1);
  OK(cuKernelGetAttribute(&value, 0, kernel, 0));
  EXPECT(value, 1024);
  EXPECT(cuKernelGetAttribute(&value, 0, kernel, 99), 101);
  EXPECT(run_put(kernel, 4, 2), 42);
  OK(cuKernelGetFunction(&function, kernel));
  OK(cuFuncGetName(&name, function));
  EXPECT(strcmp(name, "put"), 0);
  EXPECT(run_put(function, 4, 3), 1043);
  OK(cuLibraryGetModule(&module, library));
  EXPECT(run_put(function_of(module, "put"), 4, 4), 2044);
  OK(cuLibraryUnload(library));
  EXPECT(cuLibraryUnload(library), 400);
  EXPECT(cuKernelGetFunction(&function, kernel), 400);
  EXPECT(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), 400);
}

static size_t shared_for(int threads) { return (size_t)threads * 100; }

/* 227 KB of shared memory and 2,048 threads a multiprocessor. */
static void block_sizes(void) {
  handle kernel;
  int grid = 0, block = 0;
  start();
  OK(cuLibraryGetKernel(&kernel, library_of(text), "put"));
  OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, kernel, NULL, 0, 0));
  EXPECT(block * 100 + grid, 102408);
  OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, kernel, NULL, 0, 100));
  EXPECT(block, 64); /* of 100 threads, 1,600 would fit */
  OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, kernel, shared_for, 0, 0));
  EXPECT(block < 480 && block >= 32, 1);
  EXPECT(cuOccupancyMaxPotentialBlockSize(&grid, NULL, kernel, NULL, 0, 0), 1);
  EXPECT(cuOccupancyMaxPotentialBlockSize(&grid, &block, &grid, NULL, 0, 0), 400);
}

static void graphs(void) {
  struct {
    unsigned long long flags;
    handle upload, failed;
    int result;
  } parameters = {2, NULL, &parameters, -1};
  handle stream, graph, exec;
  int value = 0;
  start();
  pointer d = device_memory(4);
  OK(cuStreamCreate(&stream, 0));
  OK(cuStreamBeginCapture_v2(stream, 0));
  OK(cuMemsetD32Async(d, 7, 1, stream));
  OK(cuStreamEndCapture(stream, &graph));
  parameters.upload = stream;
  OK(cuGraphInstantiateWithParams(&exec, graph, &parameters));
  EXPECT(parameters.result == 0 && !parameters.failed, 1);
  OK(cuGraphUpload(exec, stream));
  OK(cuGraphLaunch(exec, stream));
  OK(cuMemcpyDtoH_v2(&value, d, 4));
  EXPECT(value, 7);
  EXPECT(cuGraphInstantiateWithParams(&exec, stream, &parameters), 1);
  EXPECT(parameters.result, 1);
  EXPECT(cuGraphInstantiateWithParams(&exec, graph, NULL), 1);
  EXPECT(cuGraphUpload(graph, stream), 1);
}

static void note_end(void *count) { ++*(int *)count; }

/* A graph's references go with it, and those of what was made of it. */
static void user_objects(void) {
  handle stream, graph, exec, object;
  int ended = 0;
  start();
  EXPECT(cuUserObjectCreate(&object, &ended, note_end, 1, 0), 1);
  EXPECT(cuUserObjectCreate(&object, &ended, note_end, 0, 1), 1);
  OK(cuUserObjectCreate(&object, &ended, note_end, 2, 1));
  OK(cuStreamCreate(&stream, 0));
  OK(cuStreamBeginCapture_v2(stream, 0));
  OK(cuStreamEndCapture(stream, &graph));
  EXPECT(cuGraphRetainUserObject(graph, object, 3, 1), 1);
  OK(cuGraphRetainUserObject(graph, object, 1, 1));
  OK(cuGraphRetainUserObject(graph, object, 2, 0));
  OK(cuGraphReleaseUserObject(graph, object, 2));
  EXPECT(cuGraphReleaseUserObject(graph, object, 2), 1);
  OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
  OK(cuUserObjectRetain(object, 1));
  OK(cuUserObjectRelease(object, 2));
  OK(cuGraphDestroy(graph));
  EXPECT(ended, 0);
  OK(cuGraphExecDestroy(exec));
  EXPECT(ended, 1);
  EXPECT(cuUserObjectRelease(object, 1), 1);
}

/* A module in each context, with variables of its own; what a context had goes with it. */
static void contexts(void) {
  handle kernel, first, second;
  pointer calls;
  size_t bytes;
  OK(cuInit(0));
  handle library = library_of(text);
  EXPECT(cuLibraryGetKernel(&kernel, library, "missing"), 500);
  OK(cuLibraryGetKernel(&kernel, library, "put"));
  EXPECT(cuLibraryGetGlobal(&calls, &bytes, library, "calls"), 201);
  for (int i = 0; i < 3; ++i) {
    OK(cuCtxCreate_v2(&first, 0, 0));
    EXPECT(run_put(kernel, 1, 1), 11);
    EXPECT(run_put(kernel, 1, 1), 1011);
    OK(cuCtxCreate_v2(&second, 0, 0));
    EXPECT(run_put(kernel, 1, 2), 12);
    OK(cuLibraryGetGlobal(&calls, &bytes, library, "calls"));
    EXPECT(bytes, 4);
    OK(cuCtxDestroy_v2(second));
    OK(cuCtxDestroy_v2(first));
  }
  OK(cuCtxCreate_v2(&first, 0, 0));
  EXPECT(run_put(kernel, 1, 1), 11);
  OK(cuLibraryUnload(library));
  OK(cuCtxDestroy_v2(first));
}

static void files(void) {
  char path[] = "/tmp/simt-library-XXXXXX";
  size_t bytes;
  handle library, kernel, module;
  start();
  char *image = image_of(text, &bytes);
  const int file = mkstemp(path);
  EXPECT(write(file, image, bytes), bytes);
  OK(cuModuleLoad(&module, path));
  EXPECT(run_put(function_of(module, "put"), 1, 1), 11);
  OK(cuLibraryLoadFromFile(&library, path, NULL, NULL, 0, NULL, NULL, 0));
  OK(cuLibraryGetKernel(&kernel, library, "put"));
  EXPECT(run_put(kernel, 1, 1), 11);
  EXPECT(ftruncate(file, (off_t)(bytes / 2)), 0);
  EXPECT(cuModuleLoad(&module, path) != 0, 1);
  EXPECT(ftruncate(file, 0), 0);
  EXPECT(cuModuleLoad(&module, path), 301);
  close(file);
  unlink(path);
  EXPECT(cuModuleLoad(&module, path), 301);
  EXPECT(cuLibraryLoadFromFile(&library, path, NULL, NULL, 0, NULL, NULL, 0), 301);
}

/* What a GPU's tools make is refused, in words if the program has room for them. */
static void foreign(void) {
  static const char ptx[] = "//\n// Generated by NVIDIA NVVM Compiler\n.version 8.0\n";
  char log[200] = "";
  int options[] = {5, 6, 4};
  void *values[] = {log, (void *)sizeof log, NULL};
  handle module, library, state;
  start();
  EXPECT(cuModuleLoadDataEx(&module, ptx, 2, options, values), 221);
  EXPECT(strstr(log, "PTX") && strstr(log, "Numba"), 1);
  EXPECT(strlen(log) + 1, (size_t)values[1]);
  values[1] = (void *)(size_t)10;
  memset(log, 'x', sizeof log);
  EXPECT(cuLibraryLoadData(&library, ptx, options, values, 2, NULL, NULL, 0), 221);
  EXPECT(strlen(log), 9);
  EXPECT(log[10], 'x');
  EXPECT(cuModuleLoadData(&module, "\177ELF\2\1\1\0\0\0\0\0\0\0\0"), 209);
  EXPECT(cuModuleLoadFatBinary(&module, "\x50\xED\x55\xBA\1\0\20\0\0\0\0"), 209);
  EXPECT(cuModuleLoadData(&module, "nonsense of another kind"), 200);
  EXPECT(cuModuleLoadData(&module, ""), 200);
  EXPECT(cuLinkCreate_v2(0, NULL, NULL, &state), 221);
  EXPECT(cuLinkDestroy(log), 400);
}

static void pools(void) {
  const int properties[22] = {1, 0, 1, 0};
  handle pool, same;
  pointer memory;
  uint64_t threshold = 1 << 20, used = 0;
  start();
  OK(cuDeviceGetDefaultMemPool(&pool, 0));
  OK(cuDeviceGetMemPool(&same, 0));
  EXPECT(pool == same, 1);
  EXPECT(cuDeviceGetMemPool(&same, 99), 101);
  same = NULL;
  OK(cuMemGetMemPool(&same, (const int[]){1, 0}, 1));
  EXPECT(pool == same, 1);
  EXPECT(cuMemGetMemPool(&same, (const int[]){2, 0}, 1), 801);
  EXPECT(cuMemGetMemPool(&same, (const int[]){1, 0}, 2), 801);
  OK(cuMemPoolSetAttribute(pool, 4, &threshold));
  OK(cuMemPoolCreate(&pool, properties));
  OK(cuMemAllocFromPoolAsync(&memory, 1000, pool, NULL));
  OK(cuMemPoolGetAttribute(pool, 7, &used));
  EXPECT(used, 1000);
  EXPECT(cuMemPoolGetAttribute(pool, 99, &used), 1);
  OK(cuMemFreeAsync(memory, NULL));
  OK(cuMemPoolGetAttribute(pool, 7, &used));
  EXPECT(used, 0);
  OK(cuDeviceSetMemPool(0, pool));
  OK(cuMemAllocAsync(&memory, 500, NULL));
  OK(cuMemPoolGetAttribute(pool, 7, &used));
  EXPECT(used, 500);
  OK(cuMemFreeAsync(memory, NULL));
  OK(cuMemPoolTrimTo(pool, 0));
  OK(cuMemPoolDestroy(pool));
  EXPECT(cuMemPoolDestroy(pool), 1);
}

int main(int argc, char **argv) {
  static const struct test_case cases[] = {{"kernels", kernels},
                                           {"block_sizes", block_sizes},
                                           {"graphs", graphs},
                                           {"user_objects", user_objects},
                                           {"contexts", contexts},
                                           {"files", files},
                                           {"foreign", foreign},
                                           {"pools", pools},
                                           {NULL, NULL}};
  return run_case(cases, argc, argv);
}

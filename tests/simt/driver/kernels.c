/* The driver API's work: modules, launches, captures, failures. */
#include "libraries.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static const char text[] =
    "__device__ int factor = 3;\n"
    "__constant__ float table[4] = {1, 2, 3, 4};\n"
    "struct pair { char c; double d; };\n"
    "extern \"C\" __global__ void scale(int *to, const int *from, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) to[i] = from[i] * factor;\n"
    "}\n"
    "extern \"C\" __global__ void turn(int *data) {\n"
    "  __shared__ int s[64];\n"
    "  s[threadIdx.x] = data[threadIdx.x];\n"
    "  __syncthreads();\n"
    "  data[threadIdx.x] = s[63 - threadIdx.x];\n"
    "}\n"
    "extern \"C\" __global__ void large(int *to, int words) {\n"
    "  extern __shared__ int d[];\n"
    "  for (int i = threadIdx.x; i < words; i += blockDim.x) d[i] = i;\n"
    "  __syncthreads();\n"
    "  if (!threadIdx.x) *to = d[words - 1] + d[1];\n"
    "}\n"
    "extern \"C\" __global__ void mixed(char a, double b, struct pair p, int *to) {\n"
    "  *to = a * 1000 + (int)b * 100 + p.c * 10 + (int)p.d;\n"
    "}\n"
    "extern \"C\" __global__ void __launch_bounds__(128) wrong(int *p) { *p = 1; }\n"
    "extern \"C\" __global__ void nothing() {}\n"
    "extern \"C\" __global__ void order(unsigned *ticket, unsigned *to) {\n"
    "  to[atomicAdd(ticket, 1u)] = blockIdx.x;\n"
    "}\n";

static result launch(handle f, unsigned grid, unsigned block, unsigned shared, handle stream,
                     void **arguments) {
  return cuLaunchKernel(f, grid, 1, 1, block, 1, 1, shared, stream, arguments, NULL);
}

static void run_turn(handle module, int begin) {
  int data[64];
  pointer d = device_memory(sizeof data);
  void *arguments[] = {&d};
  for (int i = 0; i < 64; ++i) data[i] = begin + i;
  OK(cuMemcpyHtoD_v2(d, data, sizeof data));
  OK(launch(function_of(module, "turn"), 1, 64, 0, NULL, arguments));
  OK(cuMemcpyDtoH_v2(data, d, sizeof data));
  for (int i = 0; i < 64; ++i) EXPECT(data[i], begin + 63 - i);
  OK(cuMemFree_v2(d));
}

/* Loaded and unloaded again and again, beside another with more static shared memory. */
static void modules(void) {
  static const char more[] = "extern \"C\" __global__ void turn(int *data) {\n"
                             "  __shared__ int s[64], t[5000];\n"
                             "  t[threadIdx.x * 70] = s[threadIdx.x] = data[threadIdx.x];\n"
                             "  __syncthreads();\n"
                             "  data[threadIdx.x] = t[(63 - threadIdx.x) * 70];\n"
                             "}\n";
  size_t bytes;
  handle module, f;
  start();
  char *image = image_of(text, &bytes);
  handle other = module_of(more);
  for (int i = 0; i < 60; ++i) {
    OK(cuModuleLoadData(&module, image));
    run_turn(module, i);
    run_turn(other, 2 * i);
    OK(cuModuleGetFunction(&f, module, "scale"));
    OK(cuModuleUnload(module));
    EXPECT(launch(f, 1, 1, 0, NULL, NULL), 400);
  }
  EXPECT(cuModuleUnload(module), 400);
  EXPECT(cuModuleGetFunction(&f, module, "scale"), 400);
  OK(cuModuleLoadDataEx(&module, image, 0, NULL, NULL));
  handle again;
  OK(cuModuleLoadData(&again, image)); /* twice at the same time */
  run_turn(module, 1);
  run_turn(again, 2);
  EXPECT(cuModuleGetFunction(&f, module, "missing"), 500);
  EXPECT(cuModuleGetFunction(&f, module, "printf"), 500);
  EXPECT(cuModuleGetFunction(&f, module, "factor"), 500);
  EXPECT(cuModuleGetFunction(&f, module, NULL), 1);
}

static void globals(void) {
  handle module = module_of((start(), text));
  pointer address;
  size_t bytes;
  int value = 5, n = 4, data[4] = {1, 2, 3, 4};
  float first;
  OK(cuModuleGetGlobal_v2(&address, &bytes, module, "factor"));
  EXPECT(bytes, 4);
  OK(cuMemcpyHtoD_v2(address, &value, 4));
  pointer d = device_memory(16);
  OK(cuMemcpyHtoD_v2(d, data, 16));
  void *arguments[] = {&d, &d, &n};
  OK(launch(function_of(module, "scale"), 1, 32, 0, NULL, arguments));
  OK(cuMemcpyDtoH_v2(data, d, 16));
  EXPECT(data[3], 20);
  OK(cuModuleGetGlobal_v2(&address, NULL, module, "table"));
  OK(cuMemcpyDtoH_v2(&first, address, 4));
  EXPECT(first, 1);
  EXPECT(cuModuleGetGlobal_v2(&address, &bytes, module, "missing"), 500);
  EXPECT(cuModuleGetGlobal_v2(&address, &bytes, module, "scale"), 500);
}

/* None of these is loaded, and nothing is read behind the end of memory. */
static void images(void) {
  const size_t page = 4096;
  size_t bytes;
  handle module;
  start();
  char *image = image_of(text, &bytes);
  const size_t room = (bytes + page - 1) / page * page;
  char *closed =
      mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(closed + room, page, PROT_NONE);
  EXPECT(cuModuleLoadData(&module, NULL), 1);
  EXPECT(cuModuleLoadData(NULL, image), 1);
  EXPECT(cuModuleLoadData(&module, ".version 8.0\n.target sm_90\n"), 221);
  EXPECT(cuModuleLoadData(&module, "versions\n"), 200);
  unsigned random = 1;
  for (size_t i = 0; i < 200; ++i) {
    random = random * 1664525u + 1013904223u;
    const size_t cut = i < 80 ? i * 2 : random % bytes;
    char *short_one = closed + room - cut;
    memcpy(short_one, image, cut);
    EXPECT(cuModuleLoadData(&module, short_one), 200);
  }
  char *flipped = malloc(bytes);
  for (size_t i = 0; i < 300; ++i) {
    random = random * 1664525u + 1013904223u;
    memcpy(flipped, image, bytes);
    flipped[i < 100 ? i % 72 : random % bytes] ^= (char)(1 << random % 8);
    EXPECT(cuModuleLoadData(&module, flipped), 200);
  }
  setenv("SIMT_ARCH", "8.9", 1);
  EXPECT(cuModuleLoadData(&module, image), 209);
  setenv("SIMT_ARCH", "sm_100", 1);
  EXPECT(cuModuleLoadData(&module, image), 209);
  unsetenv("SIMT_ARCH");
  OK(cuModuleLoadData(&module, image));
}

static void launches(void) {
  handle module = module_of((start(), text)), f = function_of(module, "scale"), s;
  int n = 1000, value, blocks = 0;
  pointer d = device_memory(4000);
  void *good[] = {&d, &d, &n}, *lacking[] = {&d, NULL, &n};
  OK(cuMemsetD32_v2(d, 2, 1000));
  OK(cuStreamCreate(&s, 0));
  OK(launch(f, 4, 256, 0, s, good));
  OK(cuMemcpyDtoH_v2(&value, d + 3996, 4));
  EXPECT(value, 6);
  EXPECT(launch(f, 4, 256, 0, NULL, lacking), 1);
  EXPECT(launch(f, 4, 256, 0, NULL, NULL), 1);
  EXPECT(launch(f, 0, 256, 0, NULL, good), 1);
  EXPECT(launch(f, 1, 1025, 0, NULL, good), 1);
  EXPECT(launch(NULL, 1, 1, 0, NULL, good), 400);
  EXPECT(launch(f, 1, 1, 0, (handle)0x55550, good), 400);
  OK(launch(function_of(module, "nothing"), 3, 32, 0, NULL, NULL));
  f = function_of(module, "large");
  int words = 232448 / 4;
  void *arguments[] = {&d, &words};
  EXPECT(launch(f, 1, 64, 232448, NULL, arguments), 1);
  EXPECT(cuFuncSetAttribute(f, 8, 232449), 1);
  OK(cuFuncSetAttribute(f, 8, 232448));
  OK(cuFuncGetAttribute(&value, 8, f));
  EXPECT(value, 232448);
  OK(launch(f, 1, 64, 232448, NULL, arguments));
  OK(cuMemcpyDtoH_v2(&value, d, 4));
  EXPECT(value, words);
  OK(cuFuncGetAttribute(&value, 0, function_of(module, "wrong")));
  EXPECT(value, 128);
  EXPECT(launch(function_of(module, "wrong"), 1, 256, 0, NULL, arguments), 1);
  OK(cuFuncGetAttribute(&value, 1, function_of(module, "turn")));
  EXPECT(value, 256);
  OK(cuFuncGetAttribute(&value, 4, f));
  EXPECT(cuFuncGetAttribute(&value, 99, f), 1);
  OK(cuFuncSetCacheConfig(f, 1));
  OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 256, 0));
  EXPECT(blocks, 8);
  EXPECT(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, NULL, 256, 0), 400);
}

struct attribute {
  int id, padding;
  union {
    int cooperative;
    unsigned cluster[3];
    char bytes[64];
  } value;
};
struct config {
  unsigned grid[3], block[3], shared;
  handle stream;
  struct attribute *attributes;
  unsigned count;
};

static void parameters(void) {
  struct pair {
    char c;
    double d;
  } p = {7, 9};
  handle module = module_of((start(), text)), f = function_of(module, "mixed");
  pointer d = device_memory(4);
  char a = 3;
  double b = 5;
  int value;
  void *each[] = {&a, &b, &p, &d};
  OK(launch(f, 1, 1, 0, NULL, each));
  OK(cuMemcpyDtoH_v2(&value, d, 4));
  EXPECT(value, 3579);
  struct {
    char a;
    double b;
    struct pair p;
    pointer to;
  } all = {4, 6, {8, 1}, d};
  size_t bytes = sizeof all;
  void *extra[] = {(void *)1, &all, (void *)2, &bytes, NULL};
  OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
  OK(cuMemcpyDtoH_v2(&value, d, 4));
  EXPECT(value, 4681);
  EXPECT(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, each, extra), 1);
  bytes = 8;
  EXPECT(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra), 1);
  struct attribute list[] = {{.id = 2, .value.cooperative = 1},
                             {.id = 4, .value.cluster = {1, 1, 1}}};
  struct config config = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .attributes = list, .count = 2};
  OK(cuLaunchKernelEx(&config, f, each, NULL));
  list[1].value.cluster[0] = 2;
  EXPECT(cuLaunchKernelEx(&config, f, each, NULL), 801);
  list[1].id = 77;
  EXPECT(cuLaunchKernelEx(&config, f, each, NULL), 801);
  EXPECT(cuLaunchKernelEx(NULL, f, each, NULL), 1);
}

/* Block 0 waits for block 1, which the same processor runs: the shared memory of each is its own. */
static void waiting(void) {
  static const char blocks[] = "extern \"C\" __global__ void wait(int *flag, int *to) {\n"
                               "  __shared__ int s[32];\n"
                               "  s[threadIdx.x] = blockIdx.x * 100 + threadIdx.x;\n"
                               "  __syncthreads();\n"
                               "  if (blockIdx.x == 0) while (atomicAdd(flag, 0) == 0) {}\n"
                               "  else if (threadIdx.x == 0) atomicExch(flag, 1);\n"
                               "  __syncthreads();\n"
                               "  to[blockIdx.x * 32 + threadIdx.x] = s[31 - threadIdx.x];\n"
                               "}\n";
  int back[64];
  setenv("SIMT_THREADS", "1", 1);
  handle f = function_of(module_of((start(), blocks)), "wait");
  pointer d = device_memory(4 + sizeof back), to = d + 4;
  void *arguments[] = {&d, &to};
  OK(cuMemsetD32_v2(d, 0, 1));
  OK(launch(f, 2, 32, 0, NULL, arguments));
  OK(cuMemcpyDtoH_v2(back, to, sizeof back));
  for (int i = 0; i < 64; ++i) EXPECT(back[i], i / 32 * 100 + 31 - i % 32);
}

static void order(void) {
  unsigned blocks[6];
  handle f = function_of(module_of((start(), text)), "order");
  pointer d = device_memory(28), list = d + 4;
  void *arguments[] = {&d, &list};
  OK(cuMemsetD32_v2(d, 0, 7));
  OK(launch(f, 6, 1, 0, NULL, arguments));
  OK(cuMemcpyDtoH_v2(blocks, list, sizeof blocks));
  for (int i = 0; i < 6; ++i) printf("%u", blocks[i]);
}

static void *one_thread(void *context) {
  handle s, module;
  int n = 500, value;
  OK(cuCtxSetCurrent(context));
  for (int i = 0; i < 20; ++i) {
    pointer d = device_memory(2000);
    void *arguments[] = {&d, &d, &n};
    module = module_of(text);
    OK(cuStreamCreate(&s, 1));
    OK(cuMemsetD32Async(d, (unsigned)i, 500, s));
    OK(launch(function_of(module, "scale"), 4, 128, 0, s, arguments));
    OK(cuMemcpyDtoHAsync_v2(&value, d + 1996, 4, s));
    OK(cuStreamSynchronize(s));
    EXPECT(value, 3 * i);
    OK(cuStreamDestroy_v2(s));
    OK(cuModuleUnload(module));
    OK(cuMemFree_v2(d));
  }
  return NULL;
}

static void threads(void) {
  pthread_t list[6];
  handle context = start();
  for (int i = 0; i < 6; ++i) pthread_create(&list[i], NULL, one_thread, context);
  for (int i = 0; i < 6; ++i) pthread_join(list[i], NULL);
}

int main(int argc, char **argv) {
  static const struct test_case cases[] = {
      {"modules", modules},   {"globals", globals},       {"images", images},
      {"launches", launches}, {"parameters", parameters}, {"order", order},
      {"waiting", waiting},   {"threads", threads},       {NULL, NULL}};
  return run_case(cases, argc, argv);
}

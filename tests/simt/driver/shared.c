/* Static shared memory of modules.
 *
 * Limits   what the checker says of it is asked by test_driver.py
 */
#include "libraries.h"

#include <pthread.h>

/* A module's static shared memory, when the module comes late, with pointers to the host's heap among
 * the parameters: what they point to is closed while the kernel runs, and shared memory is not. */
#define LINES                                                                                    \
  "extern \"C\" __global__ void reversed(int *data, const void *a, const void *b, int aligned) " \
  "{\n"                                                                                          \
  "  __shared__ __align__(128) int s[WORDS];\n"                                                  \
  "  if ((unsigned long long)s % 128) aligned = 0;\n"                                            \
  "  for (int i = threadIdx.x; i < WORDS; i += blockDim.x) s[i] = data[i] + aligned;\n"          \
  "  __syncthreads();\n"                                                                         \
  "  for (int i = threadIdx.x; i < WORDS; i += blockDim.x) data[i] = s[WORDS - 1 - i];\n"        \
  "}\n"

static void launch(handle module, const char *name, unsigned threads, void **arguments) {
  handle f = function_of(module, name);
  OK(cuLaunchKernel(f, 1, 1, 1, threads, 1, 1, 0, NULL, arguments, NULL));
}

static void run_reversed(handle module, int words) {
  static int data[12000];
  char *near = malloc(24), *far = malloc(100000);
  void *a = near + 8, *b = far;
  int aligned = 1;
  pointer d = device_memory((size_t)words * 4);
  void *arguments[] = {&d, &a, &b, &aligned};
  for (int i = 0; i < words; ++i) data[i] = i;
  OK(cuMemcpyHtoD_v2(d, data, (size_t)words * 4));
  launch(module, "reversed", 256, arguments);
  OK(cuMemcpyDtoH_v2(data, d, (size_t)words * 4));
  for (int i = 0; i < words; ++i) EXPECT(data[i], words - i);
  OK(cuMemFree_v2(d));
  free(near);
  free(far);
}

static handle reversal_of(int words) {
  char all[2048];
  snprintf(all, sizeof all, "#define WORDS %d\n%s", words, LINES);
  return module_of(all);
}

struct pair_of {
  handle context, small, large;
};

static void *in_thread(void *user) {
  const struct pair_of *two = user;
  OK(cuCtxSetCurrent(two->context));
  handle late = reversal_of(700);
  for (int i = 0; i < 3; ++i) {
    run_reversed(late, 700);
    run_reversed(two->large, 12000);
    run_reversed(two->small, 16);
  }
  OK(cuModuleUnload(late));
  return NULL;
}

static void late(void) {
  struct pair_of two = {start(), reversal_of(16), NULL};
  size_t bytes;
  pthread_t thread;
  handle others[50];
  run_reversed(two.small, 16);
  char *image = image_of("#define WORDS 64\n" LINES, &bytes);
  for (int i = 0; i < 50; ++i) {
    OK(cuModuleLoadData(&others[i], image));
    run_reversed(others[i], 64);
  }
  two.large = reversal_of(12000);
  run_reversed(two.large, 12000);
  for (int i = 0; i < 2; ++i) {
    pthread_create(&thread, NULL, in_thread, &two);
    pthread_join(thread, NULL);
  }
  for (int i = 0; i < 50; ++i) OK(cuModuleUnload(others[i]));
  run_reversed(two.small, 16);
  run_reversed(two.large, 12000);
}

/* Storage begins anew in each module: a counter of the one is not the other's. */
static void fresh(void) {
  static const char once[] = "static __device__ int count() {\n"
                             "  static __shared__ int n;\n"
                             "  return n++;\n"
                             "}\n"
                             "extern \"C\" __global__ void first(int *p) {\n"
                             "  __shared__ int pad[1000];\n"
                             "  for (int i = 0; i < 1000; ++i) pad[i] = 77;\n"
                             "  *p = count() + pad[9];\n"
                             "}\n"
                             "extern \"C\" __global__ void plain(int *p) { *p = count(); }\n";
  int value;
  start();
  pointer d = device_memory(4);
  void *arguments[] = {&d};
  launch(module_of(once), "first", 1, arguments);
  launch(module_of(once), "plain", 1, arguments);
  OK(cuMemcpyDtoH_v2(&value, d, 4));
  EXPECT(value, 0);
}

/* Each block waits for the one after it to begin and for the one before it to end, so that all are in
 * hand, their shared memory is put by, and a record that has been put by is the first to be free:
 * by modules of one size after modules of another, with the same blocks' records or larger ones. */
static void in_turns(void) {
  static const char text[] =
      "extern \"C\" __global__ void chain(int *flags, int *wrong) {\n"
      "  __shared__ int s[WORDS];\n"
      "  const int b = blockIdx.x, n = gridDim.x;\n"
      "  for (int i = threadIdx.x; i < WORDS; i += blockDim.x) s[i] = b * WORDS + i;\n"
      "  __syncthreads();\n"
      "  if (threadIdx.x == 0) {\n"
      "    atomicExch(&flags[b], 1);\n"
      "    while (b + 1 < n && atomicAdd(&flags[b + 1], 0) == 0) {}\n"
      "    while (b > 0 && atomicAdd(&flags[b - 1], 0) != 2) {}\n"
      "  }\n"
      "  __syncthreads();\n"
      "  for (int i = threadIdx.x; i < WORDS; i += blockDim.x)\n"
      "    if (s[i] != b * WORDS + i) atomicAdd(wrong, 1);\n"
      "  __syncthreads();\n"
      "  if (threadIdx.x == 0) atomicExch(&flags[b], 2);\n"
      "}\n";
  static const int words[] = {1200, 4, 9000, 4, 1200, 9000};
  handle modules[6];
  int wrong = 0;
  start();
  pointer flags = device_memory(64 * 4), d = device_memory(4);
  void *arguments[] = {&flags, &d};
  OK(cuMemsetD8_v2(d, 0, 4));
  for (int i = 0; i < 6; ++i) {
    char all[1024];
    snprintf(all, sizeof all, "#define WORDS %d\n%s", words[i], text);
    modules[i] = module_of(all);
  }
  for (int i = 0; i < 18; ++i) {
    OK(cuMemsetD8_v2(flags, 0, 64 * 4));
    handle f = function_of(modules[i % 6], "chain");
    OK(cuLaunchKernel(f, 12, 1, 1, 32u + 50u * (unsigned)i, 1, 1, 0, NULL, arguments, NULL));
    OK(cuCtxSynchronize());
  }
  OK(cuMemcpyDtoH_v2(&wrong, d, 4));
  EXPECT(wrong, 0);
}

int main(int argc, char **argv) {
  static const struct test_case cases[] = {
      {"late", late}, {"fresh", fresh}, {"in_turns", in_turns}, {NULL, NULL}};
  return run_case(cases, argc, argv);
}

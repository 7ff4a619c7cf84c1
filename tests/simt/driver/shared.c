/* Static shared memory of modules.
 *
 * Limits   what the checker says of it is asked by test_driver.py
 */
#include "door.h"

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

int main(int argc, char **argv) {
  static const struct test_case cases[] = {{"late", late}, {"fresh", fresh}, {NULL, NULL}};
  return run_case(cases, argc, argv);
}

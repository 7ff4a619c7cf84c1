/* Which kernels may be run as a plain loop, and which need their coordinates kept.
 *
 * The kernel `k` of each text is looked at: P plain, C plain with coordinates, G general. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rewrite/rewrite.h"

static const struct {
  char kind;
  const char *source;
} kernels[] = {
    {'P', "__global__ void k(int *p) { p[threadIdx.x] = 1; }"},
    {'P', "__device__ int f(int a) { return a; } __global__ void k(int *p) { *p = f(2); }"},
    {'P', "__global__ void k(int *p) { atomicAdd(p, 1); if (*p) *p = 2; }"},
    {'P', "__global__ void k(int *p) { int i = atomicAdd(p, 1); p[i] = 2; }"},
    {'P', "__global__ void g() { __syncthreads(); } __global__ void k(int *p) { *p = 1; }"},
    {'P', "struct S { void f() { printf(\"host\"); } }; __global__ void k(int *p) { *p = 1; }"},
    {'C', "__device__ int f() { return threadIdx.x; } __global__ void k(int *p) { *p = f(); }"},
    {'C', "__device__ int g() { return blockIdx.x; } __device__ int f() { return g(); }\n"
          "__global__ void k(int *p) { *p = f(); }"},
    {'C', "__global__ void k(int *p) { auto f = [&](int i) { return i; }; *p = f(1); }"},
    {'C', "__global__ void k(int *p) { struct L { int x; }; L l; *p = l.x; }"},
    {'C', "__global__ void k(int *p) { int blockDim = 3; *p = blockDim; }"},
    {'C', "struct O { __device__ int operator()() { return threadIdx.x; } };\n"
          "template <class F> __global__ void k(F f) { f(); }"},
    {'G', "__global__ void k() { __syncthreads(); }"},
    {'G', "__global__ void k() { __shared__ int s; }"},
    {'G', "__global__ void k(volatile int *p) { *p = 1; }"},
    {'G', "__global__ void k(int *p) { *p = __shfl_sync(~0u, 1, 2); }"},
    {'G', "__global__ void k() { printf(\"x\"); }"},
    {'G', "__global__ void k(int *p) { while (atomicAdd(p, 0) < 3) *p = 1; }"},
    {'G', "__global__ void k(int *p) { if (atomicAdd(p, 1) == 3) *p = 1; }"},
    {'G', "__global__ void k(int *p) { while (*p == 0); }"},
    {'G', "__global__ void k(int *p) { while (*p == 0) {} }"},
    {'G', "__global__ void k(int *p) { int a; do { a = atomicAdd(p, 0); } while (a < 3); }"},
    {'G', "__global__ void k(int *p) { for (;;) { int a = atomicMax(p, 0); if (a) break; } }"},
    {'G', "__global__ void k(int *p) { atomicCAS(p, 0, 1); }"},
    {'G', "__global__ void g(); __global__ void k(int *p) { g<<<1, 1>>>(); }"},
    {'G', "__device__ void g() { __syncwarp(); } __device__ void f() { g(); }\n"
          "__global__ void k() { f(); }"},
    {'G',
     "__device__ void f(); __global__ void k() { f(); } __device__ void f() { __threadfence(); }"},
    {'G', "__device__ void f() { __syncthreads(); } __device__ void (*t[])() = {f};\n"
          "__global__ void k() { t[0](); }"},
    {'G', "__device__ void f() { __syncthreads(); } __device__ void (*other)() = f;\n"
          "__global__ void k(void (*g)()) { g(); }"},
    {'G', "struct O { __device__ void operator()() { __syncthreads(); } };\n"
          "template <class F> __global__ void k(F f) { f(); }"},
    {'G', "template <class F> __global__ void k(F f) { f(); }\n"
          "int main() { k<<<1, 1>>>([] __device__() { __syncthreads(); }); }"},
    {'G', "__device__ volatile int flag; __global__ void k() { flag = 1; }"},
    {'G', "__global__ void k(int *p) { asm(\"membar.gl;\"); }"},
    {'G', "__global__ void k(int *p) { cooperative_groups::this_grid().sync(); }"},
};

static void test_flags(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
    struct text out = {0}, messages = {0};
    const struct rewrite_options options = {0};
    const char *source = kernels[i].source;
    assert_true(rewrite_cuda(source, strlen(source), NULL, 0, &options, &out, &messages));
    const char *name = strstr(out.data, "\"k\", ");
    assert_non_null(name);
    const char *enter = NULL; /* the last one before the kernel's name */
    for (const char *at = out.data; (at = strstr(at, "simt::enter<")) && at < name; at++)
      enter = at;
    assert_non_null(enter);
    const char kind = !strncmp(enter, "simt::enter<SIMT_PLAIN>", 23)                      ? 'P'
                      : !strncmp(enter, "simt::enter<SIMT_PLAIN | SIMT_COORDINATES>", 42) ? 'C'
                                                                                          : 'G';
    if (kind != kernels[i].kind) fail_msg("%c, not %c: %s", kind, kernels[i].kind, source);
    text_free(&out);
    text_free(&messages);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_flags)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

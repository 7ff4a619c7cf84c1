/* Which kernels run as loops between their barriers, and what becomes of their variables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rewrite/rewrite.h"

static char *rewritten(const char *source) {
  struct text out = {0}, messages = {0};
  const struct rewrite_options options = {0};
  assert_true(rewrite_cuda(source, strlen(source), NULL, 0, &options, &out, &messages));
  text_free(&messages);
  return out.data;
}

#define BARRIER "__syncthreads(); "
/* A kernel with this between what is before a barrier and behind one. */
#define KERNEL(text) \
  "__global__ void kernel(int *p, int n) { int i = threadIdx.x; p[i] = 1; " text " p[i] = 2; }"

static void are(const char *const *sources, size_t count, bool phases) {
  for (size_t i = 0; i < count; i++) {
    char *text = rewritten(sources[i]);
    if (!strstr(text, "SIMT_PHASES") == phases)
      fail_msg("%s phases: %s\n%s", phases ? "no" : "", sources[i], text);
    free(text);
  }
}

static void test_uniform(void **state) {
  (void)state;
  static const char *const sources[] = {
      KERNEL(BARRIER),
      KERNEL("if (n > 3) { " BARRIER "}"),
      KERNEL("if (n > 3 && gridDim.x < 7) { " BARRIER "} else { " BARRIER "}"),
      KERNEL("for (int k = 0; k < n; k++) { p[k] = i; " BARRIER "}"),
      KERNEL("for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) { " BARRIER "}"),
      KERNEL("int m = n * 2; while (m > 0) { " BARRIER "m -= blockIdx.x + 1; }"),
      KERNEL("int m; m = 7; do { " BARRIER "--m; } while (m);"),
      KERNEL("const int m = min(n, 8); for (int k = 0; k < m; k++) " BARRIER),
      KERNEL("{ " BARRIER "}"),
      "template <int N> " KERNEL("if (N >= 64) { if (i < 64) p[i]++; " BARRIER "}"),
      "enum size : int { SMALL, LARGE = 4 }; " KERNEL("if (n > LARGE) { " BARRIER "}"),
      "const int tile = 4; " KERNEL("for (int k = 0; k < n / tile; k++) { " BARRIER "}"),
      KERNEL("for (int k = 0; k < 4; k++) { for (;;) break; " BARRIER "}"),
      KERNEL("for (int k = 0; k < 4; k++) { if (i) for (;;) { if (p[k]) break; } " BARRIER "}"),
      KERNEL("for (int k = 0; k < 4; k++) { if (i) { switch (k) { case 1: break; } } " BARRIER "}"),
      "extern __shared__ int s[]; " KERNEL("s[i] = 3; " BARRIER "p[0] = s[0];"),
      "__global__ void kernel(int *p) { __shared__ int s[4]; s[0] = 1; p[0] = s[0]; }",
      KERNEL("for (int k = i; k < n; k += blockDim.x) p[k]++; " BARRIER),
  };
  are(sources, sizeof sources / sizeof *sources, true);
}

static const char classes[] =
    "struct R { int &r; }; struct A { int n[2]; }; struct M { void put(int &x); }; "
    "struct C { int i; C() : i(threadIdx.x) {} }; ";

/* What is done to k or a before the barriers of a loop that goes by it. */
static void test_changed_unseen(void **state) {
  (void)state;
  static const char *const changes[] = {"(k) = i;",
                                        "++(k);",
                                        "(i ? k : j) = 3;",
                                        "*(int *)&k = i;",
                                        "auto &&q = k; q = i;",
                                        "R q{k};",
                                        "{ R q = {k}; q.r = i; }",
                                        "M m; m.put(k);",
                                        "a.n[1] = i;",
                                        "asm(\"mov.u32 %0, 3;\" : \"+r\"(k));",
                                        "C c; k = c.i;",
                                        "(*table[0])(k);"};
  for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
    struct text source = {0};
    text_add_format(
        &source,
        "%s__global__ void kernel(int *p, int n, A a) { int i = threadIdx.x, k = n, j = 2; %s "
        "for (int q = 0; q < k + a.n[1]; q++) { p[q] = i; __syncthreads(); } }",
        classes, changes[c]);
    const char *const one = source.data;
    are(&one, 1, false);
    text_free(&source);
  }
}

static void test_addresses(void **state) {
  (void)state;
  static const char *const wrong[] = {
      KERNEL("int x = i; int *q = &x; " BARRIER "*q = 3; p[1] = x;"),
      KERNEL("int x[2] = {i}; int *q = x; " BARRIER "*q = 3; p[1] = x[0];"),
      KERNEL("int x[2] = {i}; int *q; q = x + 1; " BARRIER "*q = 3; p[1] = x[0];"),
      KERNEL("int x = i; int *q[1] = {&x}; " BARRIER "*q[0] = 3; p[1] = x;"),
      KERNEL(BARRIER "if (i > n) return; int f = 1; p[3] = f; f = 2; p[4] = f;"),
      KERNEL("struct L { int v; }; L l{i}; " BARRIER "p[3] = l.v;"),
  };
  static const char *const right[] = {
      KERNEL("int x = i; { int *q = &x; *q = 3; } " BARRIER "p[1] = x;"),
      KERNEL("float x, y; sincosf(n, &x, &y); " BARRIER "p[1] = x + y;"),
      KERNEL("float x[4] = {0, 0, 0, 0}; " BARRIER
             "*(float4 *)x = make_float4(1, 2, 3, i); " BARRIER "p[1] = x[2];"),
      KERNEL("int *q = p + i; int *r = &q[n]; " BARRIER "r[1] = q[2];"),
      KERNEL(BARRIER "if (i > n) return; int f = 1; p[3] = f;"),
  };
  are(wrong, sizeof wrong / sizeof *wrong, false);
  are(right, sizeof right / sizeof *right, true);
}

static void test_not_uniform(void **state) {
  (void)state;
  static const char *const sources[] = {
      KERNEL("if (i > 3) { " BARRIER "}"),
      KERNEL("if (p[0] > 3) { " BARRIER "}"),
      KERNEL("if (*p > 3) { " BARRIER "}"),
      KERNEL("if (f(n)) { " BARRIER "}"),
      KERNEL("if (i > 3) return; " BARRIER),
      KERNEL("n += i; if (n > 3) { " BARRIER "}"),
      KERNEL("int m = n; if (i) m = 2; if (m > 3) { " BARRIER "}"),
      KERNEL("int m = n; { m++; } while (m > 3) { if (i) m--; " BARRIER "}"),
      KERNEL("int m = i; for (int k = 0; k < m; k++) { " BARRIER "}"),
      KERNEL("int m = n; g(&m); for (int k = 0; k < m; k++) { " BARRIER "}"),
      KERNEL("int m = n; int &r = m; r = i; if (m > 3) { " BARRIER "}"),
      "__device__ void g(int &x); " KERNEL("int m = n; g(m); if (m > 3) { " BARRIER "}"),
      KERNEL("int m = n; std::swap(m, i); if (m > 3) { " BARRIER "}"),
      KERNEL("int m = n; (int &)m = i; if (m > 3) { " BARRIER "}"),
      KERNEL("for (int k = 0; k < n; k++) { if (i == k) break; " BARRIER "}"),
      KERNEL("for (int k = 0; k < n; k++) { if (i == k) continue; " BARRIER "}"),
      KERNEL("for (int k = 0; k < n; k++) { switch (i) { case 3: continue; } " BARRIER "}"),
      KERNEL("for (int k = 0; k < n; k++) { if (i) { while (p[k]) p[k]--; break; } " BARRIER "}"),
      KERNEL("for (int k = 0; k < n; k++) { if (i == k) k++; " BARRIER "}"),
      KERNEL("for (int k = 0; k < n; k++) { " BARRIER "if (i) return; }"),
      KERNEL("for (int k = i; k < n; k += blockDim.x) { if (p[k]) break; } " BARRIER),
      KERNEL("if (i) { for (int k = i; k < n; k += blockDim.x) p[k]++; } " BARRIER),
      KERNEL("for (int k = i; k < n; k += blockDim.x) atomicAdd(p + k, 1); " BARRIER),
      KERNEL("switch (n) { case 1: " BARRIER "}"),
      KERNEL("again: " BARRIER "if (n) goto again;"),
      KERNEL("static int m = 3; " BARRIER),
      KERNEL("auto l = [&] { return 1; }; " BARRIER),
      KERNEL("int x = __syncthreads_count(i);" BARRIER),
      KERNEL("__syncwarp(7); " BARRIER),
      KERNEL("printf(\"\"); " BARRIER),
      KERNEL("volatile int m; " BARRIER),
      KERNEL("int &r = p[i]; " BARRIER "r = 3;"),
      "__device__ void g() { if (threadIdx.x) __syncthreads(); } " KERNEL("g(); " BARRIER),
      "__device__ void g() { __syncthreads(); } " KERNEL("if (i) g(); " BARRIER),
      "__global__ void kernel(int &n) { __syncthreads(); }",
      "__device__ int m; " KERNEL("if (m > 3) { " BARRIER "}"),
  };
  are(sources, sizeof sources / sizeof *sources, false);
}

#define SUM "for (int o = 16; o > 0; o >>= 1) n += __shfl_down_sync(0xffffffffu, n, o); "
#define HELPER(text) "__device__ int sum(int n) { " text " return n; } "

static void test_warps(void **state) {
  (void)state;
  static const char *const sources[] = {
      KERNEL(SUM),
      KERNEL("__syncwarp(); " BARRIER),
      KERNEL("__syncwarp(~0u); " BARRIER SUM),
      "const unsigned FULL = (unsigned)-1; " KERNEL("n += __shfl_sync(FULL, n, i);"),
      KERNEL("const int all = -1; n += __shfl_sync(all, n, i & 3, 8);"),
      KERNEL("int m = __any_sync(-1, i > n) || n; n += m;"),
      KERNEL("if (__all_sync(~0, n)) p[i]++;"),
      KERNEL("n = __reduce_add_sync(~0u, __shfl_xor_sync(~0u, n, 1) + 1);"),
      KERNEL("if (i / 32 == 0) { " SUM "}"),
      KERNEL("if (threadIdx.x < 64 && gridDim.x > 3) { " SUM "}"),
      KERNEL("const int w = i >> 5; for (int k = w; k < 40; k += blockDim.x / 32) { " SUM "}"),
      KERNEL("enum { W = 32 }; if (threadIdx.y == 2) { " SUM "}"),
      KERNEL("int row = (blockIdx.x * blockDim.x + i) / 32; if (row >= 7) return; " SUM),
      KERNEL("if (gridDim.x > 3) return; " BARRIER SUM),
      KERNEL("if (i > 40) return; " SUM),
      KERNEL("for (int k = 0; k < 3; k++) { if (p[i] == k) { return; } " SUM "}"),
      KERNEL("int m = 3; for (; m > 0; m--) { " SUM "}"),
      KERNEL("int m = 3; " BARRIER "while (m > 0) { " SUM "m--; } if (m == 0) { " BARRIER "}"),
      HELPER(SUM) KERNEL("p[i] = sum(n) + sum(i); " BARRIER),
      "template <class T> " HELPER(SUM) KERNEL("p[i] = sum<int>(n);"),
      HELPER("return __shfl_sync(~0u, n, 0);" SUM) KERNEL(BARRIER),
      "__device__ void g() { __syncthreads(); } " KERNEL(
          "g(); if (gridDim.x > 3) { g(); } " BARRIER),
      HELPER("__shared__ int s[32]; s[threadIdx.x] = n; " BARRIER SUM "n += s[0];")
          KERNEL("p[i] = sum(n) + sum(i); " BARRIER),
      "__device__ void f(int *q, int w) { for (int k = 1; k < w; k *= 2) { *q = k; __syncwarp(); } "
      "} " KERNEL("f(p, 32); f(p + i, gridDim.x);"),
      "struct S { int x; S(int); }; " KERNEL("S s(i); if (gridDim.x > 3) return; " BARRIER
                                             "p[i] = s.x;"),
      "extern __shared__ int s[]; " KERNEL("s[i] = n; " BARRIER "n = s[0];"),
  };
  are(sources, sizeof sources / sizeof *sources, true);
}

static void test_not_warps(void **state) {
  (void)state;
  static const char *const sources[] = {
      KERNEL("if (i > 3) { " SUM "}"),
      KERNEL("if (i < 33) { " SUM "}"),
      KERNEL("if (i / 16 == 0) { " SUM "}"),
      KERNEL("if (i % 32 == 0) { " SUM "}"),
      KERNEL("if (i - 32 < 32) { " SUM "}"),
      KERNEL("float x = threadIdx.x; if (x / 32 < 1) { " SUM "}"),
      KERNEL("i++; if (i / 32 == 0) { " SUM "}"),
      KERNEL("n += __shfl_sync(n, n, i);"),
      KERNEL("n += __shfl_sync(0xffff, n, i);"),
      KERNEL("unsigned all = -1; all >>= 1; n += __shfl_sync(all, n, i);"),
      KERNEL("n += i > 3 ? __shfl_sync(~0u, n, i) : 2;"),
      KERNEL("n += i > 3 && __any_sync(~0u, n);"),
      KERNEL("int a = n, b = __shfl_sync(~0u, a, i); n = b;"),
      KERNEL("while (__any_sync(~0u, n)) n--;"),
      KERNEL("for (int k = 0; k < n; k++) { if (i == k) break; " SUM "}"),
      KERNEL("if (i > 40) return; " SUM BARRIER),
      KERNEL("if (i > 40) { p[i] = 3; return; } " SUM),
      KERNEL("int m = 3; for (; m > 0; m--) { if (i / 32 == 1) { " SUM "} }"),
      KERNEL("int m = 3; " BARRIER "if (i / 32 == 1) { " SUM "m--; } if (m > 2) { " BARRIER "}"),
      HELPER("if (n) return 3; " SUM) KERNEL("p[i] = sum(n);"),
      HELPER(SUM) KERNEL("p[i] = n ? sum(n) : 0;"),
      HELPER(SUM) "__device__ float sum(float n) { return n; } " KERNEL("p[i] = sum(n);"),
      "__device__ int sum(int n); " KERNEL("p[i] = sum(n);") HELPER(SUM),
      "__device__ void f(int *q, int w) { for (int k = 1; k < w; k *= 2) { *q = k; __syncwarp(); } "
      "} " KERNEL("f(p, i);"),
      "__device__ void f(int *q) { *q = 1; __syncthreads(); } " KERNEL("f(&n);"),
      "__device__ void f(int *q) { *q = 1; __syncthreads(); } " KERNEL("int m = i, *q = &m; f(q);"),
      "struct S { int x; S(int); }; " KERNEL(
          "if (gridDim.x > 3) return; typedef S T; T s(i); " BARRIER "p[i] = s.x;"),
      "extern __shared__ volatile int s[]; " KERNEL("s[i] = n; " BARRIER "n = s[0];"),
  };
  are(sources, sizeof sources / sizeof *sources, false);
}

#define CG "namespace cg = cooperative_groups; "

/* Of groups of all threads of a block or the grid. */
static void test_groups(void **state) {
  (void)state;
  static const char *const sources[] = {
      CG KERNEL("cg::grid_group g = cg::this_grid(); g.sync(); n = g.thread_rank(); cg::sync(g);"),
      CG KERNEL(
          "const auto g = cg::this_thread_block(); for (int k = 0; k < n; k++) { g.sync(); }"),
      CG KERNEL("cg::this_grid().sync(); " BARRIER
                "cooperative_groups::this_thread_block().sync();"),
      CG "__device__ void f() { cg::thread_block b = cg::this_thread_block(); b.sync(); } " KERNEL(
          "f();"),
  };
  are(sources, sizeof sources / sizeof *sources, true);
  static const char *const others[] = {
      CG KERNEL("cg::grid_group g = cg::this_grid(); if (i) g.sync();"),
      CG KERNEL("auto g = cg::this_grid(); n ? g.sync() : (void)0;"),
      CG KERNEL("auto g = cg::coalesced_threads(); g.sync();"),
      CG KERNEL("cg::thread_group g = cg::this_thread_block(); g.sync();"),
      CG KERNEL("auto g = cg::this_grid(); auto t = g.barrier_arrive(); g.barrier_wait(t);"),
      CG "__device__ void f() { cg::this_grid().sync(); } " KERNEL("f();"),
      CG "__device__ void f(cg::grid_group g) { g.sync(); } " KERNEL("f(cg::this_grid());"),
      "struct S { void sync(); }; " KERNEL("S s; s.sync(); " BARRIER "if (i) { s.sync(); " BARRIER
                                           "}"),
      KERNEL("i > 3 ? (void)0 : __syncthreads();"),
  };
  are(others, sizeof others / sizeof *others, false);
  char *text = rewritten(CG KERNEL("int m = p[i]; cg::this_grid().sync(); n = m;"));
  assert_non_null(strstr(text, "SIMT_PHASES | SIMT_GRID"));
  assert_non_null(strstr(text, "simt::slots<int , simt::most_threads_a_block, true>"));
  free(text);
}

/* Which blocks a kernel with functions of a warp is for. */
static void test_blocks(void **state) {
  (void)state;
  char *text = rewritten(KERNEL(BARRIER));
  assert_null(strstr(text, "SIMT_ROWS"));
  free(text);
  text = rewritten(KERNEL("if (i / 32 == 1) { " SUM "}"));
  assert_non_null(strstr(text, "enter<SIMT_PHASES | SIMT_ROWS>"));
  free(text);
  text = rewritten(KERNEL("if ((blockDim.x * 3 + i) / 32 == 1) { " SUM "}"));
  assert_non_null(strstr(text, "enter<SIMT_PHASES | SIMT_ROWS | SIMT_WHOLE>"));
  free(text);
}

/* What has a place for each thread, and what has none. */
static void test_variables(void **state) {
  (void)state;
  char *text = rewritten(
      "__global__ void kernel(int *p, int n) { int i = threadIdx.x, sum = 0; const int m = "
      "gridDim.x; int a[3]; "
      "float once = 2; p[i] = once; n++; a[0] = 1; __syncthreads(); sum += m + a[0] + n; "
      "__syncthreads(); p[i] = sum; }");
  assert_non_null(strstr(text, "simt::slots<int > simt_of_sum_"));
  assert_non_null(strstr(text, "simt::slots<int [3]> simt_of_a_"));
  assert_non_null(strstr(text, "simt::slots<decltype(n)> simt_of_n_"));
  if (strstr(text, "simt_of_m_")) fail_msg("%s", text);
  assert_null(strstr(text, "simt_of_once_"));
  free(text);
  text =
      rewritten("__global__ void kernel(int *p) { const int i = threadIdx.x, j = i * 2; p[j] = 1; "
                "__syncthreads(); p[j] = 2; }");
  assert_null(strstr(text, "simt_of_"));
  assert_non_null(strstr(text, "const int j = i * 2; p[j] = 2;"));
  free(text);
}

/* Not of programs that are watched, nor where it is not wanted. */
static void test_options(void **state) {
  (void)state;
  static const char source[] = KERNEL(BARRIER);
  const struct rewrite_options all[] = {{.instrumented = true}, {.fibres = true}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    struct text out = {0}, messages = {0};
    assert_true(rewrite_cuda(source, strlen(source), NULL, 0, &all[i], &out, &messages));
    assert_null(strstr(out.data, "SIMT_PHASES"));
    text_free(&out);
    text_free(&messages);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_uniform),   cmocka_unit_test(test_changed_unseen),
      cmocka_unit_test(test_addresses), cmocka_unit_test(test_not_uniform),
      cmocka_unit_test(test_warps),     cmocka_unit_test(test_not_warps),
      cmocka_unit_test(test_blocks),    cmocka_unit_test(test_groups),
      cmocka_unit_test(test_variables), cmocka_unit_test(test_options),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

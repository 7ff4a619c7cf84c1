/* What constructs become in programs that are built to be checked or profiled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rewrite/rewrite.h"

/* `part` must stand in the rewritten `source`, blanks apart; with `absent` it must not. */
struct example {
  const char *source, *part;
  bool absent;
};

static const struct example kernels[] = {
    {"__global__ void k(int n, float *p) { p[n] = 1; }",
     "simt::enter<0>([=]()mutable __attribute__((no_sanitize_thread,"
     "no_sanitize_coverage,no_sanitize(\"alignment\"))){"
     "[&](simt::argument<decltype(n)>n,simt::argument<decltype(p)>p){p[n]=1;simt_return(1);}(n,p);"
     "}",
     0},
    {"template <class... A> __global__ void k(const A... a, T (&r)[4], void (*f)(int), int) {}",
     "[&](simt::argument<decltype(a)>...a,simt::argument<decltype(r)>r,"
     "simt::argument<decltype(f)>f){simt_return(1);}(a...,r,f)",
     0},
    {"__global__ void k(ns::T, const S, unsigned, struct Q) {}", "[&](){simt_return(1);}()", 0},
    {"__global__ void k(ns::T a = f(1, 2), unsigned b = 3) {}", "}(a,b);", 0},
    {"__global__ void k(int *p, int n) { for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = "
     "0; }",
     "ROUNDS", 1},
    {"__global__ void k(int *p) { for (int i = 0; i < 9; i += gridDim.x) __syncthreads(); }",
     "simt_step", 1},
};

/* What `__shared__` in front of this type becomes. */
#define SHARED(type) \
  "static thread_local __attribute__((aligned(alignof(" type ") > 16 ? alignof(" type ") : 16))) "

static const struct example gaps[] = {
    {"__global__ void k() { __shared__ float s[4], *t; }",
     "static thread_local __attribute__((used,aligned(16)))char simt_gap_0[256];" SHARED(
         "float") "float s[4],"
                  "simt_gap_12[64]__attribute__((used)),*t;",
     0},
    {"__shared__ int s[2]; __shared__ int t;",
     SHARED("int") "int s[2];static thread_local __attribute__((used,aligned(16)))char "
                   "simt_gap_6[256];" SHARED(
                       "int") "int t;static thread_local __attribute__((used,aligned(16)))char "
                              "simt_gap_10[256];",
     0},
    {"__global__ void k() { extern __shared__ float s[]; }", "simt_gap", 1},
};

#define ARRAY(name) "simt::local_array<simt_type_" name ">simt_array_" name
#define VARIABLE(name) "simt::local_variable<simt_type_" name ">simt_array_" name
static const struct example locals[] = {
    {"__device__ void f() { float a[4][2] = {1}; }",
     "{typedef float simt_type_a[4][2];" ARRAY("a") "={{},{1},{}};"
                                                    "simt_type_a&a=simt_array_a.begin();}",
     0},
    {"__device__ void f() { const int *p[2]{}; }",
     "{typedef const int*simt_type_p[2];" ARRAY("p") "={{},{},{}};"
                                                     "simt_type_p&p=simt_array_p.begin();}",
     0},
    {"__device__ void f() { int i = 0, a[4], n; }",
     "{int i=0;typedef int simt_type_a[4];" ARRAY(
         "a") ";"
              "simt_type_a&a=simt_array_a.begin_unwritten();typedef int simt_type_n;" VARIABLE(
                  "n") ";"
                       "simt_type_n&n=simt_array_n.begin_unwritten();}",
     0},
    {"__device__ void f() { int n; g(__shfl_sync(~0u, n, 0)); }",
     "simt_type_n&n=simt_array_n.begin_unwritten();", 0},
    {"__device__ void f(int *a) { do a[0] = 1; while (a[1]); return a[2]; }", "simt_type", 1},
    {"__device__ void f() { struct S; struct T { int a[2]; }; using U = int[2]; }", "simt_type", 1},
    {"__device__ void f(int n) { switch (n) { int a[2]; case 1: n = 2; } }", "simt_type", 1},
    {"__device__ void f(int n) { int a[2]; goto end; end: n = a[0]; }", "simt_type", 1},
    {"__device__ constexpr int f() { int a[2] = {1, 2}; return a[1]; }", "simt_type", 1},
    {"__device__ void f() { static int a[2]; __shared__ int b[2]; volatile int c[2]; }",
     "simt_type", 1},
    {"void f() { int a[2]; }", "simt_type", 1},
};

#define KNOWN(name, managed) \
  "static const::simt::device_variable simt_variable_" name "(" name ",\"" name "\"," managed ");"
static const struct example variables[] = {
    {"__device__ int x = 1;", "simt_gap_x[256];" KNOWN("x", "0"), 0},
    {"__constant__ float t[4];",
     "__attribute__((section(\"simt_device_constant\"),used))static char simt_gap_t[256];" KNOWN(
         "t", "0"),
     0},
    {"__managed__ int m;", KNOWN("m", "1"), 0},
    {"__device__ const int c = 3;", "simt_variable", 1},
    {"extern __device__ int e;", "simt_variable", 1},
};

#define POLLS "{const simt::polls simt_polling;"
static const struct example polling[] = {
    {"__device__ void f(volatile int *p) { while (*p == 0); }", POLLS "while(*p==0)simt_yield();}",
     0},
    {"__device__ void f(int n) { for (int i = 0; i < n * 2; i++) {} while (n-- > 0); }",
     "for(int i=0;i<n*2;i++){}while(n-->0);}", 0},
    {"__device__ void f(int n) { for (int i = 9; i != 0; i = i / 2); for (; n > 0; n -= 3) {} }",
     "simt_yield", 1},
    {"__device__ int g; __device__ void f(int n) { for (int i = 0; g == 0 && i < n; i++) {} }",
     "{simt_yield();}", 0},
    {"__device__ void f(volatile int *p, int n) { for (int i = 0; *p == 0 && i < n; i++); }",
     ")simt_yield();", 0},
    {"__device__ void f(S *p, int n) { for (int i = 0; i < n && !p->set; i++); }", ")simt_yield();",
     0},
    {"__device__ void f(int n) { for (int i = 0; i < n && !g(); i++); while (n); }",
     ")simt_yield();while(n)simt_yield();", 0},
    {"__device__ void f(volatile int *p) { while (*p == 0) { __nanosleep(8); } }",
     POLLS "while(*p==0){__nanosleep(8);}}", 0},
    {"__device__ void f(volatile int *p) { int v; do { v = *p; } while (v == 0); }",
     POLLS "do{v=*p;}while(v==0);}", 0},
    {"__device__ void f(int *p) { for (;;) if (atomicCAS(p, 1, 0) == 1) break; }",
     POLLS "for(;;)if(atomicCAS(p,1,0)==1)break;}", 0},
    {"__device__ void f(volatile int *p) { unsigned n = 8; while (!p[1]) { if (n < 9) n *= 2; } }",
     POLLS, 0},
    {"__device__ bool r(int *p) { return *(volatile int *)p; } __device__ void f(int *p) { while "
     "(!r(p)); }",
     POLLS, 0},
    {"__device__ void f(int *n) { int k = 0; while (k >= 0) k = n[k]; }", POLLS, 1},
    {"__device__ void f(int *p, int n) { int i = 0; while (i < n && p[i] != 3) ++i; }", POLLS, 1},
    {"__device__ void f(int *p) { while (*p) *p = 0; }", POLLS, 1},
    {"__device__ void f(int *p) { while (*p) { __syncthreads(); } }", POLLS, 1},
    {"__device__ bool w(int *p) { *p = 1; return false; } __device__ void f(int *p) { while "
     "(w(p)); }",
     POLLS, 1},
    {"__device__ void f(int *p) { int old = *p, was; do { was = old; old = atomicCAS(p, was, was + "
     "1); "
     "} while (was != old); }",
     POLLS, 1},
    {"void f(volatile int *p) { while (*p == 0); }", POLLS, 1},
};

static const struct example classes[] = {
    {"__device__ void f(V *a, V *b) { a[0] = a[1] + b[1]; }",
     "a[0]=simt::kept(simt::seen(a[1])+simt::seen(b[1]));", 0},
    {"__device__ void f(V *a) { a[0] = a[1]; }", "{a[0]=a[1];}", 0},
    {"__device__ void f(float *a, float s) { a[0] = s * a[1] + g(s); }", "{a[0]=s*a[1]+g(s);}", 0},
    {"__device__ float d(V a, V b); __device__ float f(V *a) { return d(a[0], *a); }",
     "d(simt::seen(a[0]),simt::seen(*a))", 0},
    {"__device__ void d(V &a); __device__ void f(V *a) { d(a[0]); }", "d(a[0])", 0},
    {"__device__ void f(V *a) { const V &r = g(a); V v = g(a), *p = &a[1]; ++a[1].n; }",
     "{const V&r=g(a);V v=g(a),*p=&a[1];++a[1].n;}", 0},
    {"__device__ void f(P *p) { p->x = p->x + threadIdx.x; p->v = g<1, 2>(3) ? p->v : -p->v; }",
     "{p->x=p->x+threadIdx.x;p->v=simt::kept(g<1,2>(3)?p->v:-simt::seen(p->v));}", 0},
    {"__device__ void f(V *a, V b) { a[0] += b; b += a[0]; a[1] = {1, 2}; }",
     "{a[0]+=b;b+=simt::seen(a[0]);a[1]={1,2};}", 0},
    {"__device__ void f(char *s, int i) { ((V *)s)[i] = g(i); *(V *)s = g(i); *(V *)&s[i] = g(i); "
     "}",
     "{((V*)s)[i]=simt::kept(g(i));*(V*)s=simt::kept(g(i));*(V*)&s[i]=simt::kept(g(i));}", 0},
    {"__device__ void f(char *s) { reinterpret_cast<V *>(s)[1] = g(1); *static_cast<V *>(s) = "
     "g(1); "
     "(&s)->v[1] = g(1); if (s) ((V (*)[2])s)[1][0] = g(1); }",
     "{reinterpret_cast<V*>(s)[1]=simt::kept(g(1));*static_cast<V*>(s)=simt::kept(g(1));"
     "(&s)->v[1]=simt::kept(g(1));if(s)((V(*)[2])s)[1][0]=simt::kept(g(1));}",
     0},
    {"__device__ void f(char *s) { V (*p)[2] = g(s), (&r)[2] = g(*p); decltype(s) (*q)[2] = g(&s); "
     "std::pair<V, V> (*t)[2] = g(p); if (s) s[0] = g(1); }",
     "{V(*p)[2]=g(s),(&r)[2]=g(*p);decltype(s)(*q)[2]=g(&s);std::pair<V,V>(*t)[2]=g(p);"
     "if(s)s[0]=g(1);}",
     0},
    {"__device__ float d(V a); __device__ float f(char *s, int i) { return d(((V *)s)[i]) * "
     "d(*(V *)s) + d(*(V *)(s + i)) + d(*(V *)&s[i]) + d(reinterpret_cast<V *>(s)[i]) - "
     "d(*reinterpret_cast<V *>(s)) + i * (i) + ((i)[s]) + (i * *(V *)s).x; }",
     "d(simt::seen(((V*)s)[i]))*d(simt::seen(*(V*)s))+d(simt::seen(*(V*)(s+i)))+"
     "d(simt::seen(*(V*)&s[i]))+d(simt::seen(reinterpret_cast<V*>(s)[i]))-"
     "d(simt::seen(*reinterpret_cast<V*>(s)))+i*(i)+((i)[s])+(i*simt::seen(*(V*)s)).x;",
     0},
    {"struct B { U a : 3, b : 5; U c; }; __device__ U f(B *p, U x) { return p->a + x + p->b + "
     "p->c; }",
     "returnp->a+x+p->b+simt::seen(p->c);", 0},
};

static const struct example calls[] = {
    {"__device__ void f(int *p, int *q) { memcpy(p, q, 4); std::memset(p, 0, 4); }",
     "simt::copy_memory(p,q,4);simt::set_memory(p,0,4);", false},
    {"void f(int *p, int *q) { memcpy(p, q, 4); }", "{memcpy(p,q,4);}", false},
    {"__device__ void f(int *p) { asm(\"ld.acquire.gpu.u32 %0, [%1];\" : \"=r\"(p[0]) : \"l\"(p)); "
     "}",
     "(uint32_t)simt::load(&simt::ptx::at<uint32_t>((p)),simt::ptx::acquire|(SIMT_FENCE_DEVICE+1)<<"
     "16)",
     false},
    {"__device__ void f(int *p) { asm(\"red.release.cta.add.s32 [%0], 1;\" :: \"l\"(p)); }",
     "simt::fetch_add(&simt::ptx::at<int32_t>((p)),simt::ptx::get<int32_t>(1),simt::ptx::release|("
     "SIMT_FENCE_BLOCK+"
     "1)<<16)",
     false},
    {"__device__ void f() { asm(\"fence.acq_rel.gpu;\"); }", "__threadfence();", false},
};

static char *without_blanks(const char *text) {
  struct text out = {0};
  text_add(&out, "", 0);
  for (const char *c = text; *c; c++) {
    if (*c != ' ' && *c != '\n') text_add(&out, c, 1);
  }
  return out.data;
}

static void check(const struct example *all, size_t count) {
  for (size_t i = 0; i < count; i++) {
    struct text out = {0}, messages = {0};
    const struct rewrite_options options = {.instrumented = true, .check = true};
    const bool fine =
        rewrite_cuda(all[i].source, strlen(all[i].source), NULL, 0, &options, &out, &messages);
    char *got = without_blanks(fine ? out.data : messages.data);
    char *part = without_blanks(all[i].part);
    if (!fine || (strstr(got, part) == NULL) != all[i].absent) {
      fail_msg("%s\n  became %s\n  %s  %s", all[i].source, got, all[i].absent ? "has" : "lacks",
               part);
    }
    text_free(&out);
    text_free(&messages);
    free(got);
    free(part);
  }
}

static void test_kernels(void **state) {
  (void)state;
  check(kernels, sizeof kernels / sizeof *kernels);
}
static void test_gaps(void **state) {
  (void)state;
  check(gaps, sizeof gaps / sizeof *gaps);
}
static void test_polling(void **state) {
  (void)state;
  check(polling, sizeof polling / sizeof *polling);
}
static void test_calls(void **state) {
  (void)state;
  check(calls, sizeof calls / sizeof *calls);
}
static void test_classes(void **state) {
  (void)state;
  check(classes, sizeof classes / sizeof *classes);
}

static void test_locals(void **state) {
  (void)state;
  check(locals, sizeof locals / sizeof *locals);
}
static void test_variables(void **state) {
  (void)state;
  check(variables, sizeof variables / sizeof *variables);
}

/* A profiled program has no gaps and no marks; its kernels go thread by thread too. */
static void test_profile(void **state) {
  (void)state;
  static const char source[] =
      "__global__ void k(volatile int *p) { __shared__ int s; int a[2]; while (!*p); }";
  struct text out = {0}, messages = {0};
  const struct rewrite_options options = {.instrumented = true};
  assert_true(rewrite_cuda(source, sizeof source - 1, NULL, 0, &options, &out, &messages));
  assert_non_null(strstr(out.data, "simt::enter<0>"));
  assert_null(strstr(out.data, "simt_gap"));
  assert_null(strstr(out.data, "simt::polls"));
  assert_null(strstr(out.data, "simt_type_a"));
  text_free(&out);
  text_free(&messages);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kernels),   cmocka_unit_test(test_gaps),
      cmocka_unit_test(test_polling),   cmocka_unit_test(test_calls),
      cmocka_unit_test(test_classes),   cmocka_unit_test(test_locals),
      cmocka_unit_test(test_variables), cmocka_unit_test(test_profile),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What single constructs of CUDA C++ become. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rewrite/rewrite.h"

/* `part` must stand in the rewritten `source`, blanks apart. */
struct example {
  const char *source, *part;
};

static const struct example launches[] = {
    {"int main() { k<<<1, 2>>>(3, a); }", "(simt::configure(1,2),k(3,a));"},
    {"int main() { k << <1, 2 >> >(3); }", "(simt::configure(1,2),k(3));"},
    {"int main() { n::k<A<B>, (3 > 2)><<<g, b, s, t>>>(); }",
     "(simt::configure(g,b,s,t),n::k<A<B>,(3>2)>());"},
    {"int main() { two<int, 1<<2><<<1, 1>>>(d); }", "(simt::configure(1,1),two<int,1<<2>(d));"},
    {"int main() { ::k<<<{1, 2}, dim3(3)>>>(); }", "(simt::configure(dim3{1,2},dim3(3)),::k());"},
    {"int main() { a[i](0)<<<1, 1>>>(); }", "(simt::configure(1,1),a[i](0)());"},
    {"int main() { this->k<<<1, 1>>>(x); }", "(simt::configure(1,1),this->k(x));"},
    {"int main() { o.p->k<<<1, 1>>>(x); }", "(simt::configure(1,1),o.p->k(x));"},
    {"int main() { (*f)<<<1, 1>>>(x); }", "(simt::configure(1,1),(*f)(x));"},
    {"int main() { static_cast<F>(k)<<<1, 1>>>(x); }",
     "(simt::configure(1,1),static_cast<F>(k)(x));"},
    {"int main() { if (a) k<<<1, 1>>>(); else k<<<2, 2>>>(); }",
     "if(a)(simt::configure(1,1),k());else(simt::configure(2,2),k());"},
    {"int main() { return k<<<n >> 1, m>>>(f(g)); }", "return(simt::configure(n>>1,m),k(f(g)));"},
    {"A<B<C<int>>> x; ostream &operator<< <>(ostream &, X);", "operator<<<>(ostream&,X);"},
};

/* What `__shared__` in front of this type becomes. */
#define SHARED(type) \
  "static thread_local __attribute__((aligned(alignof(" type ") > 16 ? alignof(" type ") : 16))) "

static const struct example shared[] = {
    {"__global__ void k() { __shared__ float s[4], *t; }", SHARED("float") "float s[4],*t;"},
    {"__global__ void k() { static __shared__ int s; }", "{" SHARED("int") "int s;"},
    {"__global__ void k() { alignas(16) __shared__ int s; }", "alignas(16)" SHARED("int") "int s;"},
    {"__global__ void k() { __shared__ alignas(16) int s; }", "alignas(16)" SHARED("int") "int s;"},
    {"__shared__ int s[2];", SHARED("int") "int s[2];"},
    {"__global__ void k() { extern __shared__ float s[]; }",
     "float*s=(float*)simt_dynamic_shared();"},
    {"__global__ void k() { extern volatile __shared__ __align__(8) T *s[][4]; }",
     "volatile T*(*s)[4]=(volatile T*(*)[4])simt_dynamic_shared();"},
    {"extern __shared__ int s[]; __device__ int f() { return s[1]; }",
     "f(){int*s=(int*)simt_dynamic_shared();{return s[1];}}"},
    {"extern __shared__ int s[]; __device__ int f(int s) { return s; }", "f(int s){return s;}"},
};

static const struct example names[] = {
    {"__device__ float x[4], *p;",
     "__attribute__((section(\"simt_device_zero,\\\"aw\\\",@nobits#\")))float x[4],*p;"},
    {"__constant__ const int x[2] = {1, 2};",
     "__attribute__((section(\"simt_device_constant,\\\"aw\\\"#"},
    {"__device__ int x = 3;", "static __attribute__((section(\"simt_device\")))int x=3;"},
    {"extern __device__ int x; __device__ int x = 3;",
     "__attribute__((section(\"simt_device\")))int x=3;"},
    {"__device__ int f(int a) { return a; }", "static int f(int a){return a;}"},
    {"static __device__ __forceinline__ int f() {}", "static inline int f(){}"},
    {"inline __forceinline__ __device__ int f() {}", "static inline int f(){}"},
    {"__host__ __device__ int f() {}", "int f(){}"},
    {"struct S { __device__ int f() {} };", "struct S{int f(){}};"},
    {"[[nodiscard]] __device__ int f() {}", "[[nodiscard]]static int f(){}"},
    {"struct __align__(8) S {};", "struct __attribute__((aligned(8)))S{};"},
    {"__device__ __noinline__ int f() {}", "static __attribute__((noinline))int f(){}"},
    {"void f(const T const *p, const int const q) {}", "void f(const T*p,const int q){}"},
    {"void f(const T *const p) {}", "void f(const T*const p){}"},
    {"auto g = [=] __host__ __device__(int i) { return i; };", "auto g=[=](int i){return i;};"},
};

static const struct example calls[] = {
    {"void f() { std::printf(\"a\"); ::printf(\"b\"); o.printf(\"c\"); }", "o.printf(\"c\");"},
    {"using std::printf;", "using std::printf;"},
    {"__device__ void f() { free(malloc(3)); o.free(); }", "simt_free(simt_malloc(3));o.free();"},
    {"void f() { free(malloc(3)); }", "{free(malloc(3));}"},
    {"__device__ unsigned f() { unsigned r; asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(r)); return r; "
     "}",
     "simt::ptx::set((r),simt::ptx::get<uint32_t>(simt_lane()));"},
    {"void f() { asm(\"cpuid\" : \"=a\"(a)); }", "asm(\"cpuid\":\"=a\"(a));"},
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
    const struct rewrite_options options = {0};
    const bool fine =
        rewrite_cuda(all[i].source, strlen(all[i].source), NULL, 0, &options, &out, &messages);
    char *got = without_blanks(fine ? out.data : messages.data);
    char *part = without_blanks(all[i].part);
    if (!fine || !strstr(got, part)) {
      fail_msg("%s\n  became %s\n  lacks  %s", all[i].source, got, part);
    }
    text_free(&out);
    text_free(&messages);
    free(got);
    free(part);
  }
}

static void test_launches(void **state) {
  (void)state;
  check(launches, sizeof launches / sizeof *launches);
}
static void test_shared(void **state) {
  (void)state;
  check(shared, sizeof shared / sizeof *shared);
}
#define STRIDE(text)                                                     \
  "struct S { int a[3], *p; }; __global__ void k(int *p, int n, S s) { " \
  "for (int i = threadIdx.x; i < n; i += blockDim.x * gridDim.x) { " text "p[i] = 1; } }"

/* Loops that go by rounds, and those that carry something from one step to the next. */
static const struct example strides[] = {
    {STRIDE(""), "enter<SIMT_PLAIN|SIMT_ROUNDS>"},
    {STRIDE("s.p[i] = (n);"), "enter<SIMT_PLAIN|SIMT_ROUNDS>"},
    {STRIDE("n--;"), "enter<0>"},
    {STRIDE("(n)--;"), "enter<0>"},
    {STRIDE("if (i) ((n)) = 3;"), "enter<0>"},
    {STRIDE("f(--(n));"), "enter<0>"},
    {STRIDE("s.a[i & 1] += 2;"), "enter<0>"},
};

static void test_strides(void **state) {
  (void)state;
  check(strides, sizeof strides / sizeof *strides);
}

static void test_names(void **state) {
  (void)state;
  check(names, sizeof names / sizeof *names);
}
static void test_calls(void **state) {
  (void)state;
  check(calls, sizeof calls / sizeof *calls);
}

static void test_host_and_device_text(void **state) {
  (void)state;
  static const char host[] = "# 1 \"a.cu\"\n__host__ __device__ int f() {\n  return 1;\n\n}\n"
                             "__global__ void k() {\n}\n";
  static const char device[] = "# 1 \"a.cu\"\n__host__ __device__ int f() {\n\n  return 2;\n}\n"
                               "__global__ void k() {\n}\n";
  struct text out = {0}, messages = {0};
  const struct rewrite_options options = {0};
  assert_true(
      rewrite_cuda(host, sizeof host - 1, device, sizeof device - 1, &options, &out, &messages));
  char *got = without_blanks(out.data);
  assert_non_null(strstr(got, "if(simt_on_device())"));
  assert_non_null(strstr(got, "{return2;}"));
  assert_non_null(strstr(got, "else{return1;}"));
  free(got);
  text_free(&out);
  text_free(&messages);
}

static void test_messages(void **state) {
  (void)state;
  static const struct example wrong[] = {
      {"# 7 \"p.cu\"\nint main() { k<<<1, 1>>>; }", "p.cu:7: error: expected '('"},
      {"# 7 \"p.cu\"\nint main() {\n k<<<1, 1; }",
       "p.cu:8: error: this kernel launch has no closing"},
      {"# 7 \"p.cu\"\nint main() {\n ; <<<1, 1>>>(); }",
       "p.cu:8: error: this kernel launch has no kernel"},
      {"# 3 \"p.cu\"\n__device__ void f() { asm(\"bra L;\"); }",
       "p.cu:3: error: simt has no PTX 'bra'"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct text out = {0}, messages = {0};
    const struct rewrite_options options = {0};
    assert_false(
        rewrite_cuda(wrong[i].source, strlen(wrong[i].source), NULL, 0, &options, &out, &messages));
    if (!strstr(messages.data, wrong[i].part)) fail_msg("%s", messages.data);
    text_free(&out);
    text_free(&messages);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_launches), cmocka_unit_test(test_shared),
      cmocka_unit_test(test_names),    cmocka_unit_test(test_strides),
      cmocka_unit_test(test_calls),    cmocka_unit_test(test_host_and_device_text),
      cmocka_unit_test(test_messages),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

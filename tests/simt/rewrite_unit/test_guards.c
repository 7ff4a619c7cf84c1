/* Which kernels are asked for all their threads at once whether these have work, and what is asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rewrite/rewrite.h"

static char *rewritten(const char *source, const struct rewrite_options *options) {
  struct text out = {0}, messages = {0};
  assert_true(rewrite_cuda(source, strlen(source), NULL, 0, options, &out, &messages));
  text_free(&messages);
  return out.data;
}

#define HEAD                                            \
  "struct pair { int n; int f(); }; __device__ int m; " \
  "template <class T, int N> __global__ void kernel(const int *q, int *p, int n, pair r, T w) { "
#define INDEX "int i = blockIdx.x * blockDim.x + threadIdx.x; "

static void are(const char *const *sources, size_t count, bool guarded) {
  for (size_t i = 0; i < count; i++) {
    char *text = rewritten(sources[i], &(struct rewrite_options){0});
    if (!strstr(text, "simt::guarded(") == guarded)
      fail_msg("%s guarded: %s\n%s", guarded ? "not" : "", sources[i], text);
    if (!guarded) assert_null(strstr(text, "simt_inside"));
    free(text);
  }
}

static void test_guarded(void **state) {
  (void)state;
  static const char *const sources[] = {
      HEAD INDEX "if (i < n) p[i] = 1; }",
      HEAD INDEX "if (i < n) { p[i] = 1; n++; } }",
      HEAD INDEX "if (i >= n) return; p[i] = 1; }",
      HEAD INDEX "if (i >= n || i < 3) { return; } p[i] = 1; }",
      HEAD INDEX "if (i >= n) return; int j = i * 2, k; k = j; if (k >= n) return; p[k] = 1; }",
      HEAD INDEX "if (i >= n) return; if (p[i]) return; p[i] = 1; }",
      HEAD "if (threadIdx.x < min(n, N)) for (int k = 0; k < n; k++) p[k]++; }",
      HEAD "if (threadIdx.x < min(n, N)) if (q[0]) { p[0]++; } }",
      HEAD "size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; if (i < r.n) p[i] = 1; }",
      HEAD "auto i = static_cast<long>(threadIdx.x); if (i < n * sizeof(int)) p[i] = 1; }",
      HEAD INDEX "const int *e = q + n; if (q + i < e && i != 3) p[i] = 1; }",
      "const int most = 4; " HEAD INDEX "if (i < most) p[i] = 1; }",
      "enum { MOST = 4 }; " HEAD INDEX "if (i < MOST) p[i] = 1; }",
  };
  are(sources, sizeof sources / sizeof *sources, true);
}

static void test_not_guarded(void **state) {
  (void)state;
  static const char *const sources[] = {
      HEAD INDEX "p[i] = 1; }",
      HEAD INDEX "if (i < n) p[i] = 1; else p[i] = 2; }",
      HEAD INDEX "if (i < n) if (q[i]) p[i] = 1; else p[i] = 2; }",
      HEAD INDEX "if (i < n) p[i] = 1; p[0] = 2; }",
      HEAD INDEX "if (i < n) { p[i] = 1; } p[0] = 2; }",
      HEAD INDEX "if (i < n) return; else p[i] = 1; p[0] = 2; }",
      HEAD INDEX "if (i < n) do p[i]++; while (p[i] < 3); }",
      HEAD INDEX "if (i < q[0]) p[i] = 1; }",
      HEAD INDEX "if (i < *q) p[i] = 1; }",
      HEAD INDEX "if (i < (int)*q) p[i] = 1; }",
      HEAD INDEX "if (i < (n & *q)) p[i] = 1; }",
      HEAD INDEX "if (i < m) p[i] = 1; }",
      HEAD INDEX "if (i < f(n)) p[i] = 1; }",
      HEAD INDEX "if (i < r.f()) p[i] = 1; }",
      HEAD INDEX "if (i < w) p[i] = 1; }",
      HEAD INDEX "if (i++ < n) p[i] = 1; }",
      HEAD INDEX "if (--n > i) p[i] = 1; }",
      HEAD INDEX "if ((n = i)) p[i] = 1; }",
      HEAD INDEX "if ((n -= i)) p[i] = 1; }",
      HEAD INDEX "if ((n <<= i)) p[i] = 1; }",
      HEAD INDEX "if (int k = i - n) p[k] = 1; }",
      HEAD INDEX "n += 2; if (i < n) p[i] = 1; }",
      HEAD INDEX "n = 2; if (i < n) p[i] = 1; }",
      HEAD INDEX "m = 2; if (i < n) p[i] = 1; }",
      HEAD INDEX "p[i] = 2; if (i < n) p[i] = 1; }",
      HEAD INDEX "int j = q[i]; if (j < n) p[i] = 1; }",
      HEAD INDEX "int &j = n; if (j < i) p[i] = 1; }",
      HEAD INDEX "static int j = 3; if (j < i) p[i] = 1; }",
      HEAD INDEX "volatile int j = 3; if (j < i) p[i] = 1; }",
      HEAD INDEX "int j[2] = {1, 2}; if (i < n) p[i] = 1; }",
      HEAD INDEX "if constexpr (N > 3) p[i] = 1; }",
      HEAD INDEX "if (i < n) { p[i] = __shfl_sync(~0u, i, 0); } }",
      HEAD INDEX "auto f = [=] { return 1; }; if (i < n) p[i] = 1; }",
      HEAD "for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = 1; }",
  };
  are(sources, sizeof sources / sizeof *sources, false);
}

static void test_text(void **state) {
  (void)state;
  char *text = rewritten("__global__ void kernel(int *p, int n) { " INDEX
                         "if (i >= n) return; int j = i / 2; if (j < 9) p[j] = 1; }",
                         &(struct rewrite_options){0});
  assert_non_null(strstr(text, "if (!simt_inside && (i >= n)) return; int j = i / 2; "
                               "if (simt_inside || (j < 9)) p[j] = 1; }"));
  assert_non_null(strstr(text, "mutable { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= "
                               "n) return false; int j = i / 2; "
                               "if (!(j < 9)) return false; return true; })"));
  free(text);
}

/* What is watched is run as it stands. */
static void test_instrumented(void **state) {
  (void)state;
  char *text = rewritten(HEAD INDEX "if (i < n) p[i] = 1; }",
                         &(struct rewrite_options){.instrumented = true});
  assert_null(strstr(text, "simt_inside"));
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_guarded),
      cmocka_unit_test(test_not_guarded),
      cmocka_unit_test(test_text),
      cmocka_unit_test(test_instrumented),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* divide.c - totals to means, eight at a time in a loop of which compilers make vectors
 *
 * Method   By a power of two a product with its reciprocal is the same and takes a fraction of the time. Where
 *          the processor has AVX, which the package is not built for, twice as many are divided at once.
 * Limits   Every quotient is the nearest: bits are those of a division. */
#include "divide.h"

#include <math.h>

enum { TOGETHER = 8 };

/* The sum of 0 times each element, which is NaN where one is not finite. `product` is a constant in each caller. */
static inline __attribute__((always_inline)) double divide_as(double *x, size_t n, double by,
                                                              bool product) {
  double none[TOGETHER] = {0}, all = 0;
  size_t i = 0;
  for (; i + TOGETHER <= n; i += TOGETHER)
    for (size_t k = 0; k < TOGETHER; k++) {
      const double total = x[i + k];
      none[k] += total * 0;
      x[i + k] = product ? total * by : total / by;
    }
  for (; i < n; i++) {
    none[0] += x[i] * 0;
    x[i] = product ? x[i] * by : x[i] / by;
  }
  for (size_t k = 0; k < TOGETHER; k++) all += none[k];
  return all;
}

static double divide(double *x, size_t n, double by) { return divide_as(x, n, by, false); }

#if defined(__x86_64__) && defined(__GNUC__)
static __attribute__((target("avx"))) double divide_avx(double *x, size_t n, double by) {
  return divide_as(x, n, by, false);
}
#define HAS_AVX (__builtin_cpu_init(), __builtin_cpu_supports("avx"))
#else
#define divide_avx divide
#define HAS_AVX 0
#endif

bool divide_all(double *x, size_t n, double by) {
  int exponent;
  if (frexp(by, &exponent) == 0.5 && by < 0x1p1000 && by > 0x1p-1000)
    return !isnan(divide_as(x, n, 1 / by, true));
  return !isnan(HAS_AVX ? divide_avx(x, n, by) : divide(x, n, by));
}

/* Special functions of CUDA's math API that the C library lacks.
 *
 * Result   double results within 1 unit in the last place (erfcx: 2), the special cases as in
 *          the CUDA Math API
 * Method   80-bit long double inside, rounded once at the end; each function says how
 * Limits   where long double is double, the errors are those of double arithmetic
 * Source   Abramowitz and Stegun, ch. 7 and 9; Giles, "Approximating the erfinv function",
 *          GPU Computing Gems Jade (2011), for the shape of the starting values */
#include "simt/math/math_special.h"
#include <math.h>

static const long double pi_long = 3.14159265358979323846264338327950288L;
static const long double sqrt_pi_long = 1.77245385090551602729816748334114518L;
static const long double sqrt_2_long = 1.41421356237309504880168872420969808L;

/* ---- Multiples of pi ---------------------------------------------------------------------- */

/* x - 2 rint(x / 2) is exact and in [-1, 1]; folded to a quarter turn, also exactly. */
double simt_sinpi(double x) {
  if (!isfinite(x)) return (double)NAN;
  if (x == rint(x)) return copysign(0.0, x);
  double r = x - 2 * rint(x / 2);
  if (fabs(r) > 0.5) r = copysign(1.0, r) - r;
  const long double angle = pi_long * (long double)r;
  return (double)sinl(angle);
}

double simt_cospi(double x) {
  if (!isfinite(x)) return (double)NAN;
  const double r = fabs(x - 2 * rint(x / 2));
  if (r == 0.5) return 0.0;
  if (r < 0.25) return (double)cosl(pi_long * (long double)r);
  if (r > 0.75) return (double)-cosl(pi_long * (long double)(1 - r));
  return (double)sinl(pi_long * (0.5L - (long double)r));
}

/* ---- Roots and norms ---------------------------------------------------------------------- */

double simt_rsqrt(double x) {
  if (x == 0) return 1 / x;
  return (double)(1 / sqrtl(x));
}

double simt_rcbrt(double x) { return (double)(1 / cbrtl(x)); }
double simt_cbrt(double x) { return (double)cbrtl(x); }
double simt_cosh(double x) { return (double)coshl(x); }
double simt_exp10(double x) { return (double)powl(10, x); }
double simt_log10(double x) { return (double)log10l(x); }

/* The squares of doubles neither overflow nor vanish in long double. */
static long double norm_long(int count, const double *p) {
  long double sum = 0;
  int infinite = 0;
  for (int i = 0; i < count; i++) {
    sum += (long double)p[i] * p[i];
    infinite |= isinf(p[i]) != 0;
  }
  return infinite ? (long double)INFINITY : sqrtl(sum);
}

static double norm_float(int count, const float *p) {
  double sum = 0;
  int infinite = 0;
  for (int i = 0; i < count; i++) {
    sum += (double)p[i] * p[i];
    infinite |= isinf(p[i]) != 0;
  }
  return infinite ? (double)INFINITY : sqrt(sum);
}

double simt_norm(int count, const double *p) { return (double)norm_long(count, p); }
double simt_rnorm(int count, const double *p) { return (double)(1 / norm_long(count, p)); }
float simt_normf(int count, const float *p) { return (float)norm_float(count, p); }
float simt_rnormf(int count, const float *p) { return (float)(1 / norm_float(count, p)); }

/* ---- Error function ----------------------------------------------------------------------- */

/* exp(x x) erfc(x). Far out by the asymptotic series, whose terms fall until the 400th at
 * x = 20; x x is carried in two parts, since its rounding error would be multiplied. */
static long double scaled_erfc(long double x) {
  if (x > 20) {
    const long double t = 1 / (2 * x * x);
    long double term = 1, sum = 1;
    for (int k = 1; k < 20; k++) {
      term *= -(2 * k - 1) * t;
      sum += term;
    }
    return sum / (x * sqrt_pi_long);
  }
  const long double square = x * x, rest = fmal(x, x, -square);
  return expl(square) * (1 + rest) * erfcl(x);
}

double simt_erfcx(double x) {
  if (isnan(x)) return x;
  if (isinf(x)) return x > 0 ? 0.0 : (double)INFINITY;
  return (double)scaled_erfc(x);
}

/* A starting value for erfc(x) = y, 0 < y <= 1, to some two digits: from
 * log y ~ -x x - log(1 + x sqrt(pi)), iterated. */
static long double start_erfcinv(long double y) {
  const long double w = -logl(y);
  long double x = sqrtl(w);
  for (int i = 0; i < 3; i++) {
    const long double square = w - logl(1 + x * 1.4L);
    x = square > 0 ? sqrtl(square) : 0.0L;
  }
  return x;
}

/* Halley's method on erfc(x) / y - 1, whose derivative is a multiple of exp(-x x); triples the
 * digits in each step, so five steps do from two digits. */
static long double solve_erfc(long double y) {
  long double x = start_erfcinv(y);
  for (int i = 0; i < 6; i++) {
    const long double value = erfcl(x);
    const long double slope = -2 / sqrt_pi_long * expl(-x * x);
    const long double newton = (value - y) / slope;
    const long double step = newton / (1 + x * newton);
    x -= step;
    if (fabsl(step) < 1e-17L * fabsl(x)) break;
  }
  return x;
}

/* The same on erf(x) - y for small y, where 1 - y would lose digits. */
static long double solve_erf(long double y) {
  long double x = y * sqrt_pi_long / 2;
  x *= 1 + x * x / 3;
  for (int i = 0; i < 8; i++) {
    const long double newton = (erfl(x) - y) / (2 / sqrt_pi_long * expl(-x * x));
    const long double step = newton / (1 + x * newton);
    x -= step;
    if (fabsl(step) < 1e-17L * fabsl(x)) break;
  }
  return x;
}

static long double erfinv_long(long double y) {
  const long double size = fabsl(y);
  if (!(size <= 1)) return (long double)NAN;
  if (size == 1) return copysignl((long double)INFINITY, y);
  if (size < 1e-10L) return y * sqrt_pi_long / 2;
  return copysignl(size < 0.5L ? solve_erf(size) : solve_erfc(1 - size), y);
}

static long double erfcinv_long(long double y) {
  if (!(y >= 0 && y <= 2)) return (long double)NAN;
  if (y == 0) return (long double)INFINITY;
  if (y == 2) return -(long double)INFINITY;
  if (y < 0.5L) return solve_erfc(y);
  if (y > 1.5L) return -solve_erfc(2 - y);
  return erfinv_long(1 - y);
}

double simt_erfinv(double y) { return (double)erfinv_long(y); }
double simt_erfcinv(double y) { return (double)erfcinv_long(y); }
double simt_normcdf(double x) { return (double)(erfcl(-(long double)x / sqrt_2_long) / 2); }
double simt_normcdfinv(double p) {
  return (double)(0 - sqrt_2_long * erfcinv_long(2 * (long double)p));
}

/* ---- Modified Bessel functions of the first kind ------------------------------------------- */

/* I_n(x) = (x/2)^n sum (x x / 4)^k / (k! (k+n)!), all terms positive; beyond 60 the asymptotic
 * series exp(x) / sqrt(2 pi x) (1 - (m-1)/(8x) + (m-1)(m-9)/(2! (8x)^2) - ...), m = 4 n n. */
static long double bessel_i(int n, long double x) {
  long double term = 1, sum = 1;
  if (x <= 60) {
    const long double q = x * x / 4;
    for (int k = 1; term > sum * 1e-21L; k++) {
      term *= q / ((long double)k * (k + n));
      sum += term;
    }
    return n == 0 ? sum : sum * x / 2;
  }
  const long double m = 4.0L * n * n;
  for (int k = 1; k < 30; k++) {
    term *= -(m - (2.0L * k - 1) * (2.0L * k - 1)) / (k * 8 * x);
    sum += term;
  }
  const long double half = expl(x / 2);
  return half * (sum / sqrtl(2 * pi_long * x)) * half;
}

double simt_cyl_bessel_i0(double x) {
  if (isnan(x)) return x;
  return isinf(x) ? (double)INFINITY : (double)bessel_i(0, fabsl(x));
}

double simt_cyl_bessel_i1(double x) {
  if (isnan(x) || isinf(x) || x == 0) return x;
  return (double)copysignl(bessel_i(1, fabsl(x)), x);
}

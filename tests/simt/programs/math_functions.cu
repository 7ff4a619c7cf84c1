// Functions of the math API, float and double, against long double on the host, within the
// errors that the CUDA Programming Guide states (or, for its fast intrinsics, a wide bound).
#include <cfloat>
#include <cmath>
#include <cstdio>

typedef long double Real;
static const Real PI = 3.141592653589793238462643383279502884L;

// ---- Device: one function a row ------------------------------------------------------------

enum { ROWS = 40, POINTS = 128 };

template <class T> __device__ void evaluate(T x, T y, T *r) {
  // x in (0.02, 9), y in (-3, 3), u in (-1, 1)
  const T u = y / 3;
  *r++ = sqrt(x), *r++ = rsqrt(x), *r++ = cbrt(y), *r++ = rcbrt(x), *r++ = hypot(x, y);
  *r++ = rhypot(x, y), *r++ = norm3d(x, y, u), *r++ = rnorm4d(x, y, u, x), *r++ = exp(y);
  *r++ = exp2(y), *r++ = exp10(y), *r++ = expm1(y), *r++ = log(x), *r++ = log2(x);
  *r++ = log10(x), *r++ = log1p(x), *r++ = pow(x, y), *r++ = sin(y), *r++ = cos(y);
  *r++ = tan(u), *r++ = asin(u), *r++ = acos(u), *r++ = atan(y), *r++ = atan2(y, x);
  *r++ = sinh(y), *r++ = cosh(y), *r++ = tanh(y), *r++ = asinh(y), *r++ = acosh(x + 1);
  *r++ = atanh(u), *r++ = sinpi(y), *r++ = cospi(y), *r++ = erf(y), *r++ = erfc(y);
  *r++ = tgamma(x), *r++ = lgamma(x + 3), *r++ = erfcx(x), *r++ = normcdf(y);
  *r++ = cyl_bessel_i0(y), *r++ = cyl_bessel_i1(y);
}

template <class T> __global__ void kernel(const T *x, const T *y, T *out) {
  evaluate(x[threadIdx.x], y[threadIdx.x], out + ROWS * threadIdx.x);
}

// ---- Host: the same in long double ---------------------------------------------------------

static Real bessel(int n, Real x) {
  Real term = n ? x / 2 : 1, sum = term;
  for (int k = 1; k < 60; ++k) sum += term *= x * x / 4 / (k * (k + n));
  return sum;
}
// exp(x x) erfc(x), x > 0: directly, or by the continued fraction
static Real scaled(Real x) {
  if (x < 2) return expl(x * x) * erfcl(x);
  Real f = x;
  for (int k = 120; k > 0; --k) f = x + k / 2.0L / f;
  return 1 / (f * sqrtl(PI));
}

template <class T> static void expected(T fx, T fy, Real *r) {
  const Real x = fx, y = fy, u = static_cast<T>(fy / 3);
  *r++ = sqrtl(x), *r++ = 1 / sqrtl(x), *r++ = cbrtl(y), *r++ = 1 / cbrtl(x);
  *r++ = hypotl(x, y), *r++ = 1 / hypotl(x, y), *r++ = sqrtl(x * x + y * y + u * u);
  *r++ = 1 / sqrtl(2 * x * x + y * y + u * u), *r++ = expl(y), *r++ = exp2l(y);
  *r++ = powl(10, y), *r++ = expm1l(y), *r++ = logl(x), *r++ = log2l(x), *r++ = log10l(x);
  *r++ = log1pl(x), *r++ = powl(x, y), *r++ = sinl(y), *r++ = cosl(y), *r++ = tanl(u);
  *r++ = asinl(u), *r++ = acosl(u), *r++ = atanl(y), *r++ = atan2l(y, x), *r++ = sinhl(y);
  *r++ = coshl(y), *r++ = tanhl(y), *r++ = asinhl(y), *r++ = acoshl(static_cast<T>(fx + 1));
  *r++ = atanhl(u), *r++ = sinl(PI * (y - 2 * rintl(y / 2)));
  *r++ = cosl(PI * (y - 2 * rintl(y / 2))), *r++ = erfl(y), *r++ = erfcl(y), *r++ = tgammal(x);
  *r++ = lgammal(static_cast<T>(fx + 3)), *r++ = scaled(x), *r++ = erfcl(-y / sqrtl(2)) / 2;
  *r++ = bessel(0, y), *r++ = bessel(1, y);
}

// Largest errors in units of the last place: float, double.
static const struct {
  const char *name;
  Real ulp_float, ulp_double;
} bounds[ROWS] = {
    {"sqrt", 1, 1},   {"rsqrt", 2, 1},  {"cbrt", 1, 1},    {"rcbrt", 1, 1},     {"hypot", 3, 2},
    {"rhypot", 2, 1}, {"norm3d", 3, 2}, {"rnorm4d", 2, 2}, {"exp", 2, 1},       {"exp2", 2, 1},
    {"exp10", 2, 1},  {"expm1", 1, 1},  {"log", 1, 1},     {"log2", 1, 2},      {"log10", 2, 1},
    {"log1p", 1, 1},  {"pow", 9, 2},    {"sin", 2, 2},     {"cos", 2, 2},       {"tan", 4, 2},
    {"asin", 2, 2},   {"acos", 2, 2},   {"atan", 2, 2},    {"atan2", 3, 2},     {"sinh", 3, 2},
    {"cosh", 2, 1},   {"tanh", 2, 2},   {"asinh", 3, 3},   {"acosh", 4, 3},     {"atanh", 3, 2},
    {"sinpi", 1, 2},  {"cospi", 1, 2},  {"erf", 2, 2},     {"erfc", 4, 5},      {"tgamma", 5, 10},
    {"lgamma", 6, 4}, {"erfcx", 4, 4},  {"normcdf", 5, 5}, {"bessel i0", 6, 6}, {"bessel i1", 6, 6},
};

template <class T> static Real ulp_of(Real v) {
  const int digits = sizeof(T) == 4 ? FLT_MANT_DIG : DBL_MANT_DIG;
  int exponent;
  frexpl(v, &exponent);
  return ldexpl(1, exponent - digits);
}

template <class T> static int check() {
  static T x[POINTS], y[POINTS], out[POINTS * ROWS];
  for (int i = 0; i < POINTS; ++i) {
    x[i] = static_cast<T>(0.02 + 8.98 * (i + 0.37) / POINTS);
    y[i] = static_cast<T>(-2.99 + 5.98 * ((i * 53) % POINTS + 0.41) / POINTS);
  }
  T *device_x, *device_y, *device_out;
  cudaMalloc(&device_x, sizeof x);
  cudaMalloc(&device_y, sizeof y);
  cudaMalloc(&device_out, sizeof out);
  cudaMemcpy(device_x, x, sizeof x, cudaMemcpyHostToDevice);
  cudaMemcpy(device_y, y, sizeof y, cudaMemcpyHostToDevice);
  kernel<<<1, POINTS>>>(device_x, device_y, device_out);
  if (cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  int bad = 0;
  for (int i = 0; i < POINTS; ++i) {
    Real want[ROWS];
    expected(x[i], y[i], want);
    for (int k = 0; k < ROWS; ++k) {
      const Real bound = sizeof(T) == 4 ? bounds[k].ulp_float : bounds[k].ulp_double;
      const Real error = fabsl(out[ROWS * i + k] - want[k]) / ulp_of<T>(want[k]);
      // sinpi and cospi near their zeros: the host's reference itself is only good to 2^-63
      const bool tiny = fabsl(want[k]) < 1e-3L;
      if (!(error <= bound + 0.01L) && !tiny && ++bad < 12)
        printf("%s(%.9g, %.9g) in %zu bytes: %.17g is off by %.2Lf\n", bounds[k].name, double(x[i]),
               double(y[i]), sizeof(T), double(out[ROWS * i + k]), error);
    }
  }
  cudaFree(device_x);
  cudaFree(device_y);
  cudaFree(device_out);
  return bad;
}

int main() {
  const int bad = check<float>() + check<double>();
  puts(bad ? "FAILED" : "PASSED");
  return bad != 0;
}

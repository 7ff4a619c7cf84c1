// Mathematical functions that CUDA has beside those of <cmath>, and the fast intrinsics.
//
// Result   rsqrt .. cyl_bessel_i1f with their overloads for float; __sinf .. __fdividef
// Method   float by way of double where that is short, double through libsimt (math/special.c)
// Limits   the intrinsics are the exact functions, not a GPU's approximations; __powf has the
//          special cases of its definition 2^(y log2 x): a negative base gives NaN
#ifndef SIMT_MATH_SPECIAL_HPP
#define SIMT_MATH_SPECIAL_HPP

#include "../../vector_types.h"
#include "math_minmax.hpp"
#include "math_rounding.hpp"
#include "math_special.h"
#include <math.h>

// ---- Roots, powers, norms

inline SIMT_QUIET float rsqrtf(float x) noexcept { return 1.0f / std::sqrt(x); }
inline SIMT_QUIET double rsqrt(double x) noexcept { return simt_rsqrt(x); }
inline SIMT_QUIET float rsqrt(float x) noexcept { return rsqrtf(x); }
inline SIMT_QUIET float rcbrtf(float x) noexcept {
  return static_cast<float>(1.0 / std::cbrt(static_cast<double>(x)));
}
inline SIMT_QUIET double rcbrt(double x) noexcept { return simt_rcbrt(x); }
inline SIMT_QUIET float rcbrt(float x) noexcept { return rcbrtf(x); }
inline SIMT_QUIET float exp10(float x) noexcept { return ::exp10f(x); }
inline SIMT_QUIET float fdividef(float x, float y) noexcept { return x / y; }
inline SIMT_QUIET float fdivide(float x, float y) noexcept { return x / y; }
inline SIMT_QUIET double fdivide(double x, double y) noexcept { return x / y; }

inline SIMT_QUIET double rhypot(double x, double y) noexcept {
  const double p[2] = {x, y};
  return simt_rnorm(2, p);
}
inline SIMT_QUIET double norm3d(double a, double b, double c) noexcept {
  const double p[3] = {a, b, c};
  return simt_norm(3, p);
}
inline SIMT_QUIET double rnorm3d(double a, double b, double c) noexcept {
  const double p[3] = {a, b, c};
  return simt_rnorm(3, p);
}
inline SIMT_QUIET double norm4d(double a, double b, double c, double d) noexcept {
  const double p[4] = {a, b, c, d};
  return simt_norm(4, p);
}
inline SIMT_QUIET double rnorm4d(double a, double b, double c, double d) noexcept {
  const double p[4] = {a, b, c, d};
  return simt_rnorm(4, p);
}
inline double norm(int count, const double *p) noexcept { return simt_norm(count, p); }
inline double rnorm(int count, const double *p) noexcept { return simt_rnorm(count, p); }

inline SIMT_QUIET float rhypotf(float x, float y) noexcept {
  const float p[2] = {x, y};
  return simt_rnormf(2, p);
}
inline SIMT_QUIET float norm3df(float a, float b, float c) noexcept {
  const float p[3] = {a, b, c};
  return simt_normf(3, p);
}
inline SIMT_QUIET float rnorm3df(float a, float b, float c) noexcept {
  const float p[3] = {a, b, c};
  return simt_rnormf(3, p);
}
inline SIMT_QUIET float norm4df(float a, float b, float c, float d) noexcept {
  const float p[4] = {a, b, c, d};
  return simt_normf(4, p);
}
inline SIMT_QUIET float rnorm4df(float a, float b, float c, float d) noexcept {
  const float p[4] = {a, b, c, d};
  return simt_rnormf(4, p);
}
inline float normf(int count, const float *p) noexcept { return simt_normf(count, p); }
inline float rnormf(int count, const float *p) noexcept { return simt_rnormf(count, p); }

inline SIMT_QUIET float rhypot(float x, float y) noexcept { return rhypotf(x, y); }
inline SIMT_QUIET float norm3d(float a, float b, float c) noexcept { return norm3df(a, b, c); }
inline SIMT_QUIET float rnorm3d(float a, float b, float c) noexcept { return rnorm3df(a, b, c); }
inline SIMT_QUIET float norm4d(float a, float b, float c, float d) noexcept {
  return norm4df(a, b, c, d);
}
inline SIMT_QUIET float rnorm4d(float a, float b, float c, float d) noexcept {
  return rnorm4df(a, b, c, d);
}

// ---- Trigonometry of multiples of pi

inline SIMT_QUIET double sinpi(double x) noexcept { return simt_sinpi(x); }
inline SIMT_QUIET float sinpif(float x) noexcept {
  return static_cast<float>(simt_sinpi(static_cast<double>(x)));
}
inline SIMT_QUIET float sinpi(float x) noexcept { return sinpif(x); }
inline SIMT_QUIET double cospi(double x) noexcept { return simt_cospi(x); }
inline SIMT_QUIET float cospif(float x) noexcept {
  return static_cast<float>(simt_cospi(static_cast<double>(x)));
}
inline SIMT_QUIET float cospi(float x) noexcept { return cospif(x); }
inline void sincospi(double x, double *sine, double *cosine) noexcept {
  *sine = sinpi(x);
  *cosine = cospi(x);
}
inline void sincospif(float x, float *sine, float *cosine) noexcept {
  *sine = sinpif(x);
  *cosine = cospif(x);
}
inline void sincospi(float x, float *sine, float *cosine) noexcept { sincospif(x, sine, cosine); }
inline void sincos(float x, float *sine, float *cosine) noexcept { ::sincosf(x, sine, cosine); }

// ---- Error function, normal distribution, Bessel functions

inline SIMT_QUIET double erfcx(double x) noexcept { return simt_erfcx(x); }
inline SIMT_QUIET float erfcxf(float x) noexcept {
  return static_cast<float>(simt_erfcx(static_cast<double>(x)));
}
inline SIMT_QUIET float erfcx(float x) noexcept { return erfcxf(x); }
inline SIMT_QUIET double erfinv(double x) noexcept { return simt_erfinv(x); }
inline SIMT_QUIET float erfinvf(float x) noexcept {
  return static_cast<float>(simt_erfinv(static_cast<double>(x)));
}
inline SIMT_QUIET float erfinv(float x) noexcept { return erfinvf(x); }
inline SIMT_QUIET double erfcinv(double x) noexcept { return simt_erfcinv(x); }
inline SIMT_QUIET float erfcinvf(float x) noexcept {
  return static_cast<float>(simt_erfcinv(static_cast<double>(x)));
}
inline SIMT_QUIET float erfcinv(float x) noexcept { return erfcinvf(x); }
inline SIMT_QUIET double normcdf(double x) noexcept { return simt_normcdf(x); }
inline SIMT_QUIET float normcdff(float x) noexcept {
  return static_cast<float>(simt_normcdf(static_cast<double>(x)));
}
inline SIMT_QUIET float normcdf(float x) noexcept { return normcdff(x); }
inline SIMT_QUIET double normcdfinv(double x) noexcept { return simt_normcdfinv(x); }
inline SIMT_QUIET float normcdfinvf(float x) noexcept {
  return static_cast<float>(simt_normcdfinv(static_cast<double>(x)));
}
inline SIMT_QUIET float normcdfinv(float x) noexcept { return normcdfinvf(x); }
inline SIMT_QUIET double cyl_bessel_i0(double x) noexcept { return simt_cyl_bessel_i0(x); }
inline SIMT_QUIET float cyl_bessel_i0f(float x) noexcept {
  return static_cast<float>(simt_cyl_bessel_i0(static_cast<double>(x)));
}
inline SIMT_QUIET float cyl_bessel_i0(float x) noexcept { return cyl_bessel_i0f(x); }
inline SIMT_QUIET double cyl_bessel_i1(double x) noexcept { return simt_cyl_bessel_i1(x); }
inline SIMT_QUIET float cyl_bessel_i1f(float x) noexcept {
  return static_cast<float>(simt_cyl_bessel_i1(static_cast<double>(x)));
}
inline SIMT_QUIET float cyl_bessel_i1(float x) noexcept { return cyl_bessel_i1f(x); }
inline SIMT_QUIET float j0(float x) noexcept { return ::j0f(x); }
inline SIMT_QUIET float j1(float x) noexcept { return ::j1f(x); }
inline SIMT_QUIET float y0(float x) noexcept { return ::y0f(x); }
inline SIMT_QUIET float y1(float x) noexcept { return ::y1f(x); }
inline SIMT_QUIET float jn(int n, float x) noexcept { return ::jnf(n, x); }
inline SIMT_QUIET float yn(int n, float x) noexcept { return ::ynf(n, x); }

// ---- Fast intrinsics

inline SIMT_QUIET float __sinf(float x) noexcept { return ::sinf(x); }
inline SIMT_QUIET float __cosf(float x) noexcept { return ::cosf(x); }
inline SIMT_QUIET float __tanf(float x) noexcept { return ::tanf(x); }
inline SIMT_QUIET float __tanhf(float x) noexcept { return ::tanhf(x); }
inline SIMT_QUIET float __expf(float x) noexcept { return ::expf(x); }
inline SIMT_QUIET float __exp10f(float x) noexcept { return ::exp10f(x); }
inline SIMT_QUIET float __logf(float x) noexcept { return ::logf(x); }
inline SIMT_QUIET float __log2f(float x) noexcept { return ::log2f(x); }
inline SIMT_QUIET float __log10f(float x) noexcept { return ::log10f(x); }
inline void __sincosf(float x, float *sine, float *cosine) noexcept { ::sincosf(x, sine, cosine); }
inline SIMT_QUIET float __powf(float x, float y) noexcept {
  return static_cast<float>(std::exp2(y * std::log2(static_cast<double>(x))));
}
inline SIMT_QUIET float __fdividef(float x, float y) noexcept { return x / y; }
inline SIMT_QUIET float __saturatef(float x) noexcept {
  return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}

// Subnormal numbers are always kept.
inline SIMT_QUIET float __fmaf_ieee_rn(float a, float b, float c) noexcept {
  return __fmaf_rn(a, b, c);
}
inline SIMT_QUIET float __fmaf_ieee_rz(float a, float b, float c) noexcept {
  return __fmaf_rz(a, b, c);
}
inline SIMT_QUIET float __fmaf_ieee_ru(float a, float b, float c) noexcept {
  return __fmaf_ru(a, b, c);
}
inline SIMT_QUIET float __fmaf_ieee_rd(float a, float b, float c) noexcept {
  return __fmaf_rd(a, b, c);
}

// ---- Two floats at a time

inline SIMT_QUIET float2 __fadd2_rn(float2 a, float2 b) noexcept {
  return float2{__fadd_rn(a.x, b.x), __fadd_rn(a.y, b.y)};
}
inline SIMT_QUIET float2 __fmul2_rn(float2 a, float2 b) noexcept {
  return float2{__fmul_rn(a.x, b.x), __fmul_rn(a.y, b.y)};
}
inline SIMT_QUIET float2 __ffma2_rn(float2 a, float2 b, float2 c) noexcept {
  return float2{__fmaf_rn(a.x, b.x, c.x), __fmaf_rn(a.y, b.y, c.y)};
}
inline SIMT_QUIET float2 __fadd2_rz(float2 a, float2 b) noexcept {
  return float2{__fadd_rz(a.x, b.x), __fadd_rz(a.y, b.y)};
}
inline SIMT_QUIET float2 __fmul2_rz(float2 a, float2 b) noexcept {
  return float2{__fmul_rz(a.x, b.x), __fmul_rz(a.y, b.y)};
}
inline SIMT_QUIET float2 __ffma2_rz(float2 a, float2 b, float2 c) noexcept {
  return float2{__fmaf_rz(a.x, b.x, c.x), __fmaf_rz(a.y, b.y, c.y)};
}
inline SIMT_QUIET float2 __fadd2_ru(float2 a, float2 b) noexcept {
  return float2{__fadd_ru(a.x, b.x), __fadd_ru(a.y, b.y)};
}
inline SIMT_QUIET float2 __fmul2_ru(float2 a, float2 b) noexcept {
  return float2{__fmul_ru(a.x, b.x), __fmul_ru(a.y, b.y)};
}
inline SIMT_QUIET float2 __ffma2_ru(float2 a, float2 b, float2 c) noexcept {
  return float2{__fmaf_ru(a.x, b.x, c.x), __fmaf_ru(a.y, b.y, c.y)};
}
inline SIMT_QUIET float2 __fadd2_rd(float2 a, float2 b) noexcept {
  return float2{__fadd_rd(a.x, b.x), __fadd_rd(a.y, b.y)};
}
inline SIMT_QUIET float2 __fmul2_rd(float2 a, float2 b) noexcept {
  return float2{__fmul_rd(a.x, b.x), __fmul_rd(a.y, b.y)};
}
inline SIMT_QUIET float2 __ffma2_rd(float2 a, float2 b, float2 c) noexcept {
  return float2{__fmaf_rd(a.x, b.x, c.x), __fmaf_rd(a.y, b.y, c.y)};
}

// ---- In the place of libm's
//
// fmax and fmin are calls in libm; as comparisons they are two instructions and let loops
// vectorise. The others err more there (glibc 2.36: cbrt 4 units in the last place, cosh, exp10
// and log10 2, tgammaf 8, lgammaf 7) than CUDA allows.

#define SIMT_IN_PLACE extern "C" inline __attribute__((always_inline, gnu_inline))

SIMT_IN_PLACE float fmaxf(float a, float b) noexcept { return simt_math::float_max(a, b); }
SIMT_IN_PLACE float fminf(float a, float b) noexcept { return simt_math::float_min(a, b); }
SIMT_IN_PLACE double fmax(double a, double b) noexcept { return simt_math::float_max(a, b); }
SIMT_IN_PLACE double fmin(double a, double b) noexcept { return simt_math::float_min(a, b); }
SIMT_IN_PLACE double cbrt(double x) noexcept { return simt_cbrt(x); }
SIMT_IN_PLACE double cosh(double x) noexcept { return simt_cosh(x); }
SIMT_IN_PLACE double exp10(double x) noexcept { return simt_exp10(x); }
SIMT_IN_PLACE double log10(double x) noexcept { return simt_log10(x); }
SIMT_IN_PLACE float tgammaf(float x) noexcept {
  return static_cast<float>(::tgamma(static_cast<double>(x)));
}
SIMT_IN_PLACE float lgammaf(float x) noexcept {
  return static_cast<float>(::lgamma(static_cast<double>(x)));
}

#undef SIMT_IN_PLACE

#endif

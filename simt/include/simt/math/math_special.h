/* The special functions of libsimt: see math/special.c. */
#ifndef SIMT_MATH_SPECIAL_H
#define SIMT_MATH_SPECIAL_H

#include "simt/abi.h"

#ifdef __cplusplus
extern "C" {
#define SIMT_NOEXCEPT noexcept
#else
#define SIMT_NOEXCEPT
#endif

SIMT_API double simt_sinpi(double x) SIMT_NOEXCEPT;
SIMT_API double simt_cospi(double x) SIMT_NOEXCEPT;
SIMT_API double simt_rsqrt(double x) SIMT_NOEXCEPT;
SIMT_API double simt_rcbrt(double x) SIMT_NOEXCEPT;
SIMT_API double simt_cbrt(double x) SIMT_NOEXCEPT;
SIMT_API double simt_cosh(double x) SIMT_NOEXCEPT;
SIMT_API double simt_exp10(double x) SIMT_NOEXCEPT;
SIMT_API double simt_log10(double x) SIMT_NOEXCEPT;
SIMT_API double simt_erfcx(double x) SIMT_NOEXCEPT;
SIMT_API double simt_erfinv(double y) SIMT_NOEXCEPT;
SIMT_API double simt_erfcinv(double y) SIMT_NOEXCEPT;
SIMT_API double simt_normcdf(double x) SIMT_NOEXCEPT;
SIMT_API double simt_normcdfinv(double p) SIMT_NOEXCEPT;
SIMT_API double simt_cyl_bessel_i0(double x) SIMT_NOEXCEPT;
SIMT_API double simt_cyl_bessel_i1(double x) SIMT_NOEXCEPT;

/* The Euclidean norm of `count` numbers, or its reciprocal; no intermediate overflow. An infinite
 * component counts more than a NaN. */
SIMT_API double simt_norm(int count, const double *p) SIMT_NOEXCEPT;
SIMT_API double simt_rnorm(int count, const double *p) SIMT_NOEXCEPT;
SIMT_API float simt_normf(int count, const float *p) SIMT_NOEXCEPT;
SIMT_API float simt_rnormf(int count, const float *p) SIMT_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#undef SIMT_NOEXCEPT
#endif

/* Complex numbers of CUDA's cuComplex.h: float2 and double2 with functions, for C and C++.
 *
 * Method   division and modulus scale their operands, so that no intermediate result overflows
 *          where the final one does not (Smith 1962; hypot) */
#ifndef SIMT_CUCOMPLEX_H
#define SIMT_CUCOMPLEX_H
#include "simt/names_begin.inc"
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_
#endif

#include "vector_types.h"
#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

static inline SIMT_QUIET cuFloatComplex make_cuFloatComplex(float x, float y) {
  cuFloatComplex z;
  z.x = x;
  z.y = y;
  return z;
}
static inline SIMT_QUIET float cuCrealf(cuFloatComplex z) { return z.x; }
static inline SIMT_QUIET float cuCimagf(cuFloatComplex z) { return z.y; }
static inline SIMT_QUIET cuFloatComplex cuConjf(cuFloatComplex z) {
  return make_cuFloatComplex(z.x, -z.y);
}
static inline SIMT_QUIET cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b) {
  return make_cuFloatComplex(a.x + b.x, a.y + b.y);
}
static inline SIMT_QUIET cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b) {
  return make_cuFloatComplex(a.x - b.x, a.y - b.y);
}
static inline SIMT_QUIET cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b) {
  return make_cuFloatComplex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
static inline SIMT_QUIET cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b) {
  const float scale = 1.0f / (fabsf(b.x) + fabsf(b.y));
  const float ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;
  const float inverse = 1.0f / (bx * bx + by * by);
  return make_cuFloatComplex((ax * bx + ay * by) * inverse, (ay * bx - ax * by) * inverse);
}
static inline SIMT_QUIET float cuCabsf(cuFloatComplex z) { return hypotf(z.x, z.y); }
static inline SIMT_QUIET cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b,
                                                cuFloatComplex c) {
  return cuCaddf(cuCmulf(a, b), c);
}

static inline SIMT_QUIET cuDoubleComplex make_cuDoubleComplex(double x, double y) {
  cuDoubleComplex z;
  z.x = x;
  z.y = y;
  return z;
}
static inline SIMT_QUIET double cuCreal(cuDoubleComplex z) { return z.x; }
static inline SIMT_QUIET double cuCimag(cuDoubleComplex z) { return z.y; }
static inline SIMT_QUIET cuDoubleComplex cuConj(cuDoubleComplex z) {
  return make_cuDoubleComplex(z.x, -z.y);
}
static inline SIMT_QUIET cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b) {
  return make_cuDoubleComplex(a.x + b.x, a.y + b.y);
}
static inline SIMT_QUIET cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b) {
  return make_cuDoubleComplex(a.x - b.x, a.y - b.y);
}
static inline SIMT_QUIET cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b) {
  return make_cuDoubleComplex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
static inline SIMT_QUIET cuDoubleComplex cuCdiv(cuDoubleComplex a, cuDoubleComplex b) {
  const double scale = 1.0 / (fabs(b.x) + fabs(b.y));
  const double ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;
  const double inverse = 1.0 / (bx * bx + by * by);
  return make_cuDoubleComplex((ax * bx + ay * by) * inverse, (ay * bx - ax * by) * inverse);
}
static inline SIMT_QUIET double cuCabs(cuDoubleComplex z) { return hypot(z.x, z.y); }
static inline SIMT_QUIET cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b,
                                                cuDoubleComplex c) {
  return cuCadd(cuCmul(a, b), c);
}

static inline SIMT_QUIET cuComplex make_cuComplex(float x, float y) {
  return make_cuFloatComplex(x, y);
}
static inline SIMT_QUIET cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
  return make_cuDoubleComplex((double)z.x, (double)z.y);
}
static inline SIMT_QUIET cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return make_cuFloatComplex((float)z.x, (float)z.y);
}

#include "simt/names_end.inc"
#endif

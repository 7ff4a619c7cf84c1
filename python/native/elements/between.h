/* between.h - a quantile of float32 between two elements, as heddle/_rank/interpolation.py has it
 *
 * Result   place_of: the ranks on both sides of a share, and how far it is from the first to the second.
 *          between_f32: in float32, for shares that are numbers of Python's; between_f64: for others */
#ifndef HEDDLE_PYTHON_BETWEEN_H
#define HEDDLE_PYTHON_BETWEEN_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

struct place {
  uint64_t low, high;
  double t;
};

static inline struct place place_of(double q, uint64_t length) {
  const double index = (double)(length - 1) * q;
  if (index >= (double)(length - 1)) return (struct place){length - 1, length - 1, index + 1};
  const double before = floor(index);
  return (struct place){(uint64_t)before, (uint64_t)before + 1, index - before};
}

/* Beside an infinity. False: the arithmetic below holds. */
static inline bool is_beside_infinity(float a, float b, double t, double *result) {
  const float difference = b - a;
  if (isinf(a) && a == b) {
    *result = (double)a;
    return true;
  }
  if (!isinf(difference) || !(isinf(a) || isinf(b))) return false;
  if (t == 0)
    *result = (double)a;
  else if (t == 1)
    *result = (double)b;
  else
    *result = isinf(a) && isinf(b) ? (double)NAN : isinf(b) ? (double)b : (double)a;
  return true;
}

static inline float between_f32(float a, float b, double t) {
  const float difference = b - a, apart = (float)t, left = (float)(1 - t);
  double odd;
  if (is_beside_infinity(a, b, t, &odd)) return (float)odd;
  return t >= 0.5 ? b - difference * left : a + difference * apart;
}

static inline double between_f64(float a, float b, double t) {
  const double difference = (double)(b - a);
  double odd;
  if (is_beside_infinity(a, b, t, &odd)) return odd;
  return t >= 0.5 ? (double)b - difference * (1 - t) : (double)a + difference * t;
}

#endif

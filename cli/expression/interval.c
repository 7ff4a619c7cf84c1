/* interval.c - a comparison rounded to the elements that there are, then two comparisons an element
 *
 * Method  The greatest element that is below the value, or at most it, ends an interval; so does the
 *         least above it. For integers both are found among 128 bits and cut to the type; for f64 they
 *         are the value's neighbours. */
#include "interval.h"

#include <math.h>

/* ---- integers ------------------------------------------------------------------------------ */

/* Far beyond 64 bits, and near enough that one more or less does not overflow. */
static const value_wide far_away = (value_wide)1 << 100;

static value_wide whole_of(double real) {
  if (real > 0x1p99) return far_away;
  if (real < -0x1p99) return -far_away;
  return (value_wide)real;
}

static struct interval of_integers(heddle_comparison comparison, const struct value *v,
                                   heddle_type type) {
  const bool is_signed = type == HEDDLE_I64;
  const value_wide first = is_signed ? INT64_MIN : 0;
  const value_wide last = is_signed ? (value_wide)INT64_MAX : (value_wide)UINT64_MAX;
  const value_wide below = v->kind == VALUE_WHOLE ? v->whole : whole_of(floor(v->real));
  const value_wide above = v->kind == VALUE_WHOLE ? v->whole : whole_of(ceil(v->real));
  value_wide least = first, most = last;
  switch (comparison) {
  case HEDDLE_LESS: most = above - 1; break;
  case HEDDLE_LESS_EQUAL: most = below; break;
  case HEDDLE_GREATER: least = below + 1; break;
  case HEDDLE_GREATER_EQUAL: least = above; break;
  default:
    least = above; /* above > below: nothing is equal */
    most = below;
  }
  if (least < first) least = first;
  if (most > last) most = last;
  if (least > most) {
    least = first + 1;
    most = first;
  }
  struct interval in = {.type = type, .outside = comparison == HEDDLE_NOT_EQUAL};
  if (is_signed) {
    in.least.i = (int64_t)least;
    in.most.i = (int64_t)most;
  } else {
    in.least.u = (uint64_t)least;
    in.most.u = (uint64_t)most;
  }
  return in;
}

/* ---- floats -------------------------------------------------------------------------------- */

static struct interval of_reals(heddle_comparison comparison, const struct value *v) {
  double below = v->real, above = v->real;
  if (v->kind == VALUE_WHOLE) {
    below = above = (double)v->whole;
    const int side = value_order_real(v->whole, below);
    if (side < 0) below = nextafter(below, -INFINITY);
    if (side > 0) above = nextafter(above, INFINITY);
  }
  const bool exact = below == above;
  struct interval in = {.type = HEDDLE_F64, .outside = comparison == HEDDLE_NOT_EQUAL};
  in.least.f = -INFINITY;
  in.most.f = INFINITY;
  bool none = false;
  switch (comparison) {
  case HEDDLE_LESS:
    in.most.f = exact ? nextafter(below, -INFINITY) : below;
    none = below == -INFINITY;
    break;
  case HEDDLE_LESS_EQUAL: in.most.f = below; break;
  case HEDDLE_GREATER:
    in.least.f = exact ? nextafter(above, INFINITY) : above;
    none = above == INFINITY;
    break;
  case HEDDLE_GREATER_EQUAL: in.least.f = above; break;
  default: in.least.f = above; in.most.f = below;
  }
  if (none) {
    in.least.f = 1;
    in.most.f = 0;
  }
  return in;
}

struct interval interval_of(heddle_comparison comparison, const struct value *value,
                            heddle_type type) {
  return type == HEDDLE_F64 ? of_reals(comparison, value) : of_integers(comparison, value, type);
}

/* ---- elements ------------------------------------------------------------------------------ */

void interval_mask(const struct interval *in, const void *elements, size_t count, uint8_t *mask) {
  const uint8_t outside = in->outside;
  if (in->type == HEDDLE_I64) {
    const int64_t *const x = elements, least = in->least.i, most = in->most.i;
    for (size_t k = 0; k < count; k++) mask[k] = ((x[k] >= least) & (x[k] <= most)) ^ outside;
  } else if (in->type == HEDDLE_U64) {
    const uint64_t *const x = elements, least = in->least.u, most = in->most.u;
    for (size_t k = 0; k < count; k++) mask[k] = ((x[k] >= least) & (x[k] <= most)) ^ outside;
  } else {
    const double *const x = elements, least = in->least.f, most = in->most.f;
    for (size_t k = 0; k < count; k++) mask[k] = ((x[k] >= least) & (x[k] <= most)) ^ outside;
  }
}

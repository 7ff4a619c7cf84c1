/* test.c - from a comparison to an interval of keys, or what is outside of one
 *
 * Method   Keys are unsigned numbers in the order of elements (kernels/select/flags.h). The two zeros of floats
 *          are neighbours there, and NaN lie beyond both infinities, so that every comparison of C is one
 *          interval, or the complement of one. */
#include "select.h"

struct interval {
  u64 first, last;   /* keys of the elements that are equal to the value */
  u64 least, most;   /* keys of all that are numbers */
  bool is_unordered; /* the value is a NaN */
};

static u64 infinity_of(heddle_type type) {
  switch (type) {
#define CASE(T, n, family, bits, s, a, l, k, v, least, most, raw, inf) \
  case HEDDLE_##T: return (u64)(inf) >> 1;
    HD_FLOAT_TYPES(CASE)
#undef CASE
  default: return 0;
  }
}

static u64 sign_of(heddle_type type) { return (u64)1 << (8 * heddle_type_size(type) - 1); }

static u64 float_key(u64 bits, u64 sign) { return bits ^ (bits & sign ? sign | (sign - 1) : sign); }

static struct interval interval_of(heddle_type type, u64 value) {
  const u64 sign = sign_of(type), all = sign | (sign - 1), infinity = infinity_of(type);
  const u64 key =
      hd_is_float(type) ? float_key(value, sign) : value ^ (hd_is_signed(type) ? sign : 0);
  struct interval i = {key, key, 0, all, false};
  if (!hd_is_float(type)) return i;
  i.least = float_key(sign | infinity, sign);
  i.most = float_key(infinity, sign);
  i.is_unordered = (value & ~sign) > infinity;
  if (!(value & ~sign)) i.first = float_key(sign, sign), i.last = float_key(0, sign);
  return i;
}

static struct select_test none(const struct select_test *test, u64 all) {
  struct select_test t = *test;
  t.low = 0, t.span = all, t.invert = 1;
  return t;
}

struct select_test hd_cuda_select_test(heddle_comparison comparison, heddle_type type, u64 value) {
  const u64 sign = sign_of(type), all = sign | (sign - 1);
  const struct interval i = interval_of(type, value);
  struct select_test t = {.flip = hd_is_signed(type) && !hd_is_float(type) ? sign : 0,
                          .infinity = infinity_of(type)};
  const bool differs = comparison == HEDDLE_NONZERO || comparison == HEDDLE_NOT_EQUAL;
  u64 low = i.first, high = i.last;
  if (i.is_unordered) {
    t = none(&t, all);
    t.invert = !differs;
    return t;
  }
  switch (comparison) {
  case HEDDLE_LESS:
    if (i.first == i.least) return none(&t, all);
    low = i.least, high = i.first - 1;
    break;
  case HEDDLE_LESS_EQUAL: low = i.least; break;
  case HEDDLE_GREATER:
    if (i.last == i.most) return none(&t, all);
    low = i.last + 1, high = i.most;
    break;
  case HEDDLE_GREATER_EQUAL: high = i.most; break;
  default: t.invert = differs;
  }
  t.low = low, t.span = high - low;
  return t;
}

struct select_test hd_cuda_select_runs_test(heddle_type type) {
  return (struct select_test){.infinity = infinity_of(type)};
}

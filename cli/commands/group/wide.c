/* wide.c - one addition at a time
 *
 * Limits  Sums of 2^64 elements fit; squares and products that pass 128 bits are over for good. */
#include "wide.h"

void wide_add(struct wide *w, heddle_op op, int64_t x) {
  const wide_value value = x;
  const bool first = !w->any;
  w->any = true;
  switch (op) {
  case HEDDLE_SUM: w->value += value; return;
  case HEDDLE_SUM_SQUARES:
    w->over |= __builtin_add_overflow(w->value, value * value, &w->value);
    return;
  case HEDDLE_PROD:
    if (first) w->value = 1;
    w->over |= __builtin_mul_overflow(w->value, value, &w->value);
    return;
  case HEDDLE_MIN:
    if (first || value < w->value) w->value = value;
    return;
  default:
    if (first || value > w->value) w->value = value;
  }
}

bool wide_result(const struct wide *w, int64_t *result) {
  *result = (int64_t)w->value;
  return !w->over && *result == w->value;
}

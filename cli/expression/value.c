/* value.c - an integer against an f64: by its whole part, and where that is the same by what is left */
#include "value.h"

#include <math.h>

#include "text/number.h"

struct value value_read(const char *text, size_t length) {
  struct value v = {VALUE_WHOLE, 0, 0};
  int64_t i;
  uint64_t u;
  if (length > 0 && number_is_digits(text, text + length)) {
    if (number_parse(text, length, HEDDLE_I64, &i) == NUMBER_OK) {
      v.whole = i;
      return v;
    }
    if (number_parse(text, length, HEDDLE_U64, &u) == NUMBER_OK) {
      v.whole = u;
      return v;
    }
  }
  v.kind = VALUE_NONE;
  if (number_parse(text, length, HEDDLE_F64, &v.real) != NUMBER_OK) return v;
  v.kind = isnan(v.real) ? VALUE_MISSING : VALUE_REAL;
  return v;
}

int value_order_real(value_wide a, double b) {
  if (b >= 0x1p64) return -1;
  if (b < -0x1p63) return 1;
  const double floor_b = floor(b);
  const value_wide whole = (value_wide)floor_b;
  if (a != whole) return a < whole ? -1 : 1;
  return b > floor_b ? -1 : 0;
}

int value_order(const struct value *a, const struct value *b) {
  if (a->kind == VALUE_WHOLE && b->kind == VALUE_WHOLE)
    return (a->whole > b->whole) - (a->whole < b->whole);
  if (a->kind == VALUE_WHOLE) return value_order_real(a->whole, b->real);
  if (b->kind == VALUE_WHOLE) return -value_order_real(b->whole, a->real);
  return (a->real > b->real) - (a->real < b->real);
}

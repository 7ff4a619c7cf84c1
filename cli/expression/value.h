/* value.h - numbers of fields and of conditions, compared exactly
 *
 * An integer of 64 bits is held as such, whatever else is written is the nearest f64. An integer and
 * an f64 are compared as the real numbers that they are. */
#ifndef HEDDLE_CLI_EXPRESSION_VALUE_H
#define HEDDLE_CLI_EXPRESSION_VALUE_H

#include <stdbool.h>
#include <stddef.h>

__extension__ typedef __int128 value_wide;

enum value_kind {
  VALUE_NONE,    /* no number */
  VALUE_MISSING, /* nothing, or NaN */
  VALUE_WHOLE,
  VALUE_REAL
};

struct value {
  enum value_kind kind;
  value_wide whole; /* i64 or u64 */
  double real;
};

/* The whole of text as a number, as heddle reads fields (text/number.h). */
struct value value_read(const char *text, size_t length);
/* -1, 0 or 1, as a is less than b, equal to it or greater; both are numbers. */
int value_order(const struct value *a, const struct value *b);
int value_order_real(value_wide a, double b);

#endif

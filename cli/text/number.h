/* number.h - text to numbers, rounded exactly as strtod rounds in the C locale
 *
 * Every float result is the correctly rounded one (to nearest, ties to even) of its own type:
 * f32, f16 and bf16 are rounded from the decimal, not from a double. Integers are exact. */
#ifndef HEDDLE_CLI_TEXT_NUMBER_H
#define HEDDLE_CLI_TEXT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

#include "heddle.h"

enum number_status {
  NUMBER_OK,
  NUMBER_EMPTY, /* an integer was wanted and there is nothing */
  NUMBER_BAD,   /* no number of this type */
  NUMBER_RANGE  /* an integer that does not fit the type */
};

/* Bytes that must be readable after the end of text handed to a number_scan. */
enum { NUMBER_PADDING = 16 };

/* Reads the plain decimal that begins at text and stores it at out; returns its end, or NULL if
 * there is none there, or one that does not fit. The text must end in a byte that is no digit,
 * followed by NUMBER_PADDING readable bytes. Says nothing about what follows the number. */
typedef const char *number_scan(const char *text, void *out);

/* The scanner of a type: one of the twelve. */
number_scan *number_scanner(heddle_type type);

/* The same, but those of HEDDLE_I64 and HEDDLE_U64 do not read -0, which is a float's zero. */
number_scan *number_found_scanner(heddle_type type);

/* Whether the number [text, end) is written as an integer: a sign and digits. */
bool number_is_digits(const char *text, const char *end);
/* Whether text[0 .. length) is an integer in decimal that is not `value`, as which it was read. */
bool number_is_rounded(const char *text, size_t length, double value);

/* The whole of text[0 .. length) as one number: an optional sign, then a decimal, and for float
 * types also a hexadecimal float, nan, inf or infinity in any case, or nothing at all, which is
 * NaN. Needs no padding. */
enum number_status number_parse(const char *text, size_t length, heddle_type type, void *out);

#endif

/* number.c - a scanner for each type; strtod for what decimals are not
 *
 * Method    integers are gathered eight digits at a time, with an exact overflow check; plain
 *           decimals are decimal.c's; hexadecimal floats, nan and infinity are strtod's,
 *           after a check of the grammar that keeps out what strtod takes beyond it. f16 and
 *           bf16 are converted from a double that was rounded to odd, which makes the second
 *           rounding as good as one rounding of the decimal.
 * Source    rounding to odd: Boldo and Melquiond 2008 (Emulation of FMA and correctly rounded
 *           sums: proved algorithms using rounding to odd). */
#define _GNU_SOURCE
#include "number.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "decimal.h"
#include "types.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* A sign and digits; NULL where there are none, or where they pass 2^64. */
static const char *scan_magnitude(const char *text, uint64_t *magnitude, bool *negative) {
  const char *p = text;
  *negative = *p == '-';
  if (*p == '-' || *p == '+') p++;
  const char *first = p;
  *magnitude = 0;
  p = decimal_digits(p, magnitude);
  if (p == first) return NULL;
  if (p - first <= 19) return p;
  while (*first == '0') first++;
  *magnitude = 0;
  for (; first < p; first++) {
    const uint64_t digit = (uint64_t)(*first - '0');
    if (*magnitude > (UINT64_MAX - digit) / 10) return NULL;
    *magnitude = *magnitude * 10 + digit;
  }
  return p;
}

#define INTEGER_NAME scan_u8
#define INTEGER_TYPE uint8_t
#define INTEGER_BELOW 0
#define INTEGER_ABOVE UINT8_MAX
#include "integer_tmpl.h"

#define INTEGER_NAME scan_u16
#define INTEGER_TYPE uint16_t
#define INTEGER_BELOW 0
#define INTEGER_ABOVE UINT16_MAX
#include "integer_tmpl.h"

#define INTEGER_NAME scan_u32
#define INTEGER_TYPE uint32_t
#define INTEGER_BELOW 0
#define INTEGER_ABOVE UINT32_MAX
#include "integer_tmpl.h"

#define INTEGER_NAME scan_u64
#define INTEGER_TYPE uint64_t
#define INTEGER_BELOW 0
#define INTEGER_ABOVE UINT64_MAX
#include "integer_tmpl.h"

#define INTEGER_NAME scan_i8
#define INTEGER_TYPE int8_t
#define INTEGER_BELOW ((uint64_t)1 << 7)
#define INTEGER_ABOVE INT8_MAX
#include "integer_tmpl.h"

#define INTEGER_NAME scan_i16
#define INTEGER_TYPE int16_t
#define INTEGER_BELOW ((uint64_t)1 << 15)
#define INTEGER_ABOVE INT16_MAX
#include "integer_tmpl.h"

#define INTEGER_NAME scan_i32
#define INTEGER_TYPE int32_t
#define INTEGER_BELOW ((uint64_t)1 << 31)
#define INTEGER_ABOVE INT32_MAX
#include "integer_tmpl.h"

#define INTEGER_NAME scan_i64
#define INTEGER_TYPE int64_t
#define INTEGER_BELOW ((uint64_t)1 << 63)
#define INTEGER_ABOVE INT64_MAX
#include "integer_tmpl.h"

/* Rounds a double that was rounded to odd. The status cannot be bad: both types exist. */
static void store_narrow(double odd, heddle_type type, void *out) {
  if (heddle_convert(HEDDLE_F64, &odd, type, out, 1) != HEDDLE_OK) abort();
}

static const char *scan_f16(const char *text, void *out) {
  double odd;
  const char *const end = scan_odd(text, &odd);
  if (end) store_narrow(odd, HEDDLE_F16, out);
  return end;
}

static const char *scan_bf16(const char *text, void *out) {
  double odd;
  const char *const end = scan_odd(text, &odd);
  if (end) store_narrow(odd, HEDDLE_BF16, out);
  return end;
}

static number_scan *const scanners[] = {
    [HEDDLE_U8] = scan_u8,     [HEDDLE_U16] = scan_u16, [HEDDLE_U32] = scan_u32,
    [HEDDLE_U64] = scan_u64,   [HEDDLE_I8] = scan_i8,   [HEDDLE_I16] = scan_i16,
    [HEDDLE_I32] = scan_i32,   [HEDDLE_I64] = scan_i64, [HEDDLE_F16] = scan_f16,
    [HEDDLE_BF16] = scan_bf16, [HEDDLE_F32] = scan_f32, [HEDDLE_F64] = scan_f64,
};

number_scan *number_scanner(heddle_type type) { return scanners[type]; }

/* ---- types that are found out -------------------------------------------------------------- */

static const char *scan_found_i64(const char *text, void *out) {
  const char *const end = scan_i64(text, out);
  int64_t value;
  if (!end || *text != '-') return end;
  memcpy(&value, out, sizeof value);
  return value == 0 ? NULL : end;
}

static const char *scan_found_u64(const char *text, void *out) {
  return *text == '-' ? NULL : scan_u64(text, out);
}

number_scan *number_found_scanner(heddle_type type) {
  if (type == HEDDLE_I64) return scan_found_i64;
  return type == HEDDLE_U64 ? scan_found_u64 : scanners[type];
}

bool number_is_digits(const char *text, const char *end) {
  text += *text == '-' || *text == '+';
  while (text < end && is_digit(*text)) text++;
  return text == end;
}

bool number_is_rounded(const char *text, size_t length, double value) {
  enum { DIGITS = 320 }; /* of the largest f64: 309 */
  char exact[DIGITS];
  const char *const end = text + length;
  const bool sign = length > 0 && (*text == '-' || *text == '+');
  if (!number_is_digits(text, end)) return false;
  text += sign;
  while (text + 1 < end && *text == '0') text++;
  const int digits = snprintf(exact, sizeof exact, "%.0f", fabs(value));
  return (size_t)digits != (size_t)(end - text) || memcmp(exact, text, (size_t)digits) != 0;
}

/* ---- whole fields -------------------------------------------------------------------------- */

static bool is_hex_digit(char c) { return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }

/* Whether text, without its sign, is 0x h.h p e: digits on either side of an optional point and
 * an optional binary exponent. */
static bool is_hex_float(const char *p) {
  if (p[0] != '0' || (p[1] | 0x20) != 'x') return false;
  size_t digits = 0;
  for (p += 2; is_hex_digit(*p); p++) digits++;
  if (*p == '.')
    for (p++; is_hex_digit(*p); p++) digits++;
  if (digits == 0) return false;
  if ((*p | 0x20) == 'p') {
    p++;
    if (*p == '-' || *p == '+') p++;
    if (!is_digit(*p)) return false;
    while (is_digit(*p)) p++;
  }
  return *p == '\0';
}

static bool is_word(const char *p) {
  return strcasecmp(p, "nan") == 0 || strcasecmp(p, "inf") == 0 || strcasecmp(p, "infinity") == 0;
}

/* All that strtod reads and decimal_scan does not; text ends in a NUL. */
static enum number_status parse_special(const char *text, heddle_type type, void *out) {
  const char *const bare = text + (*text == '-' || *text == '+');
  if (!is_word(bare) && !is_hex_float(bare)) return NUMBER_BAD;
  if (type == HEDDLE_F64) {
    const double value = slow_f64(text);
    memcpy(out, &value, sizeof value);
  } else if (type == HEDDLE_F32) {
    const float value = slow_f32(text);
    memcpy(out, &value, sizeof value);
  } else {
    store_narrow(slow_odd(text), type, out);
  }
  return NUMBER_OK;
}

static enum number_status why_no_integer(const char *text) {
  text += *text == '-' || *text == '+';
  if (!is_digit(*text)) return NUMBER_BAD;
  while (is_digit(*text)) text++;
  return *text == '\0' ? NUMBER_RANGE : NUMBER_BAD;
}

static enum number_status parse_padded(const char *text, size_t length, heddle_type type,
                                       void *out) {
  const char *const end = scanners[type](text, out);
  if (end == text + length) return NUMBER_OK;
  if (memchr(text, '\0', length)) return NUMBER_BAD;
  return type_is_float(type) ? parse_special(text, type, out) : why_no_integer(text);
}

static enum number_status parse_nothing(heddle_type type, void *out) {
  if (!type_is_float(type)) return NUMBER_EMPTY;
  const double nan = NAN;
  if (heddle_convert(HEDDLE_F64, &nan, type, out, 1) != HEDDLE_OK) abort();
  return NUMBER_OK;
}

enum number_status number_parse(const char *text, size_t length, heddle_type type, void *out) {
  if (length == 0) return parse_nothing(type, out);
  char small[256] = {0};
  char *const padded =
      length + NUMBER_PADDING < sizeof small ? small : calloc(length + NUMBER_PADDING + 1, 1);
  if (!padded) return NUMBER_BAD;
  memcpy(padded, text, length);
  const enum number_status status = parse_padded(padded, length, type, out);
  if (padded != small) free(padded);
  return status;
}

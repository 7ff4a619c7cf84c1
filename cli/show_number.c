/* show_number.c - one element as text, and text as one element
 *
 * Method  Integers in decimal. Floats: printf's %g with the digits that every decimal of that
 *         length survives, then one and two more, until the text reads back as the same bits.
 * Limits  Relies on the "C" locale, which a program has until it calls setlocale; none does.
 * Source  Matula 1968: 15 and 17 digits for binary64, 6 and 9 for binary32 */
#include "show_number.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool type_is_float(heddle_type type) { return type >= HEDDLE_F16 && type <= HEDDLE_F64; }

static double as_double(heddle_type type, const void *element) {
  double value = 0;
  if (heddle_convert(type, element, HEDDLE_F64, &value, 1) != HEDDLE_OK) return NAN;
  return value;
}

/* Whether `text` rounds to the very element that `value` came from. For f32 strtof, since
 * rounding twice, decimal to double to float, may miss. */
static bool reads_back(const char *text, heddle_type type, double value) {
  if (type == HEDDLE_F64) return strtod(text, NULL) == value;
  if (type == HEDDLE_F32) return (double)strtof(text, NULL) == value;
  double wide = strtod(text, NULL);
  uint16_t narrow = 0;
  if (heddle_convert(HEDDLE_F64, &wide, type, &narrow, 1) != HEDDLE_OK) return false;
  return as_double(type, &narrow) == value;
}

static int float_text(char text[NUMBER_TEXT], heddle_type type, double value) {
  static const struct {
    heddle_type type;
    int fewest, most;
  } digits[] = {{HEDDLE_F16, 3, 5}, {HEDDLE_BF16, 2, 4}, {HEDDLE_F32, 6, 9}, {HEDDLE_F64, 15, 17}};
  if (isnan(value)) return snprintf(text, NUMBER_TEXT, "nan");
  if (isinf(value)) return snprintf(text, NUMBER_TEXT, value < 0 ? "-inf" : "inf");
  int length = 0;
  for (size_t i = 0; i < sizeof digits / sizeof *digits; i++) {
    if (digits[i].type != type) continue;
    for (int n = digits[i].fewest; n <= digits[i].most; n++) {
      length = snprintf(text, NUMBER_TEXT, "%.*g", n, value);
      if (n == digits[i].most || reads_back(text, type, value)) break;
    }
  }
  return length;
}

int element_text(char text[NUMBER_TEXT], heddle_type type, const void *element) {
  size_t size = heddle_type_size(type);
  if (type_is_float(type)) return float_text(text, type, as_double(type, element));
  if (type >= HEDDLE_I8) {
    int64_t value = 0;
    if (heddle_convert(type, element, HEDDLE_I64, &value, 1) != HEDDLE_OK) size = 0;
    return snprintf(text, NUMBER_TEXT, "%" PRId64, size == 0 ? 0 : value);
  }
  uint64_t value = 0;
  memcpy(&value, element, size); /* little endian, as every machine that this is built for */
  return snprintf(text, NUMBER_TEXT, "%" PRIu64, value);
}

int double_text(char text[NUMBER_TEXT], double value) {
  return float_text(text, HEDDLE_F64, value);
}

void element_hex(char text[NUMBER_TEXT], heddle_type type, const void *element) {
  size_t size = heddle_type_size(type);
  uint64_t bits = 0;
  memcpy(&bits, element, size);
  (void)snprintf(text, NUMBER_TEXT, "%0*" PRIx64, (int)(2 * size), bits);
}

bool parse_u64(const char *text, uint64_t *value) {
  char *end;
  if (!isdigit((unsigned char)*text)) return false;
  errno = 0;
  unsigned long long n = strtoull(text, &end, 10);
  *value = n;
  return errno == 0 && *end == '\0';
}

static bool parse_float(const char *text, double *value) {
  char *end;
  if (*text == '\0' || isspace((unsigned char)*text)) return false;
  *value = strtod(text, &end);
  return *end == '\0';
}

static bool parse_i64(const char *text, int64_t *value) {
  char *end;
  if (!isdigit((unsigned char)text[*text == '-'])) return false;
  errno = 0;
  long long n = strtoll(text, &end, 10);
  *value = n;
  return errno == 0 && *end == '\0';
}

bool element_parse(const char *text, heddle_type type, void *element) {
  heddle_type wide = type_is_float(type) ? HEDDLE_F64 : type >= HEDDLE_I8 ? HEDDLE_I64 : HEDDLE_U64;
  union {
    double f;
    int64_t i;
    uint64_t u;
  } value, back = {0};
  bool parsed = wide == HEDDLE_F64   ? parse_float(text, &value.f)
                : wide == HEDDLE_I64 ? parse_i64(text, &value.i)
                                     : parse_u64(text, &value.u);
  if (!parsed) return false;
  if (type == HEDDLE_F32) { /* straight from the decimal: one rounding */
    float narrow = strtof(text, NULL);
    memcpy(element, &narrow, sizeof narrow);
    return true;
  }
  if (heddle_convert(wide, &value, type, element, 1) != HEDDLE_OK) return false;
  if (wide == HEDDLE_F64) return true;
  if (heddle_convert(type, element, wide, &back, 1) != HEDDLE_OK) return false;
  return back.u == value.u;
}

void bytes_text(char text[NUMBER_TEXT], double bytes) {
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  size_t u = 0;
  while (bytes >= 1024 && u + 1 < sizeof units / sizeof *units) {
    bytes /= 1024;
    u++;
  }
  (void)snprintf(text, NUMBER_TEXT, u == 0 || bytes >= 100 ? "%.0f %s" : "%.1f %s", bytes,
                 units[u]);
}

/* element.c - shortest digits, laid out as printf lays them out
 *
 * Method  Integers in decimal. Floats: the shortest digits that read back as the same bits
 *         (shortest.c), laid out as printf's %g does: an exponent where the number is below 1e-4,
 *         or has more places than digits, at least those that every decimal of the type survives.
 * Limits  Texts are read by strtod in the "C" locale, which a program has until it calls
 *         setlocale; none does.
 * Source  Matula 1968: 15 digits for binary64, 6 for binary32 */
#include "element.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shortest.h"
#include "types.h"

static double as_double(heddle_type type, const void *element) {
  double value = 0;
  if (heddle_convert(type, element, HEDDLE_F64, &value, 1) != HEDDLE_OK) return NAN;
  return value;
}

/* Writes n in decimal, without a NUL; returns the digits. */
static int put_u64(char *text, uint64_t n) {
  static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                              "25262728293031323334353637383940414243444546474849"
                              "50515253545556575859606162636465666768697071727374"
                              "75767778798081828384858687888990919293949596979899";
  char digits[20];
  char *at = digits + sizeof digits;
  for (; n >= 100; n /= 100) memcpy(at -= 2, pairs + 2 * (n % 100), 2);
  if (n >= 10)
    memcpy(at -= 2, pairs + 2 * n, 2);
  else
    *--at = (char)('0' + n);
  const size_t count = (size_t)(digits + sizeof digits - at);
  memcpy(text, at, count);
  return (int)count;
}

int u64_text(char text[NUMBER_TEXT], uint64_t value) {
  const int length = put_u64(text, value);
  text[length] = '\0';
  return length;
}

/* d.ddde+xx */
static int with_exponent(char *text, const char *digits, int count, int power) {
  int n = 0;
  text[n++] = digits[0];
  if (count > 1) text[n++] = '.';
  memcpy(text + n, digits + 1, (size_t)count - 1);
  n += count - 1;
  text[n++] = 'e';
  text[n++] = power < 0 ? '-' : '+';
  if (abs(power) < 10) text[n++] = '0';
  return n + put_u64(text + n, (uint64_t)abs(power));
}

/* ddd, ddd000, dd.d or 0.00ddd: the first digit stands for 10^power. */
static int without_exponent(char *text, const char *digits, int count, int power) {
  int n = 0;
  if (power < 0) {
    text[n++] = '0';
    text[n++] = '.';
    for (int i = -1; i > power; i--) text[n++] = '0';
    memcpy(text + n, digits, (size_t)count);
    return n + count;
  }
  for (int i = 0; i < count || i <= power; i++) {
    if (i == power + 1) text[n++] = '.';
    text[n++] = i < count ? digits[i] : '0';
  }
  return n;
}

static int float_text(char text[NUMBER_TEXT], heddle_type type, double value) {
  static const struct {
    heddle_type type;
    struct float_format format;
    int places; /* that are written without an exponent, at least */
  } formats[] = {{HEDDLE_F64, {53, -1074}, 15},
                 {HEDDLE_F32, {24, -149}, 6},
                 {HEDDLE_F16, {11, -24}, 3},
                 {HEDDLE_BF16, {8, -133}, 2}};
  if (isnan(value)) return snprintf(text, NUMBER_TEXT, "nan");
  if (isinf(value)) return snprintf(text, NUMBER_TEXT, value < 0 ? "-inf" : "inf");
  size_t f = 0;
  while (formats[f].type != type) f++;
  const struct shortest d = shortest_decimal(formats[f].format, value);
  char digits[20];
  const int count = put_u64(digits, d.digits), power = d.exponent + count - 1;
  const int places = count > formats[f].places ? count : formats[f].places;
  int length = 0;
  if (signbit(value)) text[length++] = '-';
  length += power < -4 || power >= places ? with_exponent(text + length, digits, count, power)
                                          : without_exponent(text + length, digits, count, power);
  text[length] = '\0';
  return length;
}

int element_text(char text[NUMBER_TEXT], heddle_type type, const void *element) {
  const size_t size = heddle_type_size(type);
  double wide;
  if (type == HEDDLE_F64) {
    memcpy(&wide, element, sizeof wide);
    return float_text(text, type, wide);
  }
  if (type_is_float(type)) return float_text(text, type, as_double(type, element));
  if (type_is_signed(type)) {
    int64_t value = 0;
    if (size == sizeof value)
      memcpy(&value, element, sizeof value);
    else if (heddle_convert(type, element, HEDDLE_I64, &value, 1) != HEDDLE_OK)
      value = 0;
    const int sign = value < 0;
    *text = '-';
    const uint64_t magnitude = sign ? 0 - (uint64_t)value : (uint64_t)value;
    const int length = sign + put_u64(text + sign, magnitude);
    text[length] = '\0';
    return length;
  }
  uint64_t value = 0;
  memcpy(&value, element, size); /* little endian, as every machine that this is built for */
  return u64_text(text, value);
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
  const heddle_type wide = type_widest(type);
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

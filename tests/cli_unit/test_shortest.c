/* test_shortest.c - the shortest decimal of a float: it reads back, no shorter one does, and none of
 * its length is nearer */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle.h"
#include "support.h"
#include "text/shortest.h"

static const struct format {
  heddle_type type;
  struct float_format format;
} formats[] = {{HEDDLE_F64, {53, -1074}},
               {HEDDLE_F32, {24, -149}},
               {HEDDLE_F16, {11, -24}},
               {HEDDLE_BF16, {8, -133}}};

/* Whether the text rounds to that very number of the format. */
static bool reads_back(const struct format *f, const char *text, double value) {
  if (f->type == HEDDLE_F64) return strtod(text, NULL) == value;
  if (f->type == HEDDLE_F32) return (double)strtof(text, NULL) == value;
  double wide = strtod(text, NULL), back;
  uint16_t narrow;
  assert_int_equal(heddle_convert(HEDDLE_F64, &wide, f->type, &narrow, 1), HEDDLE_OK);
  assert_int_equal(heddle_convert(f->type, &narrow, HEDDLE_F64, &back, 1), HEDDLE_OK);
  return back == value;
}

/* The decimal of so many digits that is nearest to the value, as its digits, and text of the one
 * `step` units beside it. */
static uint64_t decimal(char *text, size_t room, double value, int digits, int step) {
  char nearest[64];
  (void)snprintf(nearest, sizeof nearest, "%.*e", digits - 1, value);
  uint64_t n = 0;
  const char *p = nearest;
  for (; *p != 'e'; p++)
    if (*p != '.') n = 10 * n + (uint64_t)(*p - '0');
  (void)snprintf(text, room, "%llue%d", (unsigned long long)n + (unsigned long long)step,
                 atoi(p + 1) - (digits - 1));
  return n;
}

static void require_shortest(const struct format *f, double value) {
  const struct shortest d = shortest_decimal(f->format, value);
  char text[64], other[64];
  (void)snprintf(text, sizeof text, "%llue%d", (unsigned long long)d.digits, d.exponent);
  value = fabs(value);
  const int digits = (int)(strchr(text, 'e') - text);
  if (!reads_back(f, text, value)) reject("%a gives %s, which is another number", value, text);
  if (value == 0) {
    assert_string_equal(text, "0e0");
    return;
  }
  assert_true(d.digits % 10 != 0);
  for (int step = -1; step <= 1 && digits > 1; step++) {
    (void)decimal(other, sizeof other, value, digits - 1, step);
    if (reads_back(f, other, value)) reject("%a gives %s, but %s is shorter", value, text, other);
  }
  const uint64_t nearest = decimal(other, sizeof other, value, digits, 0);
  if (reads_back(f, other, value) && nearest != d.digits)
    reject("%a gives %s, but %s is nearer", value, text, other);
}

static uint64_t random_bits(void) {
  static uint64_t state = 88172645463325252u;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static double from_bits(const struct format *f, uint64_t bits) {
  double value;
  assert_int_equal(heddle_convert(f->type, &bits, HEDDLE_F64, &value, 1), HEDDLE_OK);
  return value;
}

static void every_number_of_sixteen_bits(void **unused) {
  (void)unused;
  for (size_t f = 2; f < 4; f++)
    for (uint64_t bits = 0; bits < 0x10000; bits += lightness()) {
      const double value = from_bits(&formats[f], bits);
      if (isfinite(value)) require_shortest(&formats[f], value);
    }
}

static void random_numbers(void **unused) {
  (void)unused;
  enum { ROUNDS = 60000 };
  for (size_t f = 0; f < 2; f++) {
    const unsigned fraction = f == 0 ? 52 : 23, width = f == 0 ? 64 : 32;
    for (int round = 0; round < ROUNDS / (int)lightness(); round++) {
      uint64_t bits = random_bits() >> (64 - width);
      if (round % 4 == 1) bits &= ((uint64_t)1 << fraction) - 1;    /* subnormal */
      if (round % 4 == 2) bits &= ~(((uint64_t)1 << fraction) - 1); /* a power of two */
      if (round % 12 == 3) bits &= random_bits() | ((uint64_t)0x7ff << fraction);
      const double value = from_bits(&formats[f], bits);
      if (isfinite(value)) require_shortest(&formats[f], value);
    }
  }
}

static void chosen_numbers(void **unused) {
  (void)unused;
  static const struct {
    double value;
    uint64_t digits;
    int exponent;
  } known[] = {{5e-324, 5, -324},
               {1.5e-323, 15, -324},
               {2.2250738585072014e-308, 22250738585072014u, -324},
               {2.225073858507201e-308, 2225073858507201u, -323},
               {1.7976931348623157e308, 17976931348623157u, 292},
               {0.1, 1, -1},
               {0.3, 3, -1},
               {1e23, 1, 23},
               {9007199254740993.0, 9007199254740992u, 0},
               {9.5367431640625e-07, 95367431640625u, -20},
               {123456789, 123456789, 0},
               {1e22, 1, 22}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const struct shortest d = shortest_decimal(formats[0].format, -known[i].value);
    if (d.digits != known[i].digits || d.exponent != known[i].exponent)
      reject("%a gives %llue%d", known[i].value, (unsigned long long)d.digits, d.exponent);
    require_shortest(&formats[0], known[i].value);
  }
  for (int e = -1074; e < 1024; e++) {
    require_shortest(&formats[0], ldexp(1, e));
    require_shortest(&formats[0], nextafter(ldexp(1, e), 0));
    if (e >= -149 && e < 128) require_shortest(&formats[1], ldexp(1, e));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_number_of_sixteen_bits),
                                     cmocka_unit_test(random_numbers),
                                     cmocka_unit_test(chosen_numbers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

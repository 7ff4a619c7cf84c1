/* test_number.c - text to numbers: bit by bit what strtod and strtof give, and exact integers */
#define _GNU_SOURCE
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "text/number.h"
#include "text/types.h"

static uint64_t state = 88172645463325252u;

static uint64_t random_bits(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * 0x2545f4914f6cdd1du;
}

static int below(int n) { return (int)(random_bits() % (unsigned)n); }

/* Both types, as whole fields and by the scanner, against the C library. */
static void same_as_strtod(const char *text) {
  const size_t length = strlen(text);
  double ours = 1, scanned = 1;
  float ours_f32 = 1;
  const double theirs = strtod(text, NULL);
  const float theirs_f32 = strtof(text, NULL);
  if (number_parse(text, length, HEDDLE_F64, &ours) != NUMBER_OK ||
      number_parse(text, length, HEDDLE_F32, &ours_f32) != NUMBER_OK ||
      memcmp(&ours, &theirs, sizeof ours) != 0 ||
      memcmp(&ours_f32, &theirs_f32, sizeof(float)) != 0)
    reject("%.100s: %a, not %a; f32 %a, not %a", text, ours, theirs, (double)ours_f32,
           (double)theirs_f32);
  char *const padded = calloc(length + 1 + NUMBER_PADDING, 1);
  assert_non_null(padded);
  memcpy(padded, text, length);
  assert_ptr_equal(number_scanner(HEDDLE_F64)(padded, &scanned), padded + length);
  assert_memory_equal(&scanned, &theirs, sizeof scanned);
  free(padded);
}

static void random_decimals(void **unused) {
  (void)unused;
  char text[200];
  for (int i = 0; i < 200000 / (int)lightness(); i++) {
    const uint64_t a = random_bits() >> below(64), b = random_bits() >> below(64);
    double value;
    const uint64_t bits = random_bits();
    memcpy(&value, &bits, sizeof value);
    switch (i % 6) {
    case 0: snprintf(text, sizeof text, "%.17g", isfinite(value) ? value : 0.1); break;
    case 1: snprintf(text, sizeof text, "%.*f", below(20), (double)a / 1e9); break;
    case 2: snprintf(text, sizeof text, "%" PRIu64 "e%d", a, below(61) - 30); break;
    case 3:
      snprintf(text, sizeof text, "-%" PRIu64 ".%" PRIu64 "e%d", a, b, below(700) - 350);
      break;
    case 4: snprintf(text, sizeof text, ".%0*d%" PRIu64 "%" PRIu64, below(40), 0, a, b); break;
    default: snprintf(text, sizeof text, "+%" PRIu64 "%" PRIu64 "E+%d", a, b, below(3)); break;
    }
    same_as_strtod(text);
  }
}

/* All digits of the point halfway between two doubles, then with a digit more or less behind it:
 * the tie and both sides of it. */
static void halfway_points(void **unused) {
  (void)unused;
  char text[2000];
  for (int i = 0; i < 20000 / (int)lightness(); i++) {
    const uint64_t bits = random_bits() >> 1;
    /* Exponents from subnormal to 2^300; more of them near 1, where the quick way works. */
    const uint64_t exponent = i % 2 ? (uint64_t)below(1323) : (uint64_t)(1023 - 90 + below(180));
    double low;
    const uint64_t pattern = exponent << 52 | (bits >> 11);
    memcpy(&low, &pattern, sizeof low);
    const long double middle = ((long double)low + nextafter(low, INFINITY)) / 2;
    const int length = snprintf(text, sizeof text - 4, "%.1100Lf", middle);
    char *last = text + length - 1;
    while (*last == '0') last--;
    last[1] = '\0';
    same_as_strtod(text);
    last[1] = '1';
    last[2] = '\0';
    same_as_strtod(text);
    last[1] = '\0';
    if (*last > '0' && *last <= '9') *last -= 1;
    same_as_strtod(text);
  }
}

/* Halfway points with at most 19 digits, where the quick way has to see the tie itself. */
static void short_halfway_points(void **unused) {
  (void)unused;
  char text[64];
  for (int i = 0; i < 100000 / (int)lightness(); i++) {
    const uint64_t odd = ((uint64_t)1 << 53 | random_bits() >> 11) | 1; /* 54 bits, the last set */
    snprintf(text, sizeof text, "%" PRIu64, odd << below(10));
    same_as_strtod(text);
    snprintf(text, sizeof text, "%" PRIu64 "e%d", odd / 3 * 3 + 1, below(55) - 27);
    same_as_strtod(text);
    const uint64_t odd_f32 = ((uint64_t)1 << 24 | random_bits() >> 40) | 1; /* 25 bits */
    snprintf(text, sizeof text, "%" PRIu64, odd_f32 << below(30));
    same_as_strtod(text);
    snprintf(text, sizeof text, "%.*f", 1 + below(10), (double)odd_f32 / (1 << below(10)));
    same_as_strtod(text);
  }
}

static void edges_of_the_quick_way(void **unused) {
  (void)unused;
  char text[80];
  static const uint64_t digits[] = {1,
                                    9,
                                    10,
                                    ((uint64_t)1 << 53) - 1,
                                    (uint64_t)1 << 53,
                                    ((uint64_t)1 << 53) + 1,
                                    ((uint64_t)1 << 63) - 1,
                                    (uint64_t)1 << 63,
                                    ((uint64_t)1 << 63) + 1,
                                    9999999999999999999u,
                                    1000000000000000000u,
                                    10000000000000000000u,
                                    UINT64_MAX,
                                    (1u << 24) - 1,
                                    1u << 24,
                                    (1u << 24) + 1,
                                    7450580596923828125u,
                                    0};
  for (size_t i = 0; i < sizeof digits / sizeof *digits; i++)
    for (int e = -60; e <= 60; e++) {
      snprintf(text, sizeof text, "%" PRIu64 "e%d", digits[i], e);
      same_as_strtod(text);
      snprintf(text, sizeof text, "-0.000%" PRIu64 "00000000e%d", digits[i], e);
      same_as_strtod(text);
      snprintf(text, sizeof text, "%" PRIu64 "00000000000000000001e%d", digits[i], e);
      same_as_strtod(text);
    }
}

static void special_texts(void **unused) {
  (void)unused;
  static const char *const texts[] = {"0",
                                      "-0",
                                      "+0",
                                      "0.0",
                                      "-.0",
                                      "0e999999999999999999999",
                                      "1.",
                                      ".5",
                                      "-5.e-1",
                                      "1E5",
                                      "1e+5",
                                      "1e400",
                                      "-1e400",
                                      "1e-400",
                                      "1e99999999999999999999",
                                      "1e-99999999999999999999",
                                      "4.9406564584124654e-324",
                                      "2.4703282292062327e-324",
                                      "2.4703282292062328e-324",
                                      "2.2250738585072014e-308",
                                      "2.2250738585072011e-308",
                                      "1.7976931348623157e308",
                                      "1.7976931348623158e308",
                                      "1.7976931348623159e308",
                                      "3.4028235e38",
                                      "3.4028235677973366e38",
                                      "3.4028236e38",
                                      "1.401298464324817e-45",
                                      "7.006492321624085e-46",
                                      "7.006492321624086e-46",
                                      "inf",
                                      "-inf",
                                      "+Infinity",
                                      "INF",
                                      "0x1p3",
                                      "-0x1.8P-1",
                                      "0X.8p1",
                                      "0x10",
                                      "0xAb.p+2",
                                      "0x1.fffffffffffff8p0",
                                      "0x1p-1075",
                                      "0x1.0000000000001p-1075",
                                      "0x1p99999"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    double ours = 1, theirs = strtod(texts[i], NULL);
    float ours_f32 = 1, theirs_f32 = strtof(texts[i], NULL);
    assert_int_equal(number_parse(texts[i], strlen(texts[i]), HEDDLE_F64, &ours), NUMBER_OK);
    assert_int_equal(number_parse(texts[i], strlen(texts[i]), HEDDLE_F32, &ours_f32), NUMBER_OK);
    if (memcmp(&ours, &theirs, sizeof ours) || memcmp(&ours_f32, &theirs_f32, sizeof(float)))
      reject("%s: %a, not %a", texts[i], ours, theirs);
  }
  double value = 0;
  assert_int_equal(number_parse("NaN", 3, HEDDLE_F64, &value), NUMBER_OK);
  assert_true(isnan(value));
  value = 0;
  assert_int_equal(number_parse("", 0, HEDDLE_F64, &value), NUMBER_OK);
  assert_true(isnan(value));
}

static void long_texts(void **unused) {
  (void)unused;
  enum { LONG = 5000 };
  static char text[LONG + 64];
  memset(text, '0', LONG);
  strcpy(text + LONG, "123.5e1");
  same_as_strtod(text);
  memset(text, '7', LONG);
  strcpy(text + LONG, "e-5000");
  same_as_strtod(text);
  memset(text, '0', LONG);
  memcpy(text, "0.", 2);
  strcpy(text + LONG, "25e4998");
  same_as_strtod(text);
  memset(text, '0', LONG);
  memcpy(text, "9007199254740993.", 17);
  strcpy(text + LONG, "1"); /* one digit far behind the tie decides it */
  same_as_strtod(text);
  memset(text, '0', LONG);
  memcpy(text, "0x", 2);
  strcpy(text + LONG, "8p0");
  double value;
  assert_int_equal(number_parse(text, strlen(text), HEDDLE_F64, &value), NUMBER_OK);
  assert_true(value == 8);
}

static void bad_texts(void **unused) {
  (void)unused;
  static const char *const texts[] = {
      "abc",   "-",     "+",   ".",        "e5",    "1e",        "1e+",    "1.2.3",
      "1,5",   "--1",   "+-1", "1 ",       " 1",    "1x",        "0x",     "0x.",
      "0x1p",  "0x1p+", "0xg", "in",       "infin", "infinityx", "nan(1)", "na",
      "1_000", "1d5",   "1f",  "\xd9\xa1", "1e5.0", "0b1",       "True"};
  double value;
  int64_t integer;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    if (number_parse(texts[i], strlen(texts[i]), HEDDLE_F64, &value) != NUMBER_BAD)
      reject("'%s' is taken for a number", texts[i]);
    if (number_parse(texts[i], strlen(texts[i]), HEDDLE_I64, &integer) != NUMBER_BAD)
      reject("'%s' is taken for an integer", texts[i]);
  }
  assert_int_equal(number_parse("1\0", 2, HEDDLE_F64, &value), NUMBER_BAD);
  assert_int_equal(number_parse("nan\0", 4, HEDDLE_F64, &value), NUMBER_BAD);
  static const char *const no_integers[] = {"1.0", "1e3", "0x10", "nan", "inf", ".5", "5."};
  for (size_t i = 0; i < sizeof no_integers / sizeof *no_integers; i++)
    assert_int_equal(number_parse(no_integers[i], strlen(no_integers[i]), HEDDLE_U8, &integer),
                     NUMBER_BAD);
  assert_int_equal(number_parse("", 0, HEDDLE_I32, &integer), NUMBER_EMPTY);
}

/* The least and the greatest value of each type fit, one beyond does not. */
static void integer_limits(void **unused) {
  (void)unused;
  static const struct {
    heddle_type type;
    const char *least, *greatest, *under, *over;
  } rows[] = {
      {HEDDLE_U8, "0", "255", "-1", "256"},
      {HEDDLE_U16, "-0", "65535", "-1", "65536"},
      {HEDDLE_U32, "+0", "4294967295", "-4294967295", "4294967296"},
      {HEDDLE_U64, "0", "18446744073709551615", "-1", "18446744073709551616"},
      {HEDDLE_I8, "-128", "127", "-129", "128"},
      {HEDDLE_I16, "-32768", "+32767", "-32769", "32768"},
      {HEDDLE_I32, "-2147483648", "2147483647", "-2147483649", "2147483648"},
      {HEDDLE_I64, "-9223372036854775808", "9223372036854775807", "-9223372036854775809",
       "9223372036854775808"},
      {HEDDLE_U64, "0000000000000000000000000", "00000000018446744073709551615",
       "-99999999999999999999999999", "99999999999999999999999999"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const bool is_signed = type_is_signed(rows[i].type);
    unsigned char bytes[8];
    const char *const good[] = {rows[i].least, rows[i].greatest};
    for (size_t j = 0; j < 2; j++) {
      memset(bytes, 0x55, sizeof bytes);
      assert_int_equal(number_parse(good[j], strlen(good[j]), rows[i].type, bytes), NUMBER_OK);
      const uint64_t value =
          is_signed ? (uint64_t)strtoll(good[j], NULL, 10) : strtoull(good[j], NULL, 10);
      assert_memory_equal(bytes, &value, heddle_type_size(rows[i].type)); /* little-endian tests */
    }
    assert_int_equal(number_parse(rows[i].under, strlen(rows[i].under), rows[i].type, bytes),
                     NUMBER_RANGE);
    assert_int_equal(number_parse(rows[i].over, strlen(rows[i].over), rows[i].type, bytes),
                     NUMBER_RANGE);
  }
}

static double as_f64(heddle_type type, uint16_t bits) {
  double value;
  assert_int_equal(heddle_convert(type, &bits, HEDDLE_F64, &value, 1), HEDDLE_OK);
  return value;
}

/* Halfway between neighbours of a 16-bit type: the even one; a hair above, which a double cannot
 * tell from the tie: the upper one; a hair below: the lower one. */
static void halves_are_rounded_once(heddle_type type, uint16_t infinity, unsigned step) {
  char text[400];
  for (unsigned low = 0; low + 1 < infinity; low += step) {
    const double middle = (as_f64(type, (uint16_t)low) + as_f64(type, (uint16_t)(low + 1))) / 2;
    uint16_t got = 0;
    int length = snprintf(text, sizeof text - 40, "%.200f", middle);
    assert_int_equal(number_parse(text, (size_t)length, type, &got), NUMBER_OK);
    assert_int_equal(got, low + (low & 1));
    memcpy(text + length, "000001", 7);
    assert_int_equal(number_parse(text, (size_t)length + 6, type, &got), NUMBER_OK);
    assert_int_equal(got, low + 1);
    /* In short form, for the quick way: 17 digits, and one more that is nothing to a double. */
    length = snprintf(text, sizeof text, "%.16e", middle);
    if (strtod(text, NULL) != middle || strtold(text, NULL) != (long double)middle) continue;
    text[length - 4] = '\0';
    char longer[64];
    snprintf(longer, sizeof longer, "%.18s1e%s", text, text + length - 3);
    assert_int_equal(number_parse(longer, strlen(longer), type, &got), NUMBER_OK);
    assert_int_equal(got, low + 1);
  }
}

static void narrow_floats(void **unused) {
  (void)unused;
  halves_are_rounded_once(HEDDLE_F16, 0x7c00, 1);
  halves_are_rounded_once(HEDDLE_BF16, 0x7f80, 37);
  uint16_t bits;
  assert_int_equal(number_parse("-65520", 6, HEDDLE_F16, &bits), NUMBER_OK);
  assert_int_equal(bits, 0xfc00);
  assert_int_equal(number_parse("65519.999999999999999999", 24, HEDDLE_F16, &bits), NUMBER_OK);
  assert_int_equal(bits, 0x7bff);
  assert_int_equal(number_parse("1e999", 5, HEDDLE_BF16, &bits), NUMBER_OK);
  assert_int_equal(bits, 0x7f80);
}

/* Integers as which f64 is not what was written, and those that an i64 column does not take. */
static void integers_found_out(void **unused) {
  (void)unused;
  static const struct {
    const char *text;
    bool rounded;
  } rows[] = {{"9007199254740992", false},
              {"9007199254740993", true},
              {"-9007199254740993", true},
              {"+0009007199254740994", false},
              {"10000000000000000000000", false}, /* 10^22 */
              {"100000000000000000000000", true}, /* 10^23 */
              {"9007199254740993.0", false},      /* not written as an integer */
              {"9007199254740993e0", false},
              {"-0", false},
              {"0", false},
              {"000", false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    double value;
    const size_t length = strlen(rows[i].text);
    assert_int_equal(number_parse(rows[i].text, length, HEDDLE_F64, &value), NUMBER_OK);
    if (number_is_rounded(rows[i].text, length, value) != rows[i].rounded)
      reject("%s", rows[i].text);
  }
  char text[40 + NUMBER_PADDING] = "-0\n";
  int64_t value;
  assert_null(number_found_scanner(HEDDLE_I64)(text, &value));
  assert_null(number_found_scanner(HEDDLE_U64)(text, &value));
  strcpy(text, "-1\n");
  assert_ptr_equal(number_found_scanner(HEDDLE_I64)(text, &value), text + 2);
  assert_int_equal(value, -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(integers_found_out),
                                     cmocka_unit_test(random_decimals),
                                     cmocka_unit_test(halfway_points),
                                     cmocka_unit_test(short_halfway_points),
                                     cmocka_unit_test(edges_of_the_quick_way),
                                     cmocka_unit_test(special_texts),
                                     cmocka_unit_test(long_texts),
                                     cmocka_unit_test(bad_texts),
                                     cmocka_unit_test(integer_limits),
                                     cmocka_unit_test(narrow_floats)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

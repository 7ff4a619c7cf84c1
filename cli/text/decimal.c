/* decimal.c - plain decimals to binary floats, correctly rounded, mostly without strtod
 *
 * Result    the float nearest to digits x 10^exponent, ties to even: the bits that strtod,
 *           strtof give.
 * Method    Digits are gathered eight at a time inside a 64-bit word. Then, in this order:
 *           - Clinger: digits below 2^53 and |exponent| <= 22 are both exact as doubles, so one
 *             multiplication or division rounds once (f32: below 2^24, |exponent| <= 10).
 *           - |exponent| <= 27: 5^27 < 2^64, so digits x 5^exponent is exact in 128 bits, or
 *             2^63 digits / 5^-exponent has a 64-bit quotient, with an exact remainder that says
 *             whether anything is left below; the powers of two only move the exponent. The
 *             upper bits are rounded once, by integers. Nothing there is subnormal: the least
 *             is 10^-27.
 *           - digits beyond the 19th: the number lies between the first 19 and those plus one;
 *             where both round alike, that is the result.
 *           - everything else: strtod_l in the C locale.
 * Limits    needs unsigned __int128 (gcc and clang on 64-bit machines).
 * Source    Clinger 1990 (How to read floating point numbers accurately); eight digits a word:
 *           Lemire 2021 (Number parsing at a gigabyte per second); division by an invariant:
 *           Moeller and Granlund 2011 (Improved division by invariant integers), algorithm 4. */
#define _GNU_SOURCE
#include "decimal.h"

#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 u128;

enum { MAX_DIGITS = 19, MAX_POWER = 27 };

/* The powers of five, as they are, shifted up until the top bit is set, and that one's inverse
 * floor((2^128 - 1) / normalised) - 2^64. */
static const struct {
  uint64_t power, normalised, inverse;
  int shift;
} five[MAX_POWER + 1] = {
    {0x0000000000000001u, 0x8000000000000000u, 0xffffffffffffffffu, 63}, /* 5^0 */
    {0x0000000000000005u, 0xa000000000000000u, 0x9999999999999999u, 61}, /* 5^1 */
    {0x0000000000000019u, 0xc800000000000000u, 0x47ae147ae147ae14u, 59}, /* 5^2 */
    {0x000000000000007du, 0xfa00000000000000u, 0x0624dd2f1a9fbe76u, 57}, /* 5^3 */
    {0x0000000000000271u, 0x9c40000000000000u, 0xa36e2eb1c432ca57u, 54}, /* 5^4 */
    {0x0000000000000c35u, 0xc350000000000000u, 0x4f8b588e368f0846u, 52}, /* 5^5 */
    {0x0000000000003d09u, 0xf424000000000000u, 0x0c6f7a0b5ed8d36bu, 50}, /* 5^6 */
    {0x000000000001312du, 0x9896800000000000u, 0xad7f29abcaf48578u, 47}, /* 5^7 */
    {0x000000000005f5e1u, 0xbebc200000000000u, 0x5798ee2308c39df9u, 45}, /* 5^8 */
    {0x00000000001dcd65u, 0xee6b280000000000u, 0x12e0be826d694b2eu, 43}, /* 5^9 */
    {0x00000000009502f9u, 0x9502f90000000000u, 0xb7cdfd9d7bdbab7du, 40}, /* 5^10 */
    {0x0000000002e90eddu, 0xba43b74000000000u, 0x5fd7fe17964955fdu, 38}, /* 5^11 */
    {0x000000000e8d4a51u, 0xe8d4a51000000000u, 0x19799812dea11197u, 36}, /* 5^12 */
    {0x0000000048c27395u, 0x9184e72a00000000u, 0xc25c268497681c26u, 33}, /* 5^13 */
    {0x000000016bcc41e9u, 0xb5e620f480000000u, 0x6849b86a12b9b01eu, 31}, /* 5^14 */
    {0x000000071afd498du, 0xe35fa931a0000000u, 0x203af9ee756159b2u, 29}, /* 5^15 */
    {0x0000002386f26fc1u, 0x8e1bc9bf04000000u, 0xcd2b297d889bc2b6u, 26}, /* 5^16 */
    {0x000000b1a2bc2ec5u, 0xb1a2bc2ec5000000u, 0x70ef54646d496892u, 24}, /* 5^17 */
    {0x000003782dace9d9u, 0xde0b6b3a76400000u, 0x2725dd1d243aba0eu, 22}, /* 5^18 */
    {0x00001158e460913du, 0x8ac7230489e80000u, 0xd83c94fb6d2ac34au, 19}, /* 5^19 */
    {0x000056bc75e2d631u, 0xad78ebc5ac620000u, 0x79ca10c9242235d5u, 17}, /* 5^20 */
    {0x0001b1ae4d6e2ef5u, 0xd8d726b7177a8000u, 0x2e3b40a0e9b4f7ddu, 15}, /* 5^21 */
    {0x000878678326eac9u, 0x878678326eac9000u, 0xe392010175ee5962u, 12}, /* 5^22 */
    {0x002a5a058fc295edu, 0xa968163f0a57b400u, 0x82db34012b25144eu, 10}, /* 5^23 */
    {0x00d3c21bcecceda1u, 0xd3c21bcecceda100u, 0x357c299a88ea76a5u, 8},  /* 5^24 */
    {0x0422ca8b0a00a425u, 0x84595161401484a0u, 0xef2d0f5da7dd8aa2u, 5},  /* 5^25 */
    {0x14adf4b7320334b9u, 0xa56fa5b99019a5c8u, 0x8c240c4aecb13bb5u, 3},  /* 5^26 */
    {0x6765c793fa10079du, 0xcecb8f27f4200f3au, 0x3ce9a36f23c0fc90u, 1},  /* 5^27 */
};

static const double ten_f64[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
static const float ten_f32[] = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f, 1e9f, 1e10f};

/* ---- gathering digits ---------------------------------------------------------------------- */

static const char *scan_exponent(const char *text, int64_t *exponent) {
  const char *p = text + 1;
  bool negative = *p == '-';
  if (*p == '-' || *p == '+') p++;
  if (*p < '0' || *p > '9') return text;
  int64_t value = 0;
  /* Held far outside of what any count of digits can bring back into range. */
  for (; *p >= '0' && *p <= '9'; p++)
    if (value < DECIMAL_FAR) value = value * 10 + (*p - '0');
  *exponent = negative ? -value : value;
  return p;
}

/* Again, for more than 19 digits: zeros in front do not count, the rest is cut off. */
static void cut_digits(const char *p, const char *end, struct decimal *out) {
  int taken = 0;
  int64_t dropped = 0;
  out->digits = 0;
  out->cut = false;
  for (; p < end; p++) {
    if (*p == '.') continue;
    if (taken == MAX_DIGITS) {
      dropped += 1;
      out->cut |= *p != '0';
    } else {
      out->digits = out->digits * 10 + (uint64_t)(*p - '0');
      taken += out->digits != 0;
    }
  }
  out->exponent += dropped;
}

const char *decimal_scan(const char *text, struct decimal *out) {
  const char *p = text;
  out->negative = *p == '-';
  if (*p == '-' || *p == '+') p++;
  const char *const first = p;
  uint64_t digits = 0;
  p = decimal_digits(p, &digits);
  int64_t count = p - first, fraction = 0, exponent = 0;
  if (*p == '.') {
    const char *const behind = p + 1;
    p = decimal_digits(behind, &digits);
    fraction = p - behind;
    count += fraction;
  }
  if (count == 0) return NULL;
  const char *const last = p;
  if ((*p | 0x20) == 'e') p = scan_exponent(p, &exponent);
  out->digits = digits;
  out->exponent = exponent - fraction;
  out->cut = false;
  if (count > MAX_DIGITS) cut_digits(first, last, out);
  return p;
}

/* ---- rounding ------------------------------------------------------------------------------ */

/* digits x 10^exponent = (*mantissa + f) x 2^*scale with the top bit of *mantissa set, 0 <= f < 1
 * and *more telling f != 0. (Where a division's quotient had 63 bits, the lowest bit of *mantissa
 * belongs to f: with *more set it makes no difference to any rounding above it.) */
static void scale_up(uint64_t digits, int exponent, uint64_t *mantissa, int *scale, bool *more) {
  const u128 product = (u128)digits * five[exponent].power;
  const uint64_t high = (uint64_t)(product >> 64), low = (uint64_t)product;
  if (high == 0) {
    const int shift = __builtin_clzll(low);
    *mantissa = low << shift;
    *scale = exponent - shift;
    *more = false;
  } else {
    const int shift = __builtin_clzll(high);
    *mantissa = (uint64_t)((product << shift) >> 64);
    *scale = exponent + 64 - shift;
    *more = (low << shift) != 0;
  }
}

static void scale_down(uint64_t digits, int power, uint64_t *mantissa, int *scale, bool *more) {
  const uint64_t divisor = five[power].normalised;
  const int up = __builtin_clzll(digits);
  /* The dividend is digits << up << 63: its upper half is below 2^63 <= divisor. */
  const uint64_t high = (digits << up) >> 1, low = (digits << up) << 63;
  const u128 guess = (u128)five[power].inverse * high + (((u128)high << 64) | low);
  uint64_t quotient = (uint64_t)(guess >> 64) + 1;
  uint64_t remainder = low - quotient * divisor;
  if (remainder > (uint64_t)guess) {
    quotient -= 1;
    remainder += divisor;
  }
  if (remainder >= divisor) {
    quotient += 1;
    remainder -= divisor;
  }
  const int shift = __builtin_clzll(quotient);
  *mantissa = quotient << shift;
  *scale = five[power].shift - up - power - 63 - shift;
  *more = remainder != 0;
}

static void scale(uint64_t digits, int64_t exponent, uint64_t *mantissa, int *power, bool *more) {
  if (exponent >= 0)
    scale_up(digits, (int)exponent, mantissa, power, more);
  else
    scale_down(digits, (int)-exponent, mantissa, power, more);
}

/* The upper `precision` bits of mantissa, rounded to nearest even. May be 2^precision. */
static uint64_t round_even(uint64_t mantissa, int precision, bool more) {
  const int below = 64 - precision;
  const uint64_t half = (uint64_t)1 << (below - 1);
  const uint64_t kept = mantissa >> below, rest = mantissa & (2 * half - 1);
  return kept + (rest > half || (rest == half && (more || (kept & 1))));
}

/* Bits of a double, without the sign; exponent within +-27, digits not 0. */
static uint64_t bits_f64(uint64_t digits, int64_t exponent) {
  uint64_t mantissa;
  int power;
  bool more;
  scale(digits, exponent, &mantissa, &power, &more);
  /* The leading bit adds one to the exponent field, and so does a carry out of the rounding. */
  return ((uint64_t)(power + 63 + 1022) << 52) + round_even(mantissa, 53, more);
}

/* Bits of a float; those of infinity or more where it overflows. */
static uint64_t bits_f32(uint64_t digits, int64_t exponent) {
  uint64_t mantissa;
  int power;
  bool more;
  scale(digits, exponent, &mantissa, &power, &more);
  return ((uint64_t)(power + 63 + 126) << 23) + round_even(mantissa, 24, more);
}

/* Bits of a double rounded to odd: cut off, with the last bit set if anything was cut. Rounding
 * that once more to 50 bits or fewer is as good as rounding the decimal itself. */
static uint64_t bits_odd(uint64_t digits, int64_t exponent) {
  uint64_t mantissa;
  int power;
  bool more;
  scale(digits, exponent, &mantissa, &power, &more);
  const uint64_t inexact = more || (mantissa & 0x7ff) != 0;
  return ((uint64_t)(power + 63 + 1022) << 52) + ((mantissa >> 11) | inexact);
}

typedef uint64_t round_bits(uint64_t digits, int64_t exponent);

/* False where only the slow way is sure. */
static bool quick_bits(const struct decimal *in, round_bits *bits, uint64_t *out) {
  if (in->digits == 0) {
    *out = 0;
    return !in->cut;
  }
  if (in->exponent < -MAX_POWER || in->exponent > MAX_POWER) return false;
  *out = bits(in->digits, in->exponent);
  /* 19 digits are below 10^19, so one more is still below 2^64. */
  return !in->cut || *out == bits(in->digits + 1, in->exponent);
}

/* ---- the slow way -------------------------------------------------------------------------- */

static pthread_once_t locale_made = PTHREAD_ONCE_INIT;
static locale_t c_locale;

static void make_locale(void) { c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

static locale_t the_locale(void) {
  pthread_once(&locale_made, make_locale);
  if (c_locale == (locale_t)0) abort(); /* glibc's C locale is built in: it cannot be missing */
  return c_locale;
}

double slow_f64(const char *text) { return strtod_l(text, NULL, the_locale()); }

float slow_f32(const char *text) { return strtof_l(text, NULL, the_locale()); }

double slow_odd(const char *text) {
  const int mode = fegetround();
  fesetround(FE_DOWNWARD);
  const double below = strtod_l(text, NULL, the_locale());
  fesetround(FE_UPWARD);
  const double above = strtod_l(text, NULL, the_locale());
  fesetround(mode);
  if (!(below < above)) return below; /* exact, or NaN */
  double nearer_zero = above <= 0 ? above : below;
  uint64_t bits;
  memcpy(&bits, &nearer_zero, sizeof bits);
  bits |= 1;
  memcpy(&nearer_zero, &bits, sizeof bits);
  return nearer_zero;
}

/* ---- one type each ------------------------------------------------------------------------- */

const char *scan_f64(const char *text, void *out) {
  struct decimal in;
  const char *const end = decimal_scan(text, &in);
  if (!end) return NULL;
  double value;
  uint64_t bits;
  /* Where digits were cut, those that are left are 10^18 or more. */
  if (in.digits < (uint64_t)1 << 53 && in.exponent >= -22 && in.exponent <= 22) {
    value = (double)in.digits;
    value = in.exponent < 0 ? value / ten_f64[-in.exponent] : value * ten_f64[in.exponent];
    value = in.negative ? -value : value;
  } else if (quick_bits(&in, bits_f64, &bits)) {
    bits |= (uint64_t)in.negative << 63;
    memcpy(&value, &bits, sizeof value);
  } else {
    value = slow_f64(text);
  }
  memcpy(out, &value, sizeof value);
  return end;
}

const char *scan_f32(const char *text, void *out) {
  struct decimal in;
  const char *const end = decimal_scan(text, &in);
  if (!end) return NULL;
  float value;
  uint64_t bits;
  if (in.digits < (uint64_t)1 << 24 && in.exponent >= -10 && in.exponent <= 10) {
    value = (float)in.digits;
    value = in.exponent < 0 ? value / ten_f32[-in.exponent] : value * ten_f32[in.exponent];
    value = in.negative ? -value : value;
  } else if (quick_bits(&in, bits_f32, &bits) && bits < 0x7f800000) {
    const uint32_t narrow = (uint32_t)bits | (uint32_t)in.negative << 31;
    memcpy(&value, &narrow, sizeof value);
  } else {
    value = slow_f32(text);
  }
  memcpy(out, &value, sizeof value);
  return end;
}

const char *scan_odd(const char *text, double *out) {
  struct decimal in;
  const char *const end = decimal_scan(text, &in);
  if (!end) return NULL;
  uint64_t bits;
  if (quick_bits(&in, bits_odd, &bits)) {
    bits |= (uint64_t)in.negative << 63;
    memcpy(out, &bits, sizeof bits);
  } else {
    *out = slow_odd(text);
  }
  return end;
}

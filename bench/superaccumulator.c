/* superaccumulator.c - the small superaccumulator; see the header */
#include "superaccumulator.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { DIGITS = 68, ROOM = 2048, UNIT = -1075 }; /* digit i has bits from 2^(UNIT + 32 i) on */

static void carry(int64_t digit[DIGITS]) {
  for (int i = 0; i + 1 < DIGITS; i++) {
    digit[i + 1] += digit[i] >> 32;
    digit[i] &= 0xffffffff;
  }
}

static inline void add(int64_t digit[DIGITS], double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  const uint64_t exponent = bits >> 52 & 0x7ff, fraction = bits & (((uint64_t)1 << 52) - 1);
  const uint64_t used = exponent ? exponent : 1, shift = used & 31;
  const uint64_t whole = exponent ? fraction | (uint64_t)1 << 52 : fraction;
  const int64_t low = (int64_t)((whole << shift) & 0xffffffff);
  const int64_t high = (int64_t)(whole >> (32 - shift));
  int64_t *const to = digit + (used >> 5);
  if (bits >> 63)
    to[0] -= low, to[1] -= high;
  else
    to[0] += low, to[1] += high;
}

/* The leading 64 bits, of which the last says whether anything is below, and one rounding. */
static double rounded(int64_t digit[DIGITS]) {
  carry(digit);
  const int negative = digit[DIGITS - 1] < 0;
  if (negative) {
    for (int i = 0; i < DIGITS; i++) digit[i] = -digit[i];
    carry(digit);
  }
  int top = DIGITS - 1;
  while (top > 0 && !digit[top]) top--;
  if (!digit[top]) return 0;
  uint64_t kept = 0;
  int bits = 0, below = 0, place = 32 * top + 31;
  for (int i = top; i >= 0; i--)
    for (int b = 31; b >= 0; b--) {
      const uint64_t bit = (uint64_t)digit[i] >> b & 1;
      if (!bits && !bit) {
        place--;
      } else if (bits < 54) {
        kept = kept << 1 | bit, bits++;
      } else {
        below |= (int)bit;
      }
    }
  const int unit = place - bits + 1 + UNIT;
  const uint64_t half = kept & 1;
  kept = (kept >> 1) + (half && (below || (kept >> 1 & 1)));
  const double value = ldexp((double)kept, unit + 1);
  return negative ? -value : value;
}

double superaccumulator_sum_f64(const double *x, size_t n) {
  int64_t digit[DIGITS] = {0};
  for (size_t i = 0; i < n;) {
    const size_t end = n - i < ROOM ? n : i + ROOM;
    for (; i < end; i++) add(digit, x[i]);
    carry(digit);
  }
  return rounded(digit);
}

double superaccumulator_sum_f32(const float *x, size_t n) {
  int64_t digit[DIGITS] = {0};
  for (size_t i = 0; i < n;) {
    const size_t end = n - i < ROOM ? n : i + ROOM;
    for (; i < end; i++) add(digit, x[i]);
    carry(digit);
  }
  return rounded(digit);
}

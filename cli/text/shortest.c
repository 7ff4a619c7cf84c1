/* shortest.c - the interval that rounds to the float, searched for its shortest decimal
 *
 * Method    Schubfach: the number and the ends of the interval that rounds to it are scaled by one
 *           power of ten into integers, rounded to odd, so that comparisons with multiples of 4
 *           and 40 are exact; at most two decimals of two lengths are left to look at. The powers
 *           of ten have 128 bits, rounded up; they are made at the first call, exactly: by 5 at a
 *           time, upwards from 1 and downwards from a large power of two, since
 *           floor(floor(x / 5^n) / 5) = floor(x / 5^(n+1)).
 * Limits    formats that a double holds; needs unsigned __int128.
 * Source    Giulietti 2021, The Schubfach way to render doubles */
#include "shortest.h"

#include <stdbool.h>
#include <string.h>

__extension__ typedef unsigned __int128 u128;

/* ---- powers of ten ------------------------------------------------------------------------- */

/* WORDS: 5^324 has 753 bits, and 2^959 / 5^292 has 281. */
enum { LEAST_POWER = -292, GREATEST_POWER = 324, WORDS = 15, PAD = 2 };

/* 10^k with its top bit at the top, rounded up. */
static struct power { uint64_t high, low; } powers[GREATEST_POWER - LEAST_POWER + 1];

/* The upper 128 bits, rounded up; `more` tells whether something lies below the lowest word. */
static struct power upper_bits(const uint64_t words[PAD + WORDS], bool more) {
  int top = PAD + WORDS - 1;
  while (words[top] == 0) top--;
  const int shift = __builtin_clzll(words[top]);
  u128 bits = ((u128)words[top] << 64) | words[top - 1];
  uint64_t below = words[top - 2];
  if (shift > 0) {
    bits = (bits << shift) | (below >> (64 - shift));
    below <<= shift;
  }
  for (int i = top - 3; i >= 0; i--) below |= words[i];
  bits += below != 0 || more;
  return (struct power){(uint64_t)(bits >> 64), (uint64_t)bits};
}

static void times_five(uint64_t words[PAD + WORDS]) {
  u128 carry = 0;
  for (int i = PAD; i < PAD + WORDS; i++) {
    carry += (u128)words[i] * 5;
    words[i] = (uint64_t)carry;
    carry >>= 64;
  }
}

/* In halves, which a 64-bit division by a constant takes. */
static void by_five(uint64_t words[PAD + WORDS]) {
  uint64_t rest = 0;
  for (int i = PAD + WORDS - 1; i >= PAD; i--) {
    const uint64_t high = (rest << 32) | (words[i] >> 32);
    const uint64_t low = ((high % 5) << 32) | (words[i] & 0xffffffffu);
    words[i] = ((high / 5) << 32) | (low / 5);
    rest = low % 5;
  }
}

static void make_powers(void) {
  uint64_t words[PAD + WORDS] = {0};
  words[PAD] = 1;
  for (int k = 0; k <= GREATEST_POWER; k++) {
    powers[k - LEAST_POWER] = upper_bits(words, false);
    times_five(words);
  }
  memset(words, 0, sizeof words);
  words[PAD + WORDS - 1] = (uint64_t)1 << 63;
  for (int k = -1; k >= LEAST_POWER; k--) {
    by_five(words);
    powers[k - LEAST_POWER] = upper_bits(words, true);
  }
}

/* ---- one number ---------------------------------------------------------------------------- */

/* power x n / 2^128, rounded to odd. */
static uint64_t scaled(struct power power, uint64_t n) {
  const u128 low = (u128)power.low * n, high = (u128)power.high * n + (uint64_t)(low >> 64);
  return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

/* Floors of logarithms: of 2^q, or of 3/4 2^q, to base 10; and of 10^k to base 2. */
static int log10_of_power_of_2(int q, bool three_quarters) {
  return (q * 1262611 - (three_quarters ? 524031 : 0)) >> 22;
}
static int log2_of_power_of_10(int k) { return (k * 1741647) >> 19; }

/* c x 2^q; `closer`: the number below is half as far away as the one above. */
static struct shortest choose(uint64_t c, int q, bool closer) {
  const int k = log10_of_power_of_2(q, closer);
  const int shift = q + log2_of_power_of_10(-k) + 1; /* 1 to 4 */
  const struct power power = powers[-k - LEAST_POWER];
  const uint64_t odd = c & 1, value = scaled(power, (4 * c) << shift);
  const uint64_t lower = scaled(power, (4 * c - 2 + closer) << shift) + odd;
  const uint64_t upper = scaled(power, (4 * c + 2) << shift) - odd;
  const uint64_t s = value / 4, tens = s / 10;
  if (s >= 10) {
    const bool below = lower <= 40 * tens, above = 40 * tens + 40 <= upper;
    if (below != above) return (struct shortest){tens + above, k + 1};
  }
  const bool below = lower <= 4 * s, above = 4 * s + 4 <= upper;
  if (below != above) return (struct shortest){s + above, k};
  const uint64_t middle = 4 * s + 2;
  return (struct shortest){s + (value > middle || (value == middle && (s & 1) != 0)), k};
}

struct shortest shortest_decimal(struct float_format format, double value) {
  enum { FRACTION = 52, BIAS = 1075 };
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  const int exponent = (int)(bits >> FRACTION & 0x7ff);
  uint64_t c = bits & (((uint64_t)1 << FRACTION) - 1);
  int q = (exponent == 0 ? 1 : exponent) - BIAS;
  if (exponent != 0) c |= (uint64_t)1 << FRACTION;
  if (c == 0) return (struct shortest){0, 0};
  /* The bits that the format has. */
  int unit = q + FRACTION + 1 - format.precision;
  if (unit < format.least) unit = format.least;
  c >>= unit - q;
  q = unit;
  struct shortest d;
  const bool whole = q <= 0 && q > -64 && (c & (((uint64_t)1 << -q) - 1)) == 0;
  if (whole) { /* its neighbours are at most 1 away */
    d = (struct shortest){c >> -q, 0};
  } else {
    if (powers[0].high == 0) make_powers();
    d = choose(c, q, c == (uint64_t)1 << (format.precision - 1) && q > format.least);
  }
  while (d.digits % 10 == 0) {
    d.digits /= 10;
    d.exponent++;
  }
  return d;
}

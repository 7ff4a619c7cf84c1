/* decimal.h - the scanners of number.h for float types: plain decimals, rounded as strtod rounds */
#ifndef HEDDLE_CLI_TEXT_DECIMAL_H
#define HEDDLE_CLI_TEXT_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* An exponent as far from 0 as this is out of reach of any float, however many digits. */
#define DECIMAL_FAR ((int64_t)1 << 40)

/* +-(digits + f) x 10^exponent, 0 <= f < 1, and f != 0 only if cut is set. */
struct decimal {
  uint64_t digits; /* at most 19 of them */
  int64_t exponent;
  bool negative;
  bool cut;
};

/* number_scan with the parts of the decimal as its result. */
const char *decimal_scan(const char *text, struct decimal *out);

/* As number_scan. scan_odd: rounded to odd, for a second rounding to 50 bits or fewer. */
const char *scan_f64(const char *text, void *out);
const char *scan_f32(const char *text, void *out);
const char *scan_odd(const char *text, double *out);

/* The same by strtod in the C locale, for all that it accepts; text ends in a NUL. */
double slow_f64(const char *text);
float slow_f32(const char *text);
double slow_odd(const char *text);

/* *value = *value x 10^n + the n digits that begin at text, modulo 2^64; returns their end. */
static inline const char *decimal_digits(const char *text, uint64_t *value) {
  static const uint32_t ten[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  for (;;) {
    uint64_t word;
    memcpy(&word, text, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    word ^= 0x3030303030303030u; /* digits become 0 to 9 */
    /* A byte's top bit is set if it is no digit; carries spoil only bytes behind such a one. */
    const uint64_t other = ((word + 0x7676767676767676u) | word) & 0x8080808080808080u;
    const unsigned count = other ? (unsigned)__builtin_ctzll(other) / 8 : 8;
    if (count == 0) return text;
    word <<= 64 - 8 * count; /* what follows is dropped, zeros come in front */
    word = word * 10 + (word >> 8);
    word = ((word & 0x000000ff000000ffu) * 0x000f424000000064u +
            ((word >> 16) & 0x000000ff000000ffu) * 0x0000271000000001u) >>
           32;
    *value = *value * ten[count] + word;
    text += count;
    if (count < 8) return text;
  }
}

#endif

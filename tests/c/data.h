/* data.h - test data and checksums, the same as in tests/order_v1.py
 *
 * Result    arrays that depend on nothing but kind, type, seed and count
 * Method    one word of splitmix64 an element, then integer arithmetic on the bit pattern:
 *           no two elements are alike, so an element that is misplaced, lost or used twice shows
 * Source    splitmix64: Steele, Lea and Flood 2014 */
#ifndef TESTS_DATA_H
#define TESTS_DATA_H

#include "heddle.h"

enum data_kind {
  DATA_WIDE,    /* floats over 21 (f16) or 41 powers of two, both signs; integers: any bits */
  DATA_NEAR1,   /* floats close to 1, integers odd: products neither vanish nor overflow */
  DATA_TINY,    /* floats that are mostly denormal */
  DATA_HOLES,   /* wide, with NaN of both signs in every eighth place */
  DATA_SPECIAL, /* wide, with infinities, signalling NaN, both zeros, denormals, greatest values */
  DATA_ZEROS,   /* both zeros; integers 0 */
  DATA_SMALL,   /* few distinct values: ties */
  DATA_KINDS
};

size_t data_size(heddle_type type);                /* bytes an element */
uint64_t data_word(uint64_t seed, uint64_t index); /* word `index` of the splitmix64 stream */
void data_fill(enum data_kind kind, heddle_type type, uint64_t seed, size_t count, void *out);
void *data_new(enum data_kind kind, heddle_type type, uint64_t seed, size_t count);
const char *data_name(enum data_kind kind);
/* Sum of every element's bit pattern times an odd random factor of its place, modulo 2^64. */
uint64_t data_checksum(heddle_type type, const void *array, size_t count);
/* The bit pattern of one element, and back. */
uint64_t data_bits(heddle_type type, const void *array, size_t index);
void data_put(heddle_type type, void *array, size_t index, uint64_t bits);

#endif

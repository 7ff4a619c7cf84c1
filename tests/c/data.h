/* data.h - test data and checksums, the same as in tests/order_v1.py
 *
 * Result    arrays that depend on nothing but kind, type, seed and count
 * Method    one word of splitmix64 an element, then integer arithmetic on the bit pattern:
 *           no two elements are alike, so an element that is misplaced, lost or used twice shows
 * Source    splitmix64: Steele, Lea and Flood 2014 */
#ifndef TESTS_DATA_H
#define TESTS_DATA_H

#include <string.h>

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

/* Bytes an element; 0: of no type. */
static inline size_t data_size(heddle_type type) {
  static const unsigned char sizes[] = {
      [HEDDLE_U8] = 1,  [HEDDLE_U16] = 2,  [HEDDLE_U32] = 4, [HEDDLE_U64] = 8,
      [HEDDLE_I8] = 1,  [HEDDLE_I16] = 2,  [HEDDLE_I32] = 4, [HEDDLE_I64] = 8,
      [HEDDLE_F16] = 2, [HEDDLE_BF16] = 2, [HEDDLE_F32] = 4, [HEDDLE_F64] = 8};
  return (size_t)type < sizeof sizes ? sizes[type] : 0;
}

uint64_t data_word(uint64_t seed, uint64_t index); /* word `index` of the splitmix64 stream */
void data_fill(enum data_kind kind, heddle_type type, uint64_t seed, size_t count, void *out);
void *data_new(enum data_kind kind, heddle_type type, uint64_t seed, size_t count);
const char *data_name(enum data_kind kind);
/* Sum of every element's bit pattern times an odd random factor of its place, modulo 2^64. */
uint64_t data_checksum(heddle_type type, const void *array, size_t count);

/* The bit pattern of one element, little-endian, and back: copies of a size that the compiler knows,
 * since the tests spend much of their time here. */
static inline uint64_t data_bits(heddle_type type, const void *array, size_t index) {
  const size_t size = data_size(type);
  const char *x = (const char *)array + index * size;
  uint64_t bits = 0;
  switch (size) {
  case 1: memcpy(&bits, x, 1); break;
  case 2: memcpy(&bits, x, 2); break;
  case 4: memcpy(&bits, x, 4); break;
  case 8: memcpy(&bits, x, 8); break;
  default: break;
  }
  return bits;
}

static inline void data_put(heddle_type type, void *array, size_t index, uint64_t bits) {
  const size_t size = data_size(type);
  char *x = (char *)array + index * size;
  switch (size) {
  case 1: memcpy(x, &bits, 1); break;
  case 2: memcpy(x, &bits, 2); break;
  case 4: memcpy(x, &bits, 4); break;
  case 8: memcpy(x, &bits, 8); break;
  default: break;
  }
}

#endif

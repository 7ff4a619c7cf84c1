/* data.c - test data and checksums; see data.h */
#include "data.h"

#include <stdlib.h>

#include "reference.h"

uint64_t data_word(uint64_t seed, uint64_t index) {
  uint64_t z = seed + (index + 1) * UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

const char *data_name(enum data_kind kind) {
  static const char *const names[DATA_KINDS] = {"wide",    "near1", "tiny", "holes",
                                                "special", "zeros", "small"};
  return names[kind];
}

struct format {
  unsigned bits, fraction, span, near;
};

static struct format format_of(heddle_type type) {
  switch (type) {
  case HEDDLE_F16: return (struct format){16, 10, 21, 1};
  case HEDDLE_BF16: return (struct format){16, 7, 41, 1};
  case HEDDLE_F32: return (struct format){32, 23, 41, 12};
  default: return (struct format){64, 52, 41, 41};
  }
}

static uint64_t wide(struct format f, uint64_t w) {
  const uint64_t bias = (UINT64_C(1) << (f.bits - f.fraction - 2)) - 1;
  const uint64_t power = ((w >> 52) & 0x7FF) % f.span + bias - f.span / 2;
  return (w >> 63) << (f.bits - 1) | power << f.fraction | (w & ((UINT64_C(1) << f.fraction) - 1));
}

static uint64_t near1(struct format f, uint64_t w) {
  const uint64_t bias = (UINT64_C(1) << (f.bits - f.fraction - 2)) - 1;
  const uint64_t one = bias << f.fraction;
  const uint64_t d = w & ((UINT64_C(1) << f.near) - 1);
  return w >> 63 ? one - 2 * d : one + d;
}

static uint64_t special(struct format f, uint64_t w) {
  const uint64_t sign = (w >> 63) << (f.bits - 1);
  const uint64_t infinity = ((UINT64_C(1) << (f.bits - f.fraction - 1)) - 1) << f.fraction;
  const uint64_t mantissa = w & ((UINT64_C(1) << f.fraction) - 1);
  switch ((w >> 52) & 0xFF) {
  case 0: return sign | infinity;
  case 1: return sign | infinity | mantissa >> 1 | 1; /* a signalling NaN */
  case 2: return sign | (infinity - 1);               /* the greatest finite value */
  case 3:
  case 4: return sign; /* zero */
  case 5:
  case 6: return sign | mantissa; /* denormal */
  default: return wide(f, w);
  }
}

static uint64_t bits_of_float(enum data_kind kind, heddle_type type, uint64_t w) {
  const struct format f = format_of(type);
  const uint64_t sign = (w >> 63) << (f.bits - 1);
  const uint64_t fraction = (UINT64_C(1) << f.fraction) - 1;
  switch (kind) {
  case DATA_NEAR1: return near1(f, w);
  case DATA_TINY: return sign | (w & (2 * fraction + 1));
  case DATA_HOLES:
    if ((w >> 52) & 7) return wide(f, w);
    return sign | ((UINT64_C(1) << (f.bits - f.fraction)) - 1) << (f.fraction - 1) | (w & fraction);
  case DATA_SPECIAL: return special(f, w);
  case DATA_ZEROS: return sign;
  case DATA_SMALL: return wide(f, data_word(9, (w >> 40) % 5));
  default: return wide(f, w);
  }
}

static uint64_t integer_bits(enum data_kind kind, uint64_t w) {
  switch (kind) {
  case DATA_NEAR1: return w | 1;
  case DATA_ZEROS: return 0;
  case DATA_SMALL: return (w >> 40) % 5;
  case DATA_SPECIAL: /* the extremes of every width, zero and -1 among the rest */
    if ((w & 7) == 0) return UINT64_C(0x8080808080808080);
    if ((w & 7) == 1) return UINT64_C(0x8000800080008000);
    if ((w & 7) == 2) return (w & 8) ? 0 : ~UINT64_C(0);
    if ((w & 7) == 3) return UINT64_C(0x7FFFFFFFFFFFFFFF);
    return w;
  default: return w;
  }
}

void data_fill(enum data_kind kind, heddle_type type, uint64_t seed, size_t count, void *out) {
  const int is_float = ref_is_float(type);
  for (size_t i = 0; i < count; i++) {
    const uint64_t w = data_word(seed, i);
    data_put(type, out, i, is_float ? bits_of_float(kind, type, w) : integer_bits(kind, w));
  }
}

void *data_new(enum data_kind kind, heddle_type type, uint64_t seed, size_t count) {
  void *array = malloc(count * data_size(type) + 1);
  if (!array) abort();
  data_fill(kind, type, seed, count, array);
  return array;
}

uint64_t data_checksum(heddle_type type, const void *array, size_t count) {
  uint64_t sum = 0;
  for (size_t i = 0; i < count; i++) sum += data_bits(type, array, i) * (data_word(0x5EED, i) | 1);
  return sum;
}

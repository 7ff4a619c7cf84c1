/* sort_key.h - the order of sorted elements: from an element's bits to an unsigned key
 *
 * Result   hd_sort_map_of  what a sort of a type does to bits
 * Method   An integer's key is its bits with some of them flipped. A float's: negative numbers have all
 *          bits flipped, others the sign, and `flip`; then `turn` is added, modulo 2^bits, which moves the
 *          NaN of one sign to those of the other. In a descending sort keys are the other way around.
 * Who      kernels/sort/key.h does it on a GPU */
#ifndef HEDDLE_ORDER_SORT_KEY_H
#define HEDDLE_ORDER_SORT_KEY_H

#include "types.h"

struct hd_sort_map {
  u32 bits;
  bool is_float;
  u64 flip, turn;
  u64 infinity; /* its bits, of floats */
};

/* nan_first: NaN are before all numbers; else behind them. */
static inline struct hd_sort_map hd_sort_map_of(heddle_type type, bool descending, bool nan_first) {
  struct hd_sort_map map = {.is_float = hd_is_float(type)};
  switch (type) {
#define CASE(T, n, family, width, s, a, l, k, v, least, most, raw, inf) \
  case HEDDLE_##T:                                                      \
    map.bits = width;                                                   \
    map.infinity = (u64)(inf) >> 1; /* INF is shifted up by one */      \
    break;
    HD_TYPES(CASE)
#undef CASE
  default: return map;
  }
  const u64 sign = (u64)1 << (map.bits - 1);
  map.flip = descending ? sign | (sign - 1) : 0;
  if (hd_is_signed(type)) map.flip ^= sign;
  if (!map.is_float) return map;
  const u64 nans = (sign - 1) - map.infinity; /* of each sign */
  map.turn = nan_first ? nans : 0 - nans;
  return map;
}

#endif

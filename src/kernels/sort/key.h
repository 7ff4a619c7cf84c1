/* key.h - from elements to keys: unsigned numbers in the order of sorted elements
 *
 * Result   key_of    the key of an element's bits
 *          bits_of   the bits of a key's element, where HEDDLE_ORDER is not 2
 *          key_apart   a key that takes less work, which tells apart what HEDDLE_ORDER 2 has as equal;
 *          key_first, key_last   the least and the greatest such key of elements of a key
 *          key_joined  the key of an element by that one
 *          digit_of  SORT_BINS values of a key
 * Defines  HEDDLE_KEY_BYTES 1, 2, 4 or 8
 *          HEDDLE_ORDER  0 integers; 1 floats; 2 floats of which both zeros are equal, and all NaN
 * Method   Integers: bits are flipped. Floats: negative numbers have all bits flipped, others the sign;
 *          then one addition, modulo the width, moves the NaN of one sign to those of the other. */
#ifndef HEDDLE_KERNELS_SORT_KEY_H
#define HEDDLE_KERNELS_SORT_KEY_H

#include "kernels/base/device.h"

#include "args.h" /* needs their types */

#if HEDDLE_KEY_BYTES == 8
typedef u64 key_bits;
typedef u64 sort_key;
#elif HEDDLE_KEY_BYTES == 4
typedef u32 key_bits;
typedef u32 sort_key;
#elif HEDDLE_KEY_BYTES == 2
typedef u16 key_bits;
typedef u32 sort_key;
#else
typedef u8 key_bits;
typedef u32 sort_key;
#endif

#define KEY_SIGN ((sort_key)1 << (8 * HEDDLE_KEY_BYTES - 1))
#define KEY_ALL (KEY_SIGN | (KEY_SIGN - 1))

HD_DEVICE sort_key key_of(const struct sort_map *map, key_bits bits) {
  sort_key x = bits;
#if HEDDLE_ORDER == 0
  return x ^ (sort_key)map->flip;
#else
#if HEDDLE_ORDER == 2
  const sort_key infinity = (sort_key)map->infinity;
  if ((x & ~KEY_SIGN) > infinity) x = infinity + 1;
  if (x == KEY_SIGN) x = 0;
#endif
  x ^= (x & KEY_SIGN ? KEY_ALL : KEY_SIGN) ^ (sort_key)map->flip;
  return (x + (sort_key)map->turn) & KEY_ALL;
#endif
}

HD_DEVICE sort_key key_apart(const struct sort_map *map, key_bits bits) {
  sort_key x = bits;
#if HEDDLE_ORDER == 0
  return x ^ (sort_key)map->flip;
#else
  x ^= (x & KEY_SIGN ? KEY_ALL : KEY_SIGN) ^ (sort_key)map->flip;
  return (x + (sort_key)map->turn) & KEY_ALL;
#endif
}

/* The bits of the element that has the key `x` apart. */
HD_DEVICE key_bits bits_of(const struct sort_map *map, sort_key x) {
#if HEDDLE_ORDER == 0
  return (key_bits)(x ^ (sort_key)map->flip);
#else
  x = ((x - (sort_key)map->turn) & KEY_ALL) ^ (sort_key)map->flip;
  return (key_bits)(x ^ (x & KEY_SIGN ? KEY_SIGN : KEY_ALL));
#endif
}

HD_DEVICE sort_key key_joined(const struct sort_map *map, sort_key apart) {
  return HEDDLE_ORDER == 2 ? key_of(map, bits_of(map, apart)) : apart;
}

#if HEDDLE_ORDER == 2
/* Of two zeros, or of the NaN of both signs, which follow each other: the least or the greatest. */
HD_DEVICE sort_key key_end(const struct sort_map *map, sort_key key, bool last) {
  const key_bits most = (key_bits)~KEY_SIGN, nan = (key_bits)(map->infinity + 1);
  const key_bits ends[4] = {nan, most, (key_bits)(KEY_SIGN | nan), (key_bits)KEY_ALL};
  if (key == key_of(map, 0)) {
    const sort_key other = key_apart(map, (key_bits)KEY_SIGN);
    return (other > key) == last ? other : key;
  }
  if (key == key_of(map, nan))
    for (u32 i = 0; i < 4; i++) {
      const sort_key other = key_apart(map, ends[i]);
      if ((other > key) == last) key = other;
    }
  return key;
}
#else
HD_DEVICE sort_key key_end(const struct sort_map *map, sort_key key, bool last) {
  return (void)map, (void)last, key;
}
#endif
HD_DEVICE sort_key key_first(const struct sort_map *map, sort_key key) {
  return key_end(map, key, false);
}
HD_DEVICE sort_key key_last(const struct sort_map *map, sort_key key) {
  return key_end(map, key, true);
}

/* The same bits, of which nothing is known: what was made of them before is not kept, but made again. */
HD_DEVICE key_bits bits_late(key_bits x) {
#if HEDDLE_KEY_BYTES == 8
  return (u64)look_late((u32)(x >> 32)) << 32 | look_late((u32)x);
#else
  return (key_bits)look_late(x);
#endif
}

HD_DEVICE u32 digit_of(sort_key x, u32 shift, u32 mask) { return (u32)(x >> shift) & mask; }

/* The mask of the digit that begins with bit `shift` of bits up to `end`. */
HD_DEVICE u32 digit_mask(u32 shift, u32 end) {
  return end - shift >= 8 ? 255u : (1u << (end - shift)) - 1u;
}

#endif

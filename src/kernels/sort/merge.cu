/* merge.cu - sorted tiles of a row, merged at once
 *
 * Result   keys_out and values_out, of which keys and values are the tiles
 * Defines  key.h's; HEDDLE_THREADS; HEDDLE_ITEMS 1; HEDDLE_VALUE_BYTES 0 to 16; HEDDLE_PART 1: keys are some of the bits
 * Launch   a thread an element
 * Order    stable: of elements alike, those of earlier tiles come first
 * Method   An element's place is its place in its tile and, of each other tile, how many come before it, which halving
 *          finds; AT_ONCE tiles are searched together. Neighbours search in almost the same places. */
#include "items.h"
#include "values.h"

#define AT_ONCE 8

#if NUMBERED
#define part_of(a) item_part((a)->bit_begin, (a)->bit_end)
#else
#define part_of(a) ((sort_key)~0)
#endif

/* Elements of tiles tile to tile + AT_ONCE - 1 before one of tile `own`. What is not there is looked for where
 * something is, so that all of a step's loads are on their way together. */
HD_DEVICE u32 tiles_before(const struct sort_merge_args *a, sort_key key, u32 own, u32 tile) {
  const key_bits *keys = (const key_bits *)a->keys;
  const sort_key part = part_of(a);
  u32 first[AT_ONCE], count[AT_ONCE], found[AT_ONCE], sum = 0;
#pragma unroll
  for (u32 j = 0; j < AT_ONCE; j++) {
    first[j] = min((tile + j) * a->tile, a->count - 1);
    count[j] = tile + j == own ? 0 : min(a->tile, a->count - first[j]);
    if ((tile + j) * a->tile >= a->count) count[j] = 0;
    found[j] = 0;
  }
#pragma unroll 1
  for (u32 more = a->tile; more; more /= 2) {
    key_bits other[AT_ONCE];
#pragma unroll
    for (u32 j = 0; j < AT_ONCE; j++)
      other[j] = keys[first[j] + max(min(found[j] + more, count[j]), 1u) - 1];
#pragma unroll
    for (u32 j = 0; j < AT_ONCE; j++) {
      const sort_key x = key_of(&a->map, other[j]) & part;
      const bool before = x < key || (x == key && tile + j < own);
      found[j] += before && found[j] + more <= count[j] ? more : 0;
    }
  }
#pragma unroll
  for (u32 j = 0; j < AT_ONCE; j++) sum += found[j];
  return sum;
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS, 2)
    heddle_sort_merge(const __grid_constant__ struct sort_merge_args a) {
  const u32 at = blockIdx.x * HEDDLE_THREADS + threadIdx.x;
  if (at >= a.count) return;
  const key_bits raw = ((const key_bits *)a.keys)[at];
  const sort_key key = key_of(&a.map, raw) & part_of(&a);
  const u32 own = at / a.tile;
  u32 place = at % a.tile;
#pragma unroll 1
  for (u32 tile = 0; tile * a.tile < a.count; tile += AT_ONCE)
    place += tiles_before(&a, key, own, tile);
  if (a.keys_out) ((key_bits *)a.keys_out)[place] = raw;
#if HEDDLE_VALUE_BYTES
  ((sort_value *)a.values_out)[place] = ((const sort_value *)a.values)[at];
#endif
}

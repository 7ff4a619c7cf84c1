/* result.cu - what finders have found, as elements or quantiles
 *
 * Result   heddle_rank_result  out[j] of every slot
 *          heddle_rank_counted the finders themselves, by a.starts: elements below each key of one or two bytes
 * Defines  kernels/sort/key.h's, HEDDLE_ORDER 0 or 1; HEDDLE_QUANTILES; HEDDLE_THREADS
 * Launch   one block each */
#include "quantile.h"

HD_DEVICE key_bits found(const struct rank_args *a, u32 f) {
  return bits_of(&a->map, (sort_key)((const struct rank_state *)a->state)->finder[f].low);
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_rank_result(const __grid_constant__ struct rank_args a) {
  const u32 j = threadIdx.x;
  if (j >= a.slots) return;
#if HEDDLE_QUANTILES
  const u64 nans = ((const struct rank_state *)a.state)->nans;
  struct hd_quantile_place place;
  f64 value = hd_f64_of_bits(HD_NAN_F64);
  if (a.fault && nans == a.count) hd_fault((u64 *)a.fault, HD_FAULT_ALL_NAN, 255);
  if (place_of(a.method, a.skip, a.count, nans, a.share[j], &place))
    value = value_of(a.method, &place, found(&a, 2 * j), found(&a, 2 * j + 1));
  ((f64 *)a.out)[j] = value;
#else
  ((key_bits *)a.out)[j] = found(&a, j);
#endif
}

#if HEDDLE_KEY_BYTES <= 2
/* The last key that starts at `rank` or before. */
HD_DEVICE u32 key_at(const u64 *starts, u64 rank) {
  u32 low = 0, high = KEY_ALL;
  while (low < high) {
    const u32 middle = (low + high + 1) / 2;
    if (starts[middle] <= rank)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/* Of elements that are equal to that of `key`, zeros and NaN: their key where HEDDLE_ORDER is 2, and the least one
 * here. */
HD_DEVICE sort_key key_of_ties(const struct sort_map *map, sort_key key) {
  const u32 bits = bits_of(map, key), magnitude = bits & ~KEY_SIGN;
  if (magnitude > map->infinity) return key_of(map, (key_bits)(map->infinity + 1));
  return magnitude ? key : key_of(map, 0);
}
HD_DEVICE sort_key first_of_ties(const struct sort_map *map, sort_key key) {
  const u32 bits = bits_of(map, key), magnitude = bits & ~KEY_SIGN;
  const u32 infinity = (u32)map->infinity, last = KEY_SIGN - 1;
  if (magnitude && magnitude <= infinity) return key;
  const u32 low = magnitude ? infinity + 1 : 0, high = magnitude ? last : 0;
  const u32 plus = min(key_of(map, (key_bits)low), key_of(map, (key_bits)high));
  const u32 minus =
      min(key_of(map, (key_bits)(KEY_SIGN | low)), key_of(map, (key_bits)(KEY_SIGN | high)));
  return min(plus, minus);
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_rank_counted(const __grid_constant__ struct rank_args a) {
  struct rank_state *state = (struct rank_state *)a.state;
  const u64 *starts = (const u64 *)a.starts;
  const u32 i = threadIdx.x;
  if (i >= a.finders) return;
  struct rank_finder *f = &state->finder[i];
#if HEDDLE_QUANTILES
  struct hd_quantile_place place;
  const u64 nans = a.count - starts[a.most + 1];
  if (i == 0) state->nans = nans;
  f->done = 1;
  if (!place_of(a.method, a.skip, a.count, nans, a.share[i / 2], &place)) return;
  f->rank = i % 2 ? place.upper : place.lower;
#else
  f->rank = a.rank[i];
  f->done = 1;
#endif
  const u32 key = key_at(starts, f->rank);
  f->low = f->high = a.ties ? key_of_ties(&a.map, key) : key;
  f->below = starts[a.ties ? first_of_ties(&a.map, key) : key];
}
#endif

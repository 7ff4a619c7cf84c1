/* find.h - from an element to its slot
 *
 * Result   find_ranks   the ranks of a few elements, of which rank_of makes numbers; a rank is a
 *                       slot, or another number from 0 to bins + 2 of which slot_of makes the slot
 *          find_rank    the rank, for most elements: without a branch, without global memory
 *          settle_rank  the rank of any element
 * Defines  HEDDLE_TYPE; HEDDLE_STRATEGY (args.h); HEDDLE_KEY: HD_F32 or HD_F64, what elements
 *          are compared as; HEDDLE_BITS 1: places come from the bits of a key, not from its value;
 *          HEDDLE_SHIFTED 0: bits_shift is 0;
 *          HEDDLE_FORMULA: even edges are computed in f64 (64) or f32 (32), or read (0);
 *          HEDDLE_NEAR 1: with HD_STRATEGY_BUCKETS or HD_STRATEGY_STEPS the edges are in shared
 *          memory, too; HEDDLE_STEPS (steps.h);
 *          HD_STRATEGY_MIXED gives even_slot and search_edges alone;
 *          HEDDLE_SURE 1: what has the place of an edge is not below it, outside of crowded buckets
 * Method   Even bins: (x - origin) * scale, truncated, with `fraction` bits below the bin's number.
 *          Only near an inner edge can rounding have done harm; how near the host has measured.
 *          Buckets: a function that never falls gives a place, whose upper bits number a bucket and
 *          whose lower 16 tell where in the bucket; the bucket's word holds its first bin and the place
 *          of the one edge in it. Crowded buckets and equal places are in doubt.
 * Limits   nothing decides but comparisons with edges, or places that never fall
 * Source   docs/histogram.md */
#ifndef HEDDLE_KERNELS_HISTOGRAM_FIND_H
#define HEDDLE_KERNELS_HISTOGRAM_FIND_H

#include "order/device/element.h"

#include "args.h"

#if HEDDLE_STRATEGY == HD_STRATEGY_INTEGER
#include "integer.h"
#elif HEDDLE_STRATEGY == HD_STRATEGY_VALUES
typedef element key;
HD_DEVICE key to_key(element x) { return x; }
HD_DEVICE u32 settle_rank(const struct hist_slots *p, key x) {
  return __ldg((const u32 *)p->buckets + (u8)x);
}
HD_DEVICE u32 find_rank(const struct hist_slots *p, const u32 *buckets, key x, bool *doubtful) {
  (void)buckets;
  *doubtful = false;
  return settle_rank(p, x);
}
#else

#if HEDDLE_KEY == HD_F32
typedef f32 key;
#define KEYS key_f32
HD_DEVICE key to_key(element x) { return to_f32(x); }
HD_DEVICE i32 key_place(key t) { return __float2int_rz(t); }
#else
typedef f64 key;
#define KEYS key_f64
HD_DEVICE key to_key(element x) { return to_f64(x); }
HD_DEVICE i32 key_place(key t) { return __double2int_rz(t); }
#endif

/* `inside` where x is within the edges, else the slot that says why not; all of them one less. */
HD_DEVICE u32 slot_before(const struct hist_slots *p, key x, u32 inside) {
  const bool from = x >= p->KEYS.first, to = x <= p->KEYS.last;
  u32 above = to ? inside : p->bins, below = to ? p->bins - 1 : p->bins + 1;
  return from ? above : below;
}

#if HEDDLE_STRATEGY == HD_STRATEGY_EVEN || HEDDLE_STRATEGY == HD_STRATEGY_MIXED

HD_DEVICE u32 even_rank(const struct hist_slots *p, const u32 *buckets, key x, bool *doubtful) {
  (void)buckets;
  /* Places count from the first inner edge, so that one comparison tells that one is near enough;
   * lift is less by that. What is outside is never in doubt: its place is negative or not below
   * limit, or within the margin below limit, which is wider than the doubt. */
  i32 t = key_place((x - p->KEYS.origin) * p->KEYS.scale) + (i32)p->lift;
  *doubtful = ((u32)t & p->doubt) == 0 && (u32)t < p->limit;
  return slot_before(p, x, (u32)min(t >> p->fraction, (i32)p->bins - 2)) + 1;
}

/* Inner edge number i, as the host has made it: computed again where that gives all of them. */
HD_DEVICE key edge_of(const struct hist_slots *p, u32 i) {
#if HEDDLE_FORMULA == 64
  return (key)((f64)i * p->step + p->from) - (key)p->half;
#elif HEDDLE_FORMULA == 32
  return (f32)i * (f32)p->step + (f32)p->from - (f32)p->half;
#else
  return __ldg((const key *)p->edges + i);
#endif
}

/* The slot of a doubtful element, of which find_rank gave the later one of two. */
HD_DEVICE u32 settle_found(const struct hist_slots *p, key x, u32 slot) {
  return slot - (x < edge_of(p, slot));
}

HD_DEVICE u32 even_slot(const struct hist_slots *p, key x) {
  bool doubtful;
  u32 slot = even_rank(p, 0, x, &doubtful);
  return doubtful ? settle_found(p, x, slot) : slot;
}
#endif

#if HEDDLE_STRATEGY == HD_STRATEGY_EVEN
HD_DEVICE u32 find_rank(const struct hist_slots *p, const u32 *buckets, key x, bool *doubtful) {
  return even_rank(p, buckets, x, doubtful);
}

HD_DEVICE u32 settle_rank(const struct hist_slots *p, key x) { return even_slot(p, x); }
#else

/* HD_STRATEGY_MIXED: p tells which way. */
#if HEDDLE_STRATEGY == HD_STRATEGY_MIXED
#define HD_BY_BITS 1
#undef HEDDLE_BITS
#define HEDDLE_BITS p->by_bits
#else
#define HD_BY_BITS HEDDLE_BITS
#endif

HD_DEVICE u32 place_by_value(const struct hist_slots *p, key x) {
  i32 place = key_place((x - p->KEYS.origin) * p->KEYS.scale);
  return (u32)min(max(place, 1 << p->place_bits), (i32)p->place_last);
}

/* The place of x in buckets of 2^place_bits places: a function that never falls; NaN has any. */
HD_DEVICE u32 place_of(const struct hist_slots *p, key x) {
#if HEDDLE_STRATEGY == HD_STRATEGY_MIXED
  if (!p->by_bits) return place_by_value(p, x);
#endif
#if HD_BY_BITS && HEDDLE_KEY == HD_F32
  /* -0.0 and +0.0 are one value. With HEDDLE_BITS 2 no edge is below 0. */
  i32 k =
      HEDDLE_BITS == 2 ? (i32)hd_bits_f32(x - p->KEYS.origin) : hd_key_of_f32(x - p->KEYS.origin);
  k = min(max(k, hd_key_of_f32(p->KEYS.first)), hd_key_of_f32(p->KEYS.last));
  return ((u32)k * p->bits_scale - (u32)p->bits_origin) >> (HEDDLE_SHIFTED ? p->bits_shift : 0);
#elif HD_BY_BITS
  x -= p->KEYS.origin;
  x = x < p->KEYS.first ? p->KEYS.first : x;
  x = x > p->KEYS.last ? p->KEYS.last : x;
  u64 bits = HEDDLE_BITS == 2 ? hd_bits_f64(x) : (u64)hd_key_of_f64(x);
  u32 place = (u32)((bits - (u64)p->bits_origin) >> p->bits_shift);         /* bits_scale is 1 */
  return HD_TYPE_IS_FLOAT(HEDDLE_TYPE) ? min(place, p->place_last) : place; /* NaN */
#else
  return place_by_value(p, x);
#endif
}

/* The rank is the number of edges at most x: none is below, one the first bin. */
#define HD_RANKED 1
HD_DEVICE u32 slot_of(const struct hist_slots *p, u32 rank) {
  u32 bin = rank - 1;
  return rank == 0 ? p->bins : bin < p->bins ? bin : rank;
}

/* The edges at most x: binary search among those of x's bucket. */
HD_DEVICE u32 search_edges(const struct hist_slots *p, key x) {
  const u32 *buckets = (const u32 *)p->buckets;
  const key *edges = (const key *)p->edges;
  u32 bucket = place_of(p, x) >> p->place_bits;
  u32 low = __ldg(buckets + bucket), high = __ldg(buckets + bucket + 1);
  while (low < high) {
    u32 middle = low + (high - low) / 2;
    if (__ldg(edges + middle) <= x)
      low = middle + 1;
    else
      high = middle;
  }
  return x == x ? low : p->bins + 2;
}

#if HEDDLE_STRATEGY != HD_STRATEGY_MIXED
HD_DEVICE u32 settle_rank(const struct hist_slots *p, key x) { return search_edges(p, x); }
#endif

/* Where the edges lie behind the buckets in shared memory, in words. */
HD_DEVICE u32 edges_behind(const struct hist_slots *p) { return (p->words + 1) & ~1u; }

HD_DEVICE key bucket_edge(const struct hist_slots *p, const u32 *buckets, u32 i) {
#if HEDDLE_NEAR
  return ((const key *)(buckets + edges_behind(p)))[i];
#else
  (void)buckets;
  return __ldg((const key *)p->edges + i);
#endif
}

#if HEDDLE_STRATEGY == HD_STRATEGY_STEPS
#include "steps.h"
#elif HEDDLE_STRATEGY == HD_STRATEGY_BUCKETS
/* The word of bucket c is ((edges before c) << 16) + 0x10001 - (place of the edge in c) - (c << 16),
 * one less if equal places are in doubt, and with 1 for the middle part if c has no edge. Adding
 * x's place carries into the number of edges where x lies behind the edge, and leaves 0 below it
 * where it lies on its place, or so near that it may as well be searched for. With HEDDLE_SURE no
 * equal places are in doubt, the middle part is one less in all cases, and 0 below tells nothing.
 *
 * Buckets for which that is not enough are split: HD_SPLIT and the number of a word behind the buckets,
 * a multiple of 16, in its upper bits; there are words of the same kind for the 16th parts of the
 * bucket. Where that is not enough either, or there are too many, a word has instead HD_CROWDED,
 * which shows, and the number of edges before, to which no place carries. */
#define HD_CROWDED 0x40000000u
#define HD_SPLIT 0x80000000u

/* The word of x's part of a bucket that is split, of which `sum` is word and place. */
HD_DEVICE u32 part_word(const u32 *buckets, u32 sum) { return buckets[sum >> 12 & 0x7ffffu]; }

HD_DEVICE bool in_doubt(u32 sum) {
  return (!HEDDLE_SURE && (sum & 0xffffu) == 0) || sum >= HD_CROWDED;
}

/* The edges at most x, `low` or more, whose bucket is crowded. */
HD_DEVICE u32 settle_crowded(const struct hist_slots *p, const u32 *buckets, key x, u32 low) {
  u32 high = __ldg((const u32 *)p->buckets + (place_of(p, x) >> 16) + 1);
  while (low < high) {
    const u32 middle = low + (high - low) / 2;
    const bool behind = bucket_edge(p, buckets, middle) <= x;
    low = behind ? middle + 1 : low;
    high = behind ? high : middle;
  }
  return low;
}

/* Ranks leave in the upper half of a word, with anything below. */
#define HD_FOUND_BITS 16

/* Ranks of `count` elements of which some are in doubt; a constant. All of them are looked at side by
 * side, so that answers are waited for together. Of an element in doubt as many edges as its word then
 * says are at most x, and the next one decides: the last of all that were found, or the first of a
 * crowded part, of which the second is looked at as well. Nothing reaches what is behind the edges. */
HD_DEVICE void settle_ranks(const struct hist_slots *p, const u32 *buckets, const key *x,
                            u32 *found, int count) {
  key one[16], two[16];
  bool more = false;
#pragma unroll
  for (int j = 0; j < count; j++)
    if (found[j] >= HD_SPLIT) found[j] = part_word(buckets, found[j]) + (found[j] & 0xffffu);
#pragma unroll
  for (int j = 0; j < count; j++) {
    if (in_doubt(found[j]) && found[j] < HD_CROWDED) found[j] -= 0x10000u;
    const u32 low = found[j] >> 16 & 0x3fffu;
    one[j] = two[j] = x[j];
    if (in_doubt(found[j])) one[j] = bucket_edge(p, buckets, low);
    if (found[j] >= HD_CROWDED) two[j] = bucket_edge(p, buckets, low + 1);
  }
#pragma unroll
  for (int j = 0; j < count; j++) {
    const bool behind = in_doubt(found[j]) && one[j] <= x[j];
    const bool both = found[j] >= HD_CROWDED && two[j] <= x[j];
    if (behind) found[j] += 0x10000u;
    if (both) found[j] += 0x10000u;
    more = more || both;
  }
  if (more)
#pragma unroll
    for (int j = 0; j < count; j++)
      if (found[j] >= HD_CROWDED)
        found[j] = settle_crowded(p, buckets, x[j], found[j] >> 16 & 0x3fffu) << 16;
#pragma unroll
  for (int j = 0; j < count; j++) found[j] &= HD_CROWDED - 1;
}

/* The ranks of `count` elements side by side; a constant. What tells that any is in doubt is
 * gathered from all of them, in few steps; a second look settles most, a search one by one those of
 * crowded buckets. NaN, of which there may be many, costs no search. */
HD_DEVICE void find_ranks(const struct hist_slots *p, const u32 *buckets, const key *x, u32 *found,
                          int count) {
  u32 least = ~0u, all = 0;
  key numbers = x[0]; /* NaN, if one is, or infinities of both signs */
#pragma unroll
  for (int j = 0; j < count; j++) {
    const u32 place = place_of(p, x[j]);
    found[j] = buckets[place >> 16] + place;
    if (!HEDDLE_SURE) least = min(least, found[j] * 0x10000u);
    all |= found[j];
    if (HD_TYPE_IS_FLOAT(HEDDLE_TYPE) && j) numbers += x[j];
  }
  if (least != 0 && all < HD_CROWDED && numbers == numbers) return;
  if (least == 0 || all >= HD_CROWDED) settle_ranks(p, buckets, x, found, count);
#pragma unroll
  for (int j = 0; j < count; j++) found[j] = x[j] == x[j] ? found[j] : (p->bins + 2) << 16;
}
#elif HEDDLE_STRATEGY == HD_STRATEGY_SEARCH
HD_DEVICE u32 find_rank(const struct hist_slots *p, const u32 *buckets, key x, bool *doubtful) {
  (void)buckets;
  *doubtful = false;
  return settle_rank(p, x);
}
#endif
#endif
#endif

#ifndef HD_RANKED
#define HD_RANKED 0
HD_DEVICE u32 slot_of(const struct hist_slots *p, u32 rank) {
  (void)p;
  return rank;
}
#endif

#ifndef HD_FOUND_BITS
#define HD_FOUND_BITS 0
#endif
/* The rank, of what find_ranks gave. */
HD_DEVICE u32 rank_of(u32 found) { return found >> HD_FOUND_BITS; }

#if HEDDLE_STRATEGY != HD_STRATEGY_INTEGER && HEDDLE_STRATEGY != HD_STRATEGY_BUCKETS && \
    HEDDLE_STRATEGY != HD_STRATEGY_STEPS && HEDDLE_STRATEGY != HD_STRATEGY_MIXED
/* The ranks of `count` elements side by side; a constant. One branch for all that are in doubt. */
HD_DEVICE void find_ranks(const struct hist_slots *p, const u32 *buckets, const key *x, u32 *rank,
                          int count) {
#if HEDDLE_STRATEGY == HD_STRATEGY_EVEN
  bool doubtful[16], any = false;
#pragma unroll
  for (int j = 0; j < count; j++) {
    rank[j] = find_rank(p, buckets, x[j], &doubtful[j]);
    any = any || doubtful[j];
  }
  if (!any) return;
    /* Side by side: a branch for each would cost more than edges that nobody needs, if these are
   * computed. */
#pragma unroll
  for (int j = 0; j < count; j++) {
    key edge = x[j];
    if (HEDDLE_FORMULA || doubtful[j]) edge = edge_of(p, rank[j]);
    rank[j] -= doubtful[j] && x[j] < edge;
  }
#else
#pragma unroll
  for (int j = 0; j < count; j++) {
    bool doubtful;
    rank[j] = find_rank(p, buckets, x[j], &doubtful);
  }
#endif
}
#endif

#endif

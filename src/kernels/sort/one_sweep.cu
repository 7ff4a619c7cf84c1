/* one_sweep.cu - one step of a sort by digits: elements to their places in the order of one digit, stable
 *
 * Result   the elements of a.keys and a.values of the step's `to`, from those of `from`
 * Defines  key.h's and tiles.h's; HEDDLE_VALUE_BYTES: 0, or of a value; HEDDLE_POSITIONS 1: values are
 *          positions in the row, made by the first step; HEDDLE_RESULT_BYTES: of a position where the last
 *          step stores it; HEDDLE_STABLE 0: elements of one digit may come in any order, as in a first
 *          step by keys alone, whose bits are all compared; HEDDLE_BLOCKS of an SM, at least
 * Launch   two or more blocks of HEDDLE_THREADS, that run at once
 * Memory   dynamic shared memory: a tile's keys or values
 * Waits    the first to draw answers the others (look_back.h), which have the tiles in order
 * Method   One read and one write an element: a tile's counts are told to the tiles behind it before its
 *          elements are ranked; in shared memory they are brought into order, so that those of a digit
 *          are stored as neighbours. A tile of one digit alone is not ranked.
 * Source   Adinets and Merrill 2022 (onesweep) */
#include "look_back.h"
#include "rank.h"
#include "values.h"

extern __shared__ uint4 sorted[];

#if HEDDLE_STABLE
#define TABLES SORT_WARPS
#else
#define TABLES 1u
#endif

struct sweep {
  u32 counts[TABLES * SORT_BINS];
  sort_count places[SORT_BINS]; /* of a digit's elements in the row, less those in the tile */
  u32 sums[SORT_WARPS];
  u32 tile, next, same;
};

struct sweep_keys {
  key_bits raw[HEDDLE_ITEMS];
};

/* Integers' digits are those of their bits, which are flipped where digits are put in order;
 * elements that are not there have the last one, and come last, or have no place where steps are not
 * stable. */
struct sweep_how {
  const struct sort_map *map;
  u32 shift, mask, flip;
  bool whole; /* all elements are there: a constant where this is inlined */
};

HD_DEVICE struct sweep_how sweep_how(const struct sort_args *a, const struct sort_step *step,
                                     bool whole) {
  struct sweep_how how = {&a->map, step->shift, step->mask, 0, whole};
#if HEDDLE_ORDER == 0
  how.flip = digit_of((sort_key)a->map.flip, step->shift, step->mask);
#endif
  return how;
}
HD_DEVICE u32 sweep_digit(const struct sweep_how *how, key_bits raw) {
#if HEDDLE_ORDER == 0
  return digit_of(raw, how->shift, how->mask);
#else
  return digit_of(key_of(how->map, raw), how->shift, how->mask);
#endif
}
HD_DEVICE u32 sweep_digit_there(const struct sweep_how *how, key_bits raw, bool there) {
  return how->whole || there ? sweep_digit(how, raw) : (SORT_BINS - 1) ^ how->flip;
}
HD_DEVICE u32 sweep_place(u32 i) {
  return threadIdx.x / 32 * (32 * HEDDLE_ITEMS) + threadIdx.x % 32 + 32 * i;
}

HD_DEVICE void thread_load_keys(const struct sort_args *a, const struct sort_step *step,
                                const struct sort_tile *tile, bool whole, struct sweep_keys *keys) {
  const key_bits *in =
      (const key_bits *)a->keys[step->from] + tile->start + tile->before + sweep_place(0);
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++)
    keys->raw[i] = whole || sweep_place(i) < tile->count ? in[32 * i] : (key_bits)0;
}

/* The table of the thread's warp, or of all. */
HD_DEVICE u32 *sweep_counts(struct sweep *s) {
  return s->counts + threadIdx.x / 32 % TABLES * SORT_BINS;
}

HD_DEVICE void block_count_tile(const struct sweep_how *how, const struct sort_tile *tile,
                                const struct sweep_keys *keys, u32 *counts) {
#if HEDDLE_STABLE
  warp_clear_counts(counts);
#else
  if (threadIdx.x < SORT_BINS) counts[threadIdx.x] = 0;
  __syncthreads(); /* counts are zero */
#endif
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const bool there = sweep_place(i) < tile->count;
    if (!HEDDLE_STABLE && !how->whole && !there) continue;
    atomicAdd(counts + sweep_digit_there(how, keys->raw[i], there), 1u);
  }
}

/* The keys of the block's next tile. */
HD_DEVICE void sweep_prefetch(const struct sort_args *a, const struct sort_step *step, u32 t) {
  if (t >= a->tiles) return;
  const struct sort_tile tile = tile_find(a, t);
  const u32 bytes = tile.count * HEDDLE_KEY_BYTES;
  const char *from =
      (const char *)((const key_bits *)a->keys[step->from] + tile.start + tile.before);
  for (u32 at = threadIdx.x * 128; at < bytes; at += HEDDLE_THREADS * 128) prefetch_l2(from + at);
}

/* Elements of the row with a lower digit than the thread's. All threads arrive. */
HD_DEVICE sort_count block_row_start(const struct sort_args *a, const struct sort_step *step,
                                     const struct sort_tile *tile, struct sweep *s) {
  const sort_count *counts = tile_counts(a, tile->row, step->digit);
  const sort_count mine = threadIdx.x < SORT_BINS ? counts[threadIdx.x] : 0;
  sort_count sum = 0;
#if HEDDLE_WIDE
  __syncthreads(); /* places are free */
  if (threadIdx.x < SORT_BINS) s->places[threadIdx.x] = mine;
  __syncthreads(); /* counts are there */
  for (u32 i = 0; i < threadIdx.x && threadIdx.x < SORT_BINS; i++) sum += s->places[i];
#else
  u32 all;
  __syncthreads(); /* sums are free */
  sum = block_sum_before(mine, s->sums, &all);
#endif
  __syncthreads(); /* they are read */
  return sum;
}

/* A place among the tile's elements in order. All lanes arrive. */
HD_DEVICE u32 warp_place(u32 *counts, u32 digit) {
#if HEDDLE_STABLE
  return warp_rank_row(counts, digit, (1u << threadIdx.x % 32) - 1u);
#else
  return atomicAdd(counts + digit, 1u);
#endif
}

/* Counts to places: of each warp in the tile, and told to other tiles. All threads arrive. */
HD_DEVICE u32 block_place_digits(const struct sort_args *a, const struct sort_step *step,
                                 const struct sort_tile *tile, struct sweep *s, u32 column,
                                 u32 *start) {
  u32 all;
  __syncthreads(); /* warps have counted */
  const u32 sum = thread_sum_counts(s->counts, TABLES, column);
  if (threadIdx.x < SORT_BINS && tile->number != tile->first)
    tile_tell(a, tile->number, TILE_TOLD, sum);
  if (sum == SORT_TILE) s->same = 1;
  *start = block_sum_before(sum, s->sums, &all);
  sweep_prefetch(a, step, s->next);
  thread_set_starts(s->counts, TABLES, column, *start);
  __syncthreads(); /* places are there */
  return sum;
}

/* Where the tile's elements of the thread's digit go. All threads arrive; a barrier has to follow. */
HD_DEVICE void block_look_back(const struct sort_args *a, const struct sort_step *step,
                               const struct sort_tile *tile, struct sweep *s, u32 column, u32 sum,
                               u32 start) {
  sort_count before = 0;
  if (tile->number == tile->first) before = block_row_start(a, step, tile, s);
  if (threadIdx.x >= SORT_BINS) return;
  if (tile->number != tile->first) before = tile_before(a, tile, step->done);
  tile_tell(a, tile->number, step->done, before + sum);
  s->places[column] = before - start;
}

HD_DEVICE void thread_store_keys(const struct sort_args *a, const struct sort_step *step,
                                 const struct sort_tile *tile, const struct sweep_how *how,
                                 const struct sweep *s) {
  key_bits *out = (key_bits *)a->keys[step->to] + tile->start;
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const u32 at = threadIdx.x + i * HEDDLE_THREADS;
    if (!how->whole && at >= tile->count) continue;
    const key_bits raw = ((const key_bits *)sorted)[at];
    out[(sort_count)(s->places[sweep_digit(how, raw)] + at)] = raw;
  }
}

#if HEDDLE_VALUE_BYTES
/* Behind the keys' way through shared memory; `digits` tells whose place is whose. */
HD_DEVICE void block_store_values(const struct sort_args *a, const struct sort_step *step,
                                  const struct sort_tile *tile, const struct sweep_how *how,
                                  const struct sweep *s, const sort_value *values,
                                  const u32 *ranks) {
  u32 digits[(HEDDLE_ITEMS + 3) / 4];
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const u32 at = threadIdx.x + i * HEDDLE_THREADS;
    const u32 digit = sweep_digit(how, ((const key_bits *)sorted)[at]);
    digits[i / 4] = i % 4 ? digits[i / 4] | digit << 8 * (i % 4) : digit;
  }
  __syncthreads(); /* keys are out */
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++)
    ((sort_value *)sorted)[ranks[i / 2] >> 16 * (i % 2) & 0xffffu] = values[i];
  __syncthreads(); /* values are in order */
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const u32 at = threadIdx.x + i * HEDDLE_THREADS;
    if (!how->whole && at >= tile->count) continue;
    const u64 to = tile->start + (sort_count)(s->places[digits[i / 4] >> 8 * (i % 4) & 255u] + at);
    value_store(a, step, to, ((const sort_value *)sorted)[at]);
  }
}
#endif

HD_DEVICE void block_sweep_tile(const struct sort_args *a, const struct sort_step *step,
                                const struct sort_tile *tile, struct sweep *s, bool whole) {
  struct sweep_keys keys;
  const struct sweep_how how = sweep_how(a, step, whole);
  const u32 column = threadIdx.x ^ how.flip;
  u32 start, *counts = sweep_counts(s);
  thread_load_keys(a, step, tile, whole, &keys);
  block_count_tile(&how, tile, &keys, counts);
  const u32 sum = block_place_digits(a, step, tile, s, column, &start);

#if HEDDLE_VALUE_BYTES
  u32 ranks[(HEDDLE_ITEMS + 1) / 2];
#endif
  const bool same = whole && s->same;
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const key_bits raw = bits_late(keys.raw[i]);
    u32 rank = sweep_place(i);
    if (!HEDDLE_STABLE && !whole && rank >= tile->count) continue;
    if (!same) rank = warp_place(counts, sweep_digit_there(&how, raw, rank < tile->count));
    ((key_bits *)sorted)[rank] = raw;
#if HEDDLE_VALUE_BYTES
    ranks[i / 2] = i % 2 ? ranks[i / 2] | rank << 16 : rank;
#endif
  }
#if HEDDLE_VALUE_BYTES
  sort_value values[HEDDLE_ITEMS];
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++)
    if (whole || sweep_place(i) < tile->count)
      values[i] = value_load(a, step, tile, sweep_place(i));
#endif
  block_look_back(a, step, tile, s, column, sum, start);
  __syncthreads(); /* places are known, elements are in order */
  if (!step->last || !a->drop_keys) thread_store_keys(a, step, tile, &how, s);
#if HEDDLE_VALUE_BYTES
  block_store_values(a, step, tile, &how, s, values, ranks);
#endif
}

/* Elements as they are. */
HD_DEVICE void thread_copy_tile(const struct sort_args *a, const struct sort_step *step,
                                const struct sort_tile *tile) {
  const u64 start = tile->start + tile->before;
  const key_bits *in = (const key_bits *)a->keys[step->from] + start;
  key_bits *out = (key_bits *)a->keys[step->to] + start;
#pragma unroll 4
  for (u32 at = threadIdx.x; at < tile->count; at += HEDDLE_THREADS) {
    if (!a->drop_keys) out[at] = in[at];
#if HEDDLE_VALUE_BYTES
    value_store(a, step, start + at, value_load(a, step, tile, at));
#endif
  }
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS, HEDDLE_BLOCKS)
    heddle_sort_one_sweep(const __grid_constant__ struct sort_args a) {
  __shared__ struct sweep s;
  struct sort_plan *plan = (struct sort_plan *)a.plan;
  const struct sort_step step = plan->step[a.slot];
  if (step.kind == SORT_NOTHING || (step.again && !plan->failed)) return;
  u32 *ticket = plan->ticket + a.slot;
  u32 next = 0;
  if (threadIdx.x == 0) next = atomicAdd(ticket, 1u);
  for (;;) {
    if (threadIdx.x == 0) s.tile = next, s.same = 0;
    __syncthreads(); /* the tile is known, shared memory is free */
    if (s.tile >= a.tiles) return;
    if (threadIdx.x == 0) s.next = next = atomicAdd(ticket, 1u);
    const struct sort_tile tile = tile_find(&a, s.tile);
    if (step.kind == SORT_BY_DIGIT && tile.count == SORT_TILE)
      block_sweep_tile(&a, &step, &tile, &s, true);
    else if (step.kind == SORT_BY_DIGIT)
      block_sweep_tile(&a, &step, &tile, &s, false);
    else
      thread_copy_tile(&a, &step, &tile);
    __syncthreads(); /* all have read */
  }
}

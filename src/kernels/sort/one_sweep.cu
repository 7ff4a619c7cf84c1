/* one_sweep.cu - one step of a sort by digits: elements to their places in the order of one digit, stable
 *
 * Result   the elements of a.keys and a.values of the step's `to`, from those of `from`
 * Defines  key.h's and tiles.h's; HEDDLE_VALUE_BYTES: 0, or of a value; HEDDLE_POSITIONS 1: values are
 *          positions in the row, made by the first step; HEDDLE_RESULT_BYTES: of a position where the last
 *          step stores it; HEDDLE_BLOCKS of an SM, at least
 * Launch   any number of blocks of HEDDLE_THREADS that run at once
 * Memory   dynamic shared memory: a tile's keys or values
 * Waits    tiles are drawn in order; look_back.h
 * Method   One read and one write an element: a tile's counts are told to the tiles behind it before its
 *          elements are ranked; in shared memory they are brought into order, so that those of a digit
 *          are stored as neighbours. A tile of one digit alone is not ranked.
 * Source   Adinets and Merrill 2022 (onesweep) */
#include "look_back.h"
#include "rank.h"
#include "values.h"

extern __shared__ uint4 sorted[];

struct sweep {
  u32 counts[SORT_WARPS * SORT_BINS];
  sort_count places[SORT_BINS]; /* of a digit's elements in the row, less those in the tile */
  u32 sums[SORT_WARPS];
  u32 tile, same;
};

struct sweep_keys {
  key_bits raw[HEDDLE_ITEMS];
};

/* Elements that are not there have the last digit, and come last. */
HD_DEVICE u32 sweep_digit(const struct sort_args *a, const struct sort_step *step, key_bits raw, bool there) {
  return there ? digit_of(key_of(&a->map, raw), step->shift, step->mask) : SORT_BINS - 1;
}
HD_DEVICE u32 sweep_place(u32 i) {
  return threadIdx.x / 32 * (32 * HEDDLE_ITEMS) + threadIdx.x % 32 + 32 * i;
}

HD_DEVICE void thread_load_keys(const struct sort_args *a, const struct sort_step *step,
                                const struct sort_tile *tile, struct sweep_keys *keys) {
  const key_bits *in = (const key_bits *)a->keys[step->from] + tile->start + tile->before;
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const u32 at = sweep_place(i);
    keys->raw[i] = at < tile->count ? in[at] : (key_bits)0;
  }
}

HD_DEVICE void warp_count_tile(const struct sort_args *a, const struct sort_step *step,
                               const struct sort_tile *tile, const struct sweep_keys *keys, u32 *counts) {
  warp_clear_counts(counts);
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++)
    atomicAdd(counts + sweep_digit(a, step, keys->raw[i], sweep_place(i) < tile->count), 1u);
}

/* Elements of the row with a lower digit than the thread's. All threads arrive. */
HD_DEVICE sort_count block_row_start(const struct sort_args *a, const struct sort_step *step,
                                     const struct sort_tile *tile, u32 *room) {
  const sort_count *counts = tile_counts(a, tile->row, step->digit);
  const sort_count mine = threadIdx.x < SORT_BINS ? counts[threadIdx.x] : 0;
  sort_count sum = mine;
  __syncthreads(); /* room is free */
#if HEDDLE_WIDE
  u64 *all = (u64 *)sorted; /* free as well */
  (void)room;
  if (threadIdx.x < SORT_BINS) all[threadIdx.x] = mine;
  __syncthreads(); /* counts are there */
  sum = 0;
  for (u32 i = 0; i < threadIdx.x && threadIdx.x < SORT_BINS; i++) sum += all[i];
  __syncthreads(); /* they are read */
  return sum;
#else
  u32 all;
  sum = block_sum_before(mine, room, &all);
  return sum;
#endif
}

/* Counts to places: of each warp in the tile, and told to other tiles. All threads arrive. */
HD_DEVICE void block_place_digits(const struct sort_args *a, const struct sort_step *step,
                                  const struct sort_tile *tile, struct sweep *s, u32 *sum, u32 *start) {
  u32 all;
  __syncthreads(); /* warps have counted */
  *sum = thread_sum_counts(s->counts);
  if (threadIdx.x < SORT_BINS && tile->number != tile->first)
    tile_tell(a, tile->number, TILE_PART, *sum);
  if (*sum == SORT_TILE) s->same = 1;
  *start = block_sum_before(*sum, s->sums, &all);
  thread_set_starts(s->counts, *start);
  __syncthreads(); /* places are there */
  (void)step;
}

/* Where the tile's elements of the thread's digit go. All threads arrive. */
HD_DEVICE void block_look_back(const struct sort_args *a, const struct sort_step *step,
                               const struct sort_tile *tile, struct sweep *s, u32 sum, u32 start) {
  sort_count before = 0;
  if (tile->number == tile->first) before = block_row_start(a, step, tile, s->sums);
  if (threadIdx.x < SORT_BINS) {
    if (tile->number != tile->first) before = tile_before(a, tile, step->done);
    tile_tell(a, tile->number, step->done, before + sum);
    s->places[threadIdx.x] = before - start;
  }
  __syncthreads(); /* places are known, elements are in order */
}

HD_DEVICE void thread_store_keys(const struct sort_args *a, const struct sort_step *step,
                                 const struct sort_tile *tile, const struct sweep *s) {
  key_bits *out = (key_bits *)a->keys[step->to] + tile->start;
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const u32 at = threadIdx.x + i * HEDDLE_THREADS;
    if (at >= tile->count) continue;
    const key_bits raw = ((const key_bits *)sorted)[at];
    out[s->places[sweep_digit(a, step, raw, true)] + at] = raw;
  }
}

#if HEDDLE_VALUE_BYTES
/* Behind the keys' way through shared memory; `digits` tells whose place is whose. */
HD_DEVICE void block_store_values(const struct sort_args *a, const struct sort_step *step,
                                  const struct sort_tile *tile, const struct sweep *s,
                                  const sort_value *values, const u32 *ranks) {
  u32 digits[(HEDDLE_ITEMS + 3) / 4];
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const u32 at = threadIdx.x + i * HEDDLE_THREADS;
    const u32 digit =
        sweep_digit(a, step, ((const key_bits *)sorted)[at], at < tile->count);
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
    if (at >= tile->count) continue;
    const u32 digit = digits[i / 4] >> 8 * (i % 4) & 255u;
    const u64 to = tile->start + (sort_count)(s->places[digit] + at);
    value_store(a, step, to, ((const sort_value *)sorted)[at]);
  }
}
#endif

HD_DEVICE void block_sweep_tile(const struct sort_args *a, const struct sort_step *step,
                                const struct sort_tile *tile, struct sweep *s) {
  struct sweep_keys keys;
  u32 sum, start, *counts = s->counts + threadIdx.x / 32 * SORT_BINS;
  thread_load_keys(a, step, tile, &keys);
  warp_count_tile(a, step, tile, &keys, counts);
  block_place_digits(a, step, tile, s, &sum, &start);
#if HEDDLE_VALUE_BYTES
  u32 ranks[(HEDDLE_ITEMS + 1) / 2];
#endif
  const bool same = s->same != 0;
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const u32 at = sweep_place(i);
    u32 rank = at;
    if (!same) rank = warp_rank_row(counts, sweep_digit(a, step, keys.raw[i], at < tile->count));
    ((key_bits *)sorted)[rank] = keys.raw[i];
#if HEDDLE_VALUE_BYTES
    ranks[i / 2] = i % 2 ? ranks[i / 2] | rank << 16 : rank;
#endif
  }
#if HEDDLE_VALUE_BYTES
  sort_value values[HEDDLE_ITEMS];
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++)
    if (sweep_place(i) < tile->count) values[i] = value_load(a, step, tile, sweep_place(i));
#endif
  block_look_back(a, step, tile, s, sum, start);
  if (!step->last || !a->drop_keys) thread_store_keys(a, step, tile, s);
#if HEDDLE_VALUE_BYTES
  block_store_values(a, step, tile, s, values, ranks);
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
  if (step.kind == SORT_NOTHING) return;
  u32 *ticket = plan->ticket + a.slot;
  u32 next = 0;
  if (threadIdx.x == 0) next = atomicAdd(ticket, 1u);
  for (;;) {
    if (threadIdx.x == 0) s.tile = next, s.same = 0;
    __syncthreads(); /* the tile is known, shared memory is free */
    if (s.tile >= a.tiles) return;
    const struct sort_tile tile = tile_find(&a, s.tile);
    if (threadIdx.x == 0) next = atomicAdd(ticket, 1u);
    if (step.kind == SORT_BY_DIGIT)
      block_sweep_tile(&a, &step, &tile, &s);
    else
      thread_copy_tile(&a, &step, &tile);
    __syncthreads(); /* all have read */
  }
}

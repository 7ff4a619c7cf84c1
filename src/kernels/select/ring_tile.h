/* ring_tile.h - a tile in shared memory that a bulk copy brought: what a warp selects of its part of it
 *
 * Result   thread_tile_fetch  starts the copies of a tile, by one lane
 *          warp_part_keys     the warp's part of a tile, into registers
 *          warp_part_flags    which elements of it are selected
 *          warp_stage_part    those, one behind the other, to the warp's own shared memory
 *          warp_store_part    from there to the output
 * Defines  flags.h's, HEDDLE_VALUE_BYTES, HEDDLE_SAME, HEDDLE_POSITIONS and HEDDLE_REST as compact.cu.
 *          HEDDLE_THREADS are those that look at elements, the block's first ones
 *          HEDDLE_STAGES   tiles in shared memory before they are looked at
 *          HEDDLE_ROOM     elements that a warp has room for until they are stored: two parts of a tile, or more
 * Memory   dynamic shared: HEDDLE_STAGES tiles, with the values if those are not what is tested; then, a warp, its room
 * Method   As compact.cu, but that a warp's elements never meet another's: places are counted within the part. */
#ifndef HEDDLE_KERNELS_SELECT_RING_TILE_H
#define HEDDLE_KERNELS_SELECT_RING_TILE_H

#include "ranks.h"

#include "kernels/base/device_bulk.h"

#define WARPS (HEDDLE_THREADS / 32)
#define PART (32 * HEDDLE_ITEMS) /* elements of a tile, of each warp */

#define HAS_VALUES (HEDDLE_VALUE_BYTES && !HEDDLE_SAME) /* of their own */

#if HEDDLE_VALUE_BYTES == 16
typedef uint4 select_value;
#elif HEDDLE_VALUE_BYTES == 8
typedef u64 select_value;
#else
typedef u32 select_value;
#endif
#if HEDDLE_POSITIONS == 8
typedef u64 select_position;
#else
typedef u32 select_position;
#endif

/* ---- shared memory --------------------------------------------------------------------------- */

#define LINE 128 /* bulk copies are slower where they do not go to a multiple of that */

#define KEYS_AT (HEDDLE_RUNS ? LINE : 0) /* the element before a tile is before it */
#define VALUES_AT (KEYS_AT + SELECT_TILE * HEDDLE_KEY_BYTES)
#define STAGE_BYTES (VALUES_AT + (HAS_VALUES ? SELECT_TILE * HEDDLE_VALUE_BYTES + LINE : 0))
#define STAGE_COPIES (1 + HEDDLE_RUNS + HAS_VALUES)
#define ROOM_BYTES (HEDDLE_ROOM * (HEDDLE_VALUE_BYTES + (HEDDLE_POSITIONS ? 2 : 0)))
static_assert(STAGE_BYTES % LINE == 0, "lines");
static_assert(HEDDLE_ROOM >= 2 * PART, "room for a part, wherever it begins");
static_assert(ROOM_BYTES % 16 == 0, "values of every warp are aligned");
static_assert(SELECT_TILE <= 65536, "positions in a tile have 16 bits");

extern __shared__ __align__(128) uint4 ring_shared[];

HD_DEVICE u8 *stage_at(u32 stage) { return (u8 *)ring_shared + stage * STAGE_BYTES; }
HD_DEVICE u8 *room_at(u32 warp) {
  return (u8 *)ring_shared + HEDDLE_STAGES * STAGE_BYTES + warp * ROOM_BYTES;
}
#define ROOM_VALUES(room) ((select_value *)(room))
#define ROOM_POSITIONS(room) ((u16 *)((room) + HEDDLE_ROOM * HEDDLE_VALUE_BYTES))

/* ---- from memory ----------------------------------------------------------------------------- */

#if HAS_VALUES
/* Values begin between vectors as they do in memory. */
HD_DEVICE const select_value *stage_values(const struct select_args *a,
                                           const struct select_tile *tile, const u8 *stage) {
  const u64 at = a->in + (u64)tile->first * HEDDLE_VALUE_BYTES;
  return (const select_value *)(stage + VALUES_AT + at % 16);
}
#endif

/* STAGE_COPIES arrivals at the signal. */
HD_DEVICE void thread_tile_fetch(const struct select_args *a, const struct select_tile *tile,
                                 u8 *stage, u64 *signal) {
  const u32 begin = tile_begin(tile), count = tile_end(a, tile) - begin;
  const u64 first = (u64)(tile->first + begin); /* the number of its first element */
  const u8 *of = (const u8 *)a->of + first * HEDDLE_KEY_BYTES;
  bulk_fetch(stage + KEYS_AT + begin * HEDDLE_KEY_BYTES, of, count * HEDDLE_KEY_BYTES, signal);
#if HEDDLE_RUNS
  if (first)
    bulk_fetch(stage + KEYS_AT - HEDDLE_KEY_BYTES, of - HEDDLE_KEY_BYTES, HEDDLE_KEY_BYTES, signal);
  else
    signal_arrive(signal);
#endif
#if HAS_VALUES
  bulk_fetch((void *)(stage_values(a, tile, stage) + begin),
             (const u8 *)a->in + first * HEDDLE_VALUE_BYTES, count * HEDDLE_VALUE_BYTES, signal);
#endif
}

HD_DEVICE void warp_part_keys(const struct select_args *a, const struct select_tile *tile,
                              const u8 *stage, struct key_vectors *keys) {
  const i64 left = (i64)a->count - tile->first;
#pragma unroll
  for (u32 j = 0; j < KEY_ROWS; j++) {
    const u32 place = key_place(j);
    const u8 *from = stage + KEYS_AT + place * HEDDLE_KEY_BYTES;
    if (tile->whole) {
      load_vector_shared(from, 16, keys->row[j].word);
    } else { /* what is around the array has not been copied */
      const u32 begin = tile_begin(tile);
      alignas(16) u8 bytes[16];
#pragma unroll
      for (u32 i = 0; i < KEY_VECTOR; i++)
        ((key_bits *)bytes)[i] =
            place + i >= begin && place + i < left ? ((const key_bits *)from)[i] : 0;
      load_vector_shared(bytes, 16, keys->row[j].word);
    }
  }
}

/* ---- which are selected ---------------------------------------------------------------------- */

HD_DEVICE void warp_part_flags(const struct select_args *a, const struct select_tile *tile,
                               const u8 *stage, const struct key_vectors *keys,
                               struct tile_flags *flags) {
  select_key before = 0;
#if HEDDLE_RUNS
  const u32 place = key_place(0);
  const i64 e = tile->first + place;
  /* of an array's first element there is none, or one that first_flag knows */
  if (threadIdx.x % 32 == 0 && e > 0 && e <= (i64)a->count)
    before = key_of(&a->test, ((const key_bits *)(stage + KEYS_AT))[(i32)place - 1]);
#endif
  (void)stage;
  warp_tile_flags(a, tile, keys, before, flags);
}

/* ---- to their places ------------------------------------------------------------------------- */

/* How many elements of the array the warp's part has. */
HD_DEVICE u32 part_there(const struct select_args *a, const struct select_tile *tile, u32 warp) {
  const u32 from = warp * PART, begin = tile_begin(tile), end = tile_end(a, tile);
  const u32 first = begin > from ? begin : from, last = end < from + PART ? end : from + PART;
  return last > first ? last - first : 0;
}

/* An element of the part at its place: those selected, `at` being where the next one goes, then, of a partition, the
 * others. */
struct part_room {
  select_value *values;
  u16 *positions;
  u32 begin;      /* of the part's selected elements */
  u32 rest;       /* and of the others */
  u32 first, end; /* elements of the tile that the part has of the array */
};

HD_DEVICE struct part_room part_room_of(const struct select_args *a, const struct select_tile *tile,
                                        u8 *room, u32 at, u32 count) {
  const u32 from = threadIdx.x / 32 * PART, begin = tile_begin(tile);
  struct part_room p;
  p.values = ROOM_VALUES(room);
  p.positions = ROOM_POSITIONS(room);
  p.begin = at, p.rest = at + count;
  p.first = begin > from ? begin : from, p.end = HEDDLE_REST ? tile_end(a, tile) : 0;
  return p;
}

/* Element i of the tile, selected or not; `to` is the place of the next selected one. */
HD_DEVICE void stage_element(const struct part_room *p, u32 i, bool is_set, u32 to,
                             select_value value) {
  (void)p, (void)i, (void)is_set, (void)to, (void)value;
#if HEDDLE_VALUE_BYTES
  if (is_set) p->values[to] = value;
#if HEDDLE_REST
  else if (i >= p->first && i < p->end)
    p->values[p->rest + (i - p->first) - (to - p->begin)] = value;
#endif
#endif
#if HEDDLE_POSITIONS
  if (is_set) p->positions[to] = (u16)i;
#endif
}

#if HAS_VALUES

/* Values come as rows of 32 neighbours, whatever vectors their flags came in. */
HD_DEVICE void warp_stage_part(const struct part_room *p, const struct key_vectors *keys,
                               const select_value *values, const struct tile_flags *flags,
                               const struct tile_ranks *ranks) {
  const u32 lane = threadIdx.x % 32, from = threadIdx.x / 32 * PART, below = (1u << lane) - 1;
  (void)keys;
#pragma unroll
  for (u32 r = 0; r < HEDDLE_ITEMS; r++) {
    const u32 j = r / KEY_VECTOR, o = 32 * (r % KEY_VECTOR); /* 32 vectors are KEY_VECTOR rows */
    const u32 set = __shfl_sync(HD_ALL, flags->row[j], (int)((o + lane) / KEY_VECTOR));
    const u32 row = __ballot_sync(HD_ALL, set >> (lane % KEY_VECTOR) & 1u);
    const u32 before = __shfl_sync(HD_ALL, ranks->row[j], (int)(o / KEY_VECTOR));
    const u32 i = from + 32 * r + lane, to = p->begin + before + (u32)__popc(row & below);
    const bool is_set = row >> lane & 1u;
    if (HEDDLE_REST ? i >= p->first && i < p->end : is_set)
      stage_element(p, i, is_set, to, values[i]);
  }
}

#else

HD_DEVICE void warp_stage_part(const struct part_room *p, const struct key_vectors *keys,
                               const select_value *values, const struct tile_flags *flags,
                               const struct tile_ranks *ranks) {
  (void)values, (void)keys;
#pragma unroll
  for (u32 j = 0; j < KEY_ROWS; j++) {
    u32 to = p->begin + ranks->row[j];
#pragma unroll
    for (u32 i = 0; i < KEY_VECTOR; i++) {
      const bool is_set = flags->row[j] >> i & 1u;
      select_value value = 0;
#if HEDDLE_VALUE_BYTES
      value = (select_value)vector_element(keys->row + j, i, HEDDLE_VALUE_BYTES);
#endif
      stage_element(p, key_place(j) + i, is_set, to, value);
      to += is_set;
    }
  }
}

#endif

/* ---- to the output --------------------------------------------------------------------------- */

/* What a warp has staged: `count` elements from place `at` of its room on, and of a partition `others` behind them;
 * where they go. */
struct staged_part {
  const u8 *room;
  u32 at, count, others;
  u64 to, rest;
};

#if HEDDLE_VALUE_BYTES
HD_DEVICE void warp_store_values(const struct select_args *a, const select_value *values, u32 count,
                                 u64 to) {
  select_value *out = (select_value *)a->out + to;
#pragma unroll 4
  for (u32 i = threadIdx.x % 32; i < count; i += 32) out[i] = values[i];
}
#endif

HD_DEVICE void warp_store_part(const struct select_args *a, const struct select_tile *tile,
                               const struct staged_part *s) {
  (void)tile;
#if HEDDLE_VALUE_BYTES
  const select_value *values = (const select_value *)s->room + s->at;
  warp_store_values(a, values, s->count, s->to);
#if HEDDLE_REST
  warp_store_values(a, values + s->count, s->others, s->rest);
#endif
#endif
#if HEDDLE_POSITIONS
  if (!a->positions) return;
  const u16 *positions = ROOM_POSITIONS(s->room) + s->at;
  const select_position first = (select_position)(a->first + (u64)tile->first);
  select_position *to = (select_position *)a->positions + s->to;
#pragma unroll 4
  for (u32 i = threadIdx.x % 32; i < s->count; i += 32) to[i] = first + positions[i];
#endif
}

#endif

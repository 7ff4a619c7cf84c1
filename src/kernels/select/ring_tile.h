/* ring_tile.h - a tile in shared memory that a bulk copy brought: what a warp selects of its part of it
 *
 * Result   thread_tile_fetch  starts the copies of a tile, by one lane
 *          warp_part_keys     the warp's part of a tile, into registers
 *          warp_part_flags    which elements of it are selected
 *          warp_stage_part    those, one behind the other, to the warp's own shared memory
 *          warp_store_part    from there to the output
 * Defines  flags.h's, HEDDLE_VALUE_BYTES, HEDDLE_POSITIONS and HEDDLE_REST as compact.cu; values are what is tested.
 *          HEDDLE_THREADS are those that look at elements, the block's first ones
 *          HEDDLE_STAGES   tiles in shared memory before they are looked at
 *          HEDDLE_ROOM     elements that a warp has room for until they are stored: two parts of a tile, or more
 * Memory   dynamic shared: HEDDLE_STAGES tiles; then, a warp, its room
 * Method   As compact.cu, but that a warp's elements never meet another's: places are counted within the part. */
#ifndef HEDDLE_KERNELS_SELECT_RING_TILE_H
#define HEDDLE_KERNELS_SELECT_RING_TILE_H

#include "ranks.h"

#include "kernels/base/device_bulk.h"

#define WARPS (HEDDLE_THREADS / 32)
#define PART (32 * HEDDLE_ITEMS) /* elements of a tile, of each warp */

#if HEDDLE_VALUE_BYTES == 8
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
#define STAGE_BYTES (KEYS_AT + SELECT_TILE * HEDDLE_KEY_BYTES)
#define STAGE_COPIES (1 + HEDDLE_RUNS)
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

/* `count` selected elements, then, of a partition, the others, to the room from place `at` on. */
HD_DEVICE void warp_stage_part(const struct select_args *a, const struct select_tile *tile,
                               const struct key_vectors *keys, const struct tile_flags *flags,
                               const struct tile_ranks *ranks, u32 count, u8 *room, u32 at) {
#if HEDDLE_REST
  const u32 from = threadIdx.x / 32 * PART, begin = tile_begin(tile), end = tile_end(a, tile);
  const u32 first = begin > from ? begin : from;
#endif
  (void)a, (void)tile, (void)keys, (void)count;
#pragma unroll
  for (u32 j = 0; j < KEY_ROWS; j++) {
    const u32 place = key_place(j), set = flags->row[j];
    u32 to = at + ranks->row[j];
#pragma unroll
    for (u32 i = 0; i < KEY_VECTOR; i++) {
      const bool is_set = set >> i & 1u;
#if HEDDLE_VALUE_BYTES
      const select_value value = (select_value)vector_element(keys->row + j, i, HEDDLE_VALUE_BYTES);
      if (is_set) ROOM_VALUES(room)[to] = value;
#if HEDDLE_REST
      else if (place + i >= first && place + i < end)
        ROOM_VALUES(room)[2 * at + count + (place + i - first) - to] = value;
#endif
#endif
#if HEDDLE_POSITIONS
      if (is_set) ROOM_POSITIONS(room)[to] = (u16)(place + i);
#endif
      to += is_set;
    }
    (void)place;
  }
}

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

/* staged.h - what is selected of a tile, in shared memory, and from there to the output
 *
 * Result   thread_stage_values, thread_stage_positions  each selected element at its place among them
 *          thread_store_values, thread_store_positions  to the output, behind a barrier
 * Defines  flags.h's and compact.cu's
 * Memory   two halves, for two tiles in turn
 * Method   Values that are not what is tested lie in vectors of their own, which find their flags, as bits, in shared
 *          memory. */
#ifndef HEDDLE_KERNELS_SELECT_STAGED_H
#define HEDDLE_KERNELS_SELECT_STAGED_H

#include "ranks.h"

#define WORDS (SELECT_TILE / 32)
#define HAS_BITS (HEDDLE_VALUE_BYTES && !HEDDLE_SAME)

#if HEDDLE_VALUE_BYTES == 16
typedef uint4 select_value;
#elif HEDDLE_VALUE_BYTES == 8
typedef u64 select_value;
#elif HEDDLE_VALUE_BYTES == 4
typedef u32 select_value;
#elif HEDDLE_VALUE_BYTES == 2
typedef u16 select_value;
#else
typedef u8 select_value;
#endif

extern __shared__ uint4 staged[];

/* What threads of a block know of a tile; of two tiles in turn, so that a barrier is between its uses. */
struct half {
#if HAS_BITS
  u32 bits[WORDS + 1];   /* and a word of zeros */
  u32 starts[WORDS + 1]; /* selected elements of the tile before each word */
#endif
  u32 sums[HEDDLE_THREADS / 32];
  u32 next, tag; /* the next tile */
  u64 before;    /* selected elements before the tile */
  u64 rest;      /* where the tile's others go */
};

/* What is selected of a tile, in one half of dynamic shared memory: values, then positions. */
#define STAGED_BYTES (HEDDLE_VALUE_BYTES ? SELECT_TILE * HEDDLE_VALUE_BYTES + 16 : 0)
#define HALF_BYTES (STAGED_BYTES + (HEDDLE_POSITIONS ? 2 * SELECT_TILE : 0))
#define STAGED_VALUES(half) ((select_value *)((u8 *)staged + (half)*HALF_BYTES))
#define STAGED_POSITIONS(half) ((u16 *)((u8 *)staged + (half)*HALF_BYTES + STAGED_BYTES))

/* A tile whose count is told. */
struct told_tile {
  struct select_tile tile;
  u32 t, count, half;
};

/* ---- values ---------------------------------------------------------------------------------- */

#if HEDDLE_VALUE_BYTES

#define VALUE_VECTOR (16 / HEDDLE_VALUE_BYTES)

#if HEDDLE_SAME

#define VALUE_ROWS KEY_ROWS
HD_DEVICE i32 value_place(const struct select_args *a, const struct select_tile *tile, u32 j) {
  return (void)a, (void)tile, (i32)key_place(j);
}

#else

/* One more, of the first thread: a tile that begins between vectors of values ends in another one. */
#define VALUE_ROWS ((SELECT_TILE / VALUE_VECTOR + HEDDLE_THREADS - 1) / HEDDLE_THREADS + 1)

/* Where in a tile the thread's vector j of values begins. */
HD_DEVICE i32 value_place(const struct select_args *a, const struct select_tile *tile, u32 j) {
  const u64 at = a->in + (u64)tile->first * HEDDLE_VALUE_BYTES;
  return (i32)((threadIdx.x + j * HEDDLE_THREADS) * VALUE_VECTOR) -
         (i32)(at % 16 / HEDDLE_VALUE_BYTES);
}

#endif

struct value_vectors {
  struct vector row[VALUE_ROWS];
};

#if !HEDDLE_SAME
HD_DEVICE void thread_load_values(const struct select_args *a, const struct select_tile *tile,
                                  struct value_vectors *values) {
  const u8 *in = (const u8 *)a->in;
#pragma unroll
  for (u32 j = 0; j < VALUE_ROWS; j++) {
    const i32 place = value_place(a, tile, j);
    if (place >= SELECT_TILE) continue;
    const i64 e = tile->first + place;
    if (e >= 0 && e + VALUE_VECTOR <= (i64)a->count)
      values->row[j] = vector_load(in + e * HEDDLE_VALUE_BYTES);
    else
      values->row[j] = vector_load_some(in, e, HEDDLE_VALUE_BYTES, (i64)a->count);
  }
}
#endif

/* What is selected of a vector, and how many elements of the tile before it are. */
struct vector_flags_at {
  u32 flags, rank;
};

#if HEDDLE_SAME
HD_DEVICE struct vector_flags_at flags_at(const struct half *s, const struct tile_flags *flags,
                                          const struct tile_ranks *ranks, u32 j, i32 place) {
  (void)s, (void)place;
  return {flags->row[j], ranks->row[j]};
}
#else
HD_DEVICE struct vector_flags_at flags_at(const struct half *s, const struct tile_flags *flags,
                                          const struct tile_ranks *ranks, u32 j, i32 place) {
  const u32 all = (1u << VALUE_VECTOR) - 1;
  (void)flags, (void)ranks, (void)j;
  if (place < 0) return {s->bits[0] << -place & all, 0};
  const u32 word = (u32)place / 32, shift = (u32)place % 32, bits = s->bits[word];
  const u32 rank = s->starts[word] + (u32)__popc(bits & ((1u << shift) - 1));
  const u32 next = shift ? s->bits[word + 1] << (32 - shift) : 0;
  return {(bits >> shift | next) & all, rank};
}
#endif

HD_DEVICE select_value value_of(const struct vector *v, u32 i) {
#if HEDDLE_VALUE_BYTES == 16
  const uint4 value = {v->word[0], v->word[1], v->word[2], v->word[3]};
  return (void)i, value;
#else
  return (select_value)vector_element(v, i, HEDDLE_VALUE_BYTES);
#endif
}

/* Values to their places in shared memory: those selected, then, of a partition, the others. */
HD_DEVICE void thread_stage_values(const struct select_args *a, const struct select_tile *tile,
                                   const struct half *s, const struct tile_flags *flags,
                                   const struct tile_ranks *ranks, const struct vector *row,
                                   u32 count, u32 half) {
  const i32 begin = (i32)tile_begin(tile), end = (i32)tile_end(a, tile);
#pragma unroll
  for (u32 j = 0; j < VALUE_ROWS; j++) {
    const i32 place = value_place(a, tile, j);
    if (place >= SELECT_TILE) continue;
    const struct vector_flags_at v = flags_at(s, flags, ranks, j, place);
    u32 rank = v.rank;
#pragma unroll
    for (u32 i = 0; i < VALUE_VECTOR; i++) {
      const i32 at = place + (i32)i;
      const bool set = v.flags >> i & 1u;
      if (set)
        STAGED_VALUES(half)[rank] = value_of(row + j, i);
      else if (HEDDLE_REST && at >= begin && at < end)
        STAGED_VALUES(half)[count + (u32)(at - begin) - rank] = value_of(row + j, i);
      rank += set;
    }
  }
}

/* `count` values in shared memory, to the output from number `to` on. */
HD_DEVICE void thread_store_values(const struct select_args *a, const select_value *values, u64 to,
                                   u32 count) {
  select_value *out = (select_value *)a->out + to;
#if HEDDLE_VALUE_BYTES >= 4
#pragma unroll 4
  for (u32 i = threadIdx.x; i < count; i += HEDDLE_THREADS) out[i] = values[i];
#else
  /* words of four bytes, and what is before and behind them */
  const u32 per = 4 / HEDDLE_VALUE_BYTES, skew = (u32)((u64)out / HEDDLE_VALUE_BYTES) % per;
  u32 head = (per - skew) % per;
  if (head > count) head = count;
  const u32 words = (count - head) / per, tail = head + words * per;
  if (threadIdx.x < head) out[threadIdx.x] = values[threadIdx.x];
  if (threadIdx.x < count - tail) out[tail + threadIdx.x] = values[tail + threadIdx.x];
  for (u32 i = threadIdx.x; i < words; i += HEDDLE_THREADS) {
    u32 word;
    load_words_shared((const u8 *)(values + head + i * per), 4, HEDDLE_VALUE_BYTES, &word);
    *(u32 *)(out + head + i * per) = word;
  }
#endif
}

#endif

/* ---- positions ------------------------------------------------------------------------------- */

#if HEDDLE_POSITIONS
HD_DEVICE void thread_stage_positions(const struct tile_flags *flags,
                                      const struct tile_ranks *ranks, u32 half) {
#pragma unroll
  for (u32 j = 0; j < KEY_ROWS; j++) {
    const u32 place = key_place(j);
    if (KEY_VECTORS < HEDDLE_THREADS && place >= SELECT_TILE) continue;
    const u32 set = flags->row[j];
    u32 rank = ranks->row[j];
#pragma unroll
    for (u32 i = 0; i < KEY_VECTOR; i++)
      if (set >> i & 1u) STAGED_POSITIONS(half)[rank++] = (u16)(place + i);
  }
}

#if HEDDLE_POSITIONS == 8
typedef u64 select_position;
#else
typedef u32 select_position;
#endif

HD_DEVICE void thread_store_positions(const struct select_args *a, const struct told_tile *told,
                                      u64 to) {
  select_position *out = (select_position *)a->positions + to;
  const select_position first = (select_position)(a->first + (u64)told->tile.first);
  const u16 *positions = STAGED_POSITIONS(told->half);
#pragma unroll 4
  for (u32 i = threadIdx.x; i < told->count; i += HEDDLE_THREADS) out[i] = first + positions[i];
}
#endif

#endif

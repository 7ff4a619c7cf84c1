/* flags.h - which elements of a tile are selected, as bits
 *
 * Result   tile_find          where a tile begins
 *          warp_tile_flags    a bit an element, of every vector of the thread
 * Defines  HEDDLE_KEY_BYTES   1, 2, 4 or 8: of an element that is tested
 *          HEDDLE_ORDER       0 integers, 1 floats
 *          HEDDLE_RUNS        0: elements are compared with a value; 1: selected is what differs from its left
 *                             neighbour, and the first element
 *          HEDDLE_TEST        the type of elements that the caller's heddle_test is asked of; -1: there is none
 *          HEDDLE_THREADS, HEDDLE_ITEMS: of a thread, at most 32; a tile is a multiple of 32 vectors
 * Method   A tile begins where a vector of 16 bytes does; the first tile, and the last, have fewer elements. A
 *          comparison is an interval of keys, in which the two zeros are neighbours and no NaN is: one subtraction
 *          and one comparison, whatever the type. Neighbours are equal if their bits are, once a NaN is any
 *          NaN and -0.0 is +0.0.
 * Limits   a warp's vectors follow one another, so that a lane finds its left neighbour in the lane before */
#ifndef HEDDLE_KERNELS_SELECT_FLAGS_H
#define HEDDLE_KERNELS_SELECT_FLAGS_H

#include "kernels/base/device.h"
#if HEDDLE_TEST >= 0
#include "order/device/types.h"
#endif

#include "args.h" /* needs their types */

#if HEDDLE_KEY_BYTES == 8
typedef u64 key_bits;
typedef u64 select_key;
#elif HEDDLE_KEY_BYTES == 4
typedef u32 key_bits;
typedef u32 select_key;
#elif HEDDLE_KEY_BYTES == 2
typedef u16 key_bits;
typedef u32 select_key;
#else
typedef u8 key_bits;
typedef u32 select_key;
#endif

#define KEY_SIGN ((select_key)1 << (8 * HEDDLE_KEY_BYTES - 1))
#define KEY_ALL (KEY_SIGN | (KEY_SIGN - 1))

#define SELECT_TILE (HEDDLE_THREADS * HEDDLE_ITEMS)
#define KEY_VECTOR (16 / HEDDLE_KEY_BYTES) /* elements */
#define KEY_VECTORS (SELECT_TILE / KEY_VECTOR)
#define KEY_ROWS ((KEY_VECTORS + HEDDLE_THREADS - 1) / HEDDLE_THREADS) /* vectors of a thread */
static_assert(HEDDLE_ITEMS <= 32, "a word of bits a thread");
static_assert(SELECT_TILE % (32 * KEY_VECTOR) == 0, "vectors of whole warps");
static_assert(KEY_ROWS == 1 || KEY_VECTORS % HEDDLE_THREADS == 0, "vectors of all threads");

struct vector {
  u32 word[4];
};

/* Element i of a vector of elements of so many bytes: constants. */
HD_DEVICE u64 vector_element(const struct vector *v, u32 i, u32 bytes) {
  if (bytes == 8) return (u64)v->word[2 * i + 1] << 32 | v->word[2 * i];
  if (bytes == 4) return v->word[i];
  const u32 per = 4 / bytes;
  return v->word[i / per] >> (8 * bytes * (i % per)) & (bytes == 2 ? 0xffffu : 0xffu);
}

HD_DEVICE struct vector vector_load(const void *from) {
  const uint4 v = load16(from);
  const struct vector loaded = {{v.x, v.y, v.z, v.w}};
  return loaded;
}

/* The elements from number e on of an array that has `count`; others are zero. `bytes` is a constant. */
HD_DEVICE struct vector vector_load_some(const u8 *array, i64 e, u32 bytes, i64 count) {
  struct vector v = {{0, 0, 0, 0}};
#pragma unroll
  for (u32 i = 0; i < 16 / bytes; i++) {
    const i64 at = e + (i64)i;
    if (at < 0 || at >= count) continue;
    const u8 *from = array + at * (i64)bytes;
    if (bytes == 16) {
      v = vector_load(from);
    } else if (bytes == 8) {
      const uint2 pair = load8(from);
      v.word[2 * i % 4] = pair.x, v.word[(2 * i + 1) % 4] = pair.y;
    } else {
      const u32 per = 4 / bytes, shift = 8 * bytes * (i % per);
      v.word[i / per % 4] |= (bytes == 4   ? load4(from)
                              : bytes == 2 ? load2(from)
                                           : load1(from))
                             << shift;
    }
  }
  return v;
}

/* ---- tiles ----------------------------------------------------------------------------------- */

struct select_tile {
  i64 first; /* the number of its first element: below zero where the array begins between vectors */
  bool whole; /* all its elements are there */
};

HD_DEVICE struct select_tile tile_find(const struct select_args *a, u32 t) {
  struct select_tile tile;
  tile.first = (i64)((u64)t * SELECT_TILE) - (i64)(a->of % 16 / HEDDLE_KEY_BYTES);
  tile.whole = tile.first >= 0 && tile.first + SELECT_TILE <= (i64)a->count;
  return tile;
}

/* Where in a tile elements of the array begin and end. */
HD_DEVICE u32 tile_begin(const struct select_tile *tile) {
  return tile->first < 0 ? (u32)-tile->first : 0u;
}
HD_DEVICE u32 tile_end(const struct select_args *a, const struct select_tile *tile) {
  const i64 left = (i64)a->count - tile->first;
  return left < SELECT_TILE ? (u32)left : SELECT_TILE;
}

/* Where in a tile the thread's vector j begins; warps that have none are beyond the end. */
HD_DEVICE u32 key_place(u32 j) {
  return (threadIdx.x / 32 * (32 * KEY_ROWS) + 32 * j + threadIdx.x % 32) * KEY_VECTOR;
}

struct key_vectors {
  struct vector row[KEY_ROWS];
};

HD_DEVICE void thread_load_keys(const struct select_args *a, const struct select_tile *tile,
                                struct key_vectors *keys) {
  const u8 *of = (const u8 *)a->of;
#pragma unroll
  for (u32 j = 0; j < KEY_ROWS; j++) {
    const i64 e = tile->first + key_place(j);
    if (KEY_VECTORS < HEDDLE_THREADS && key_place(j) >= SELECT_TILE) continue;
    if (tile->whole)
      keys->row[j] = vector_load(of + e * HEDDLE_KEY_BYTES);
    else
      keys->row[j] = vector_load_some(of, e, HEDDLE_KEY_BYTES, (i64)a->count);
  }
}

/* ---- flags ----------------------------------------------------------------------------------- */

#if HEDDLE_RUNS

HD_DEVICE select_key key_of(const struct select_test *test, select_key x) {
#if HEDDLE_ORDER == 0
  return (void)test, x;
#else
  const select_key infinity = (select_key)test->infinity;
  if ((x & ~KEY_SIGN) > infinity) return infinity + 1;
  return x == KEY_SIGN ? 0 : x;
#endif
}

/* The key of the element before number e, or of none. By one lane. */
HD_DEVICE select_key key_before(const struct select_args *a, i64 e) {
  const key_bits *of = (const key_bits *)a->of;
  if (e > 0 && e <= (i64)a->count) return key_of(&a->test, of[e - 1]);
  return e <= 0 && a->left ? key_of(&a->test, *(const key_bits *)a->left) : 0;
}

/* Of the thread's first element in a tile, for lane 0. */
HD_DEVICE select_key tile_key_before(const struct select_args *a, const struct select_tile *tile) {
  return threadIdx.x % 32 ? 0 : key_before(a, tile->first + key_place(0));
}

/* All lanes arrive, with neighbouring vectors. *before: the key before the warp's first element, then before the
 * next vectors. */
HD_DEVICE u32 warp_vector_flags(const struct select_args *a, const struct vector *v,
                                select_key *before) {
  const select_key last =
      key_of(&a->test, (select_key)vector_element(v, KEY_VECTOR - 1, HEDDLE_KEY_BYTES));
  const select_key other = __shfl_up_sync(HD_ALL, last, 1);
  select_key left = threadIdx.x % 32 ? other : *before;
  u32 flags = 0;
  *before = __shfl_sync(HD_ALL, last, 31);
#pragma unroll
  for (u32 i = 0; i < KEY_VECTOR; i++) {
    const select_key x = key_of(&a->test, (select_key)vector_element(v, i, HEDDLE_KEY_BYTES));
    flags |= (u32)(x != left) << i;
    left = x;
  }
  return flags;
}

/* Where an array begins its first element has no left neighbour, or one that is told. */
HD_DEVICE u32 first_flag(const struct select_args *a, i64 e, const struct vector *v, u32 flags) {
  if (e > 0 || e + KEY_VECTOR <= 0) return flags;
  const u32 i = (u32)-e;
  u32 differs = 1;
  if (a->left) {
    select_key x = 0;
#pragma unroll
    for (u32 k = 0; k < KEY_VECTOR; k++)
      if (k == i) x = (select_key)vector_element(v, k, HEDDLE_KEY_BYTES);
    differs = key_of(&a->test, x) != key_before(a, 0);
  }
  return (flags & ~(1u << i)) | differs << i;
}

#elif HEDDLE_TEST >= 0

HD_DEVICE bool test_element(u64 bits) {
#if HEDDLE_TEST == HD_U8 || HEDDLE_TEST == HD_U16 || HEDDLE_TEST == HD_U32 || HEDDLE_TEST == HD_U64
  return heddle_test((key_bits)bits);
#elif HEDDLE_TEST == HD_I8
  return heddle_test((signed char)bits);
#elif HEDDLE_TEST == HD_I16
  return heddle_test((short)bits);
#elif HEDDLE_TEST == HD_I32
  return heddle_test((i32)bits);
#elif HEDDLE_TEST == HD_I64
  return heddle_test((i64)bits);
#elif HEDDLE_TEST == HD_F16
  return heddle_test(f32_of_f16((u16)bits));
#elif HEDDLE_TEST == HD_BF16
  return heddle_test(__uint_as_float((u32)bits << 16));
#elif HEDDLE_TEST == HD_F32
  return heddle_test(__uint_as_float((u32)bits));
#else
  return heddle_test(__longlong_as_double((i64)bits));
#endif
}

HD_DEVICE u32 vector_flags(const struct select_test *test, const struct vector *v) {
  u32 flags = 0;
  (void)test;
#pragma unroll
  for (u32 i = 0; i < KEY_VECTOR; i++)
    flags |= (u32)test_element(vector_element(v, i, HEDDLE_KEY_BYTES)) << i;
  return flags;
}

#else

/* Whether an element's key is in the interval. Of narrow ones what is below is far above. */
HD_DEVICE bool test_interval(const struct select_test *test, select_key x) {
#if HEDDLE_ORDER == 0
  x ^= (select_key)test->flip;
#else
  x ^= x & KEY_SIGN ? KEY_ALL : KEY_SIGN;
#endif
  return (select_key)(x - (select_key)test->low) <= (select_key)test->span;
}

HD_DEVICE u32 vector_flags(const struct select_test *test, const struct vector *v) {
  u32 flags = 0;
#pragma unroll
  for (u32 i = 0; i < KEY_VECTOR; i++)
    flags |= (u32)test_interval(test, (select_key)vector_element(v, i, HEDDLE_KEY_BYTES)) << i;
  return test->invert ? flags ^ (u32)((1ull << KEY_VECTOR) - 1) : flags;
}

#endif

/* Those of a vector's elements that are there. */
HD_DEVICE u32 flags_there(const struct select_args *a, i64 e, u32 flags) {
  const i64 left = (i64)a->count - e;
  if (e < 0) flags = e + KEY_VECTOR <= 0 ? 0 : flags >> -e << -e;
  if (left < KEY_VECTOR) flags = left <= 0 ? 0 : flags & ((1u << left) - 1);
  return flags;
}

#if !HEDDLE_RUNS
HD_DEVICE select_key tile_key_before(const struct select_args *a, const struct select_tile *tile) {
  return (void)a, (void)tile, 0;
}
#endif

struct tile_flags {
  u32 row[KEY_ROWS];
};

/* All threads of whole warps arrive; of runs, lane 0 with the key before its first element. Of a thread's vector
 * beyond the tile there are none. */
HD_DEVICE void warp_tile_flags(const struct select_args *a, const struct select_tile *tile,
                               const struct key_vectors *keys, select_key before,
                               struct tile_flags *flags) {
  if (KEY_VECTORS < HEDDLE_THREADS && key_place(0) >= SELECT_TILE) { /* the whole warp */
    flags->row[0] = 0;
    return;
  }
  (void)before;
#pragma unroll
  for (u32 j = 0; j < KEY_ROWS; j++) {
    const i64 e = tile->first + key_place(j);
#if HEDDLE_RUNS
    u32 set = warp_vector_flags(a, &keys->row[j], &before);
    set = first_flag(a, e, &keys->row[j], set);
#else
    u32 set = vector_flags(&a->test, &keys->row[j]);
#endif
    flags->row[j] = tile->whole ? set : flags_there(a, e, set);
  }
}

#endif

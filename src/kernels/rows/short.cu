/* short.cu - one result a row of rows that are shorter than a warp is wide, a thread each, out of
 * shared memory
 *
 * Result   out.value[r], the fold of row r with the bits of the plain call on it
 * Defines  order/device/total.h's, TOTAL_KIND up to HD_TOTAL_BOOL; HEDDLE_SEGMENTS 0;
 *          HEDDLE_STRIDED 0; HEDDLE_ROWS: rows of a thread; HEDDLE_TIGHT 1: no dot, and rows lie one
 *          behind the other; HEDDLE_PADDED 1: length is even; HEDDLE_OUT: the type of results;
 *          HEDDLE_INIT 1: they begin with init
 * Launch   any number of blocks of 256; they take tiles of HEDDLE_ROWS * 256 rows in turn
 * Memory   dynamic shared: a tile's totals, rows `pitch` apart, which is odd, so that the rows of a
 *          warp's threads begin at different banks
 * Method   Neighbouring threads load neighbouring elements, then each folds rows of its own.
 * Order    v1, rule 5
 * Limits   view.dims is 1; length < 2^CUT_BITS
 * Source   docs/order.md, rules 5 and 11 */
#define COUNTER_LEVELS 4
#include "finish.h"
#include "order/device/thread_counter.h"

#define THREADS 256
#define TILE_ROWS (HEDDLE_ROWS * THREADS)
#define AT_ONCE 8   /* loads of a thread on their way */
#define CUT_BITS 20 /* of a reciprocal of length: a tile has at most 2^CUT_BITS / length elements */

#define PER (16 / ELEMENT_BYTES)
#define VECTORS 3 /* of a thread on their way */

extern __shared__ total short_shared[];

/* The row of a tile's element. */
HD_DEVICE u32 short_row(const struct rows_short_args *a, u32 e) {
  return (u32)((u64)e * a->cut >> CUT_BITS);
}

/* Elements of `rows` rows from row r on; all threads arrive. */
HD_DEVICE void block_fetch(const struct rows_short_args *a, u64 r, u32 rows) {
  const u32 length = (u32)a->fold.view.length, count = rows * length;
  const i64 stride = a->fold.view.stride[0], start = (i64)(r + a->fold.view.first) * stride;
#pragma unroll 1
  for (u32 first = threadIdx.x; first < count; first += AT_ONCE * THREADS) {
    total x[AT_ONCE];
    u32 to[AT_ONCE];
#pragma unroll
    for (u32 i = 0; i < AT_ONCE; i++) {
      const u32 e = first + i * THREADS < count ? first + i * THREADS : count - 1;
      const u32 row = short_row(a, e), k = e - row * length;
      x[i] = row_element(&a->fold.from, start + (i64)row * stride + k, k);
      to[i] = row * a->pitch + k;
    }
#pragma unroll
    for (u32 i = 0; i < AT_ONCE; i++)
      if (first + i * THREADS < count) short_shared[to[i]] = x[i];
  }
}

#if HEDDLE_TIGHT
/* PER elements from number e on. */
HD_DEVICE void thread_keep(const struct rows_short_args *a, u32 e, const u32 *words) {
#if HEDDLE_PADDED
  const u32 length = (u32)a->fold.view.length, row = short_row(a, e);
  u32 at = e + row, left = length - (e - row * length); /* of the row */
#pragma unroll
  for (u32 j = 0; j < PER; j++) {
    short_shared[at] = total_of(word_element(words, (int)j));
    at += --left ? 1 : 2;
    if (!left) left = length;
  }
#else
  (void)a;
#pragma unroll
  for (u32 j = 0; j < PER; j++) short_shared[e + j] = total_of(word_element(words, (int)j));
#endif
}

/* Those of them that are the tile's. */
HD_DEVICE void thread_keep_some(const struct rows_short_args *a, const element *in, i32 e,
                                i32 count) {
#pragma unroll 1
  for (i32 j = e; j < e + PER && j < count; j++)
    if (j >= 0)
      short_shared[(u32)j + (HEDDLE_PADDED ? short_row(a, (u32)j) : 0)] =
          total_of(row_load(in + j));
}

/* The same where rows lie one behind the other: 16 bytes at a time, from the multiple of 16 at or
 * below the first element on. */
HD_DEVICE void block_fetch_tight(const struct rows_short_args *a, u64 r, u32 rows) {
  const u32 length = (u32)a->fold.view.length;
  const i32 count = (i32)(rows * length);
  const element *in = a->fold.from.x + (r + a->fold.view.first) * length;
  const i32 head = (i32)((u64)in % 16 / ELEMENT_BYTES);
#pragma unroll 1
  for (i32 first = (i32)threadIdx.x * PER - head; first < count; first += VECTORS * THREADS * PER) {
    u32 words[VECTORS][4];
#pragma unroll
    for (i32 i = 0; i < VECTORS; i++) {
      const i32 e = first + i * THREADS * PER;
      if (e >= 0 && e + PER <= count) load_words(in + e, 16, 16, words[i]);
    }
#pragma unroll
    for (i32 i = 0; i < VECTORS; i++) {
      const i32 e = first + i * THREADS * PER;
      if (e >= 0 && e + PER <= count)
        thread_keep(a, (u32)e, words[i]);
      else
        thread_keep_some(a, in, e, count);
    }
  }
}
#endif

/* Rule 5: the aligned blocks that tile the row, biggest first. */
HD_DEVICE total thread_short_row(const total *x, u32 length) {
  struct thread_counter eights;
  eights.count = 0;
#pragma unroll 1
  for (u32 left = length; left >= 8; left -= 8, x += 8) {
    const total low = total_op(total_op(x[0], x[1]), total_op(x[2], x[3]));
    const total high = total_op(total_op(x[4], x[5]), total_op(x[6], x[7]));
    thread_counter_push(&eights, total_op(low, high), COUNTER_LEVELS);
  }
  total acc = thread_counter_fold(&eights, total_identity(), COUNTER_LEVELS);
  if (length & 4) {
    acc = total_op(acc, total_op(total_op(x[0], x[1]), total_op(x[2], x[3])));
    x += 4;
  }
  if (length & 2) {
    acc = total_op(acc, total_op(x[0], x[1]));
    x += 2;
  }
  return length & 1 ? total_op(acc, x[0]) : acc;
}

/* A division takes registers, which a compiler that is told nothing puts into memory on sm_100. */
#if HEDDLE_QUOTIENT
#define SHORT_BOUNDS __launch_bounds__(THREADS, 4)
#else
#define SHORT_BOUNDS __launch_bounds__(THREADS)
#endif

HD_KERNEL SHORT_BOUNDS heddle_fold_rows_short(const struct rows_short_args a) {
  const u64 all = a.fold.view.rows, length = a.fold.view.length;
  struct row_out out = a.fold.out;
  out.type = HEDDLE_OUT, out.has_init = HEDDLE_INIT; /* constants */
#pragma unroll 1
  for (u64 r = blockIdx.x * (u64)TILE_ROWS; r < all; r += gridDim.x * (u64)TILE_ROWS) {
    const u32 rows = all - r < TILE_ROWS ? (u32)(all - r) : TILE_ROWS;
#if HEDDLE_TIGHT
    block_fetch_tight(&a, r, rows);
#else
    block_fetch(&a, r, rows);
#endif
    __syncthreads(); /* the tile is there */
#pragma unroll 1
    for (u32 row = threadIdx.x; row < rows; row += THREADS)
      row_finish(thread_short_row(short_shared + row * a.pitch, (u32)length), length, r + row, &out,
                 &a.ends);
    __syncthreads(); /* every row is read */
  }
}

/* rows.h - rows of a group in their order: loaded, and folded by one thread
 *
 * Result   struct sums          totals of HEDDLE_VECTOR neighbouring columns
 *          thread_load          one row's
 *          thread_fold_rows     a group's next rows onto totals, fewer than a chunk (rule 5)
 *          group_finish         the results of a group
 * Defines  order/device/total.h's, HEDDLE_VERB HD_REDUCE, no custom operator; HEDDLE_VECTOR 1, 2 or 4: of as many columns
 *          x and out are aligned; HEDDLE_ORDER_BYTES 4 or 8, of positions, or 0: rows are in order;
 *          HEDDLE_OUT: the type of results; COUNTER_LEVELS
 * Who      any thread, on its own
 * Source   docs/order.md, rules 3 to 5, 7 and 12 */
#ifndef HEDDLE_KERNELS_GROUPS_ROWS_H
#define HEDDLE_KERNELS_GROUPS_ROWS_H

#include "order/device/result.h"
#include "order/device/thread_counter.h"

#include "kernels/base/device.h"

#include "fold_args.h" /* needs their types */

#define VECTOR HEDDLE_VECTOR
#define BATCH (VECTOR == 1 ? 16 : 8) /* rows that are loaded at once */

struct sums {
  total of[VECTOR];
};

struct group_rows {
  const element *x; /* the thread's first column of row 0 */
  const void *order;
  u64 width;
};

HD_DEVICE struct group_rows group_rows_of(const struct groups_fold_args *a, u64 column) {
  struct group_rows rows;
  rows.x = (const element *)a->x + column;
  rows.order = (const void *)a->order;
  rows.width = a->width;
  return rows;
}

/* How many groups are long, and their pieces: what the host knows, or the device alone. */
HD_DEVICE u64 long_count(const struct groups_fold_args *a) {
  return a->found ? ((const struct groups_found *)a->found)->listed >> 32 : a->long_count;
}
HD_DEVICE u64 piece_count(const struct groups_fold_args *a) {
  return a->found ? ((const struct groups_found *)a->found)->listed & 0xffffffffu : a->pieces;
}

/* Which row is the i-th in the order of groups. */
HD_DEVICE u64 row_at(const struct group_rows *rows, u64 i) {
#if HEDDLE_ORDER_BYTES == 8
  return ((const u64 *)rows->order)[i];
#elif HEDDLE_ORDER_BYTES == 4
  return ((const u32 *)rows->order)[i];
#else
  return i;
#endif
}

HD_DEVICE struct sums thread_load(const struct group_rows *rows, u64 row) {
  u32 words[4];
  struct sums s;
  load_words(rows->x + row * rows->width, VECTOR * ELEMENT_BYTES, VECTOR * ELEMENT_BYTES, words);
#pragma unroll
  for (int v = 0; v < VECTOR; v++) s.of[v] = total_of(word_element(words, v));
  return s;
}

HD_DEVICE struct sums sums_identity(void) {
  struct sums s;
#pragma unroll
  for (int v = 0; v < VECTOR; v++) s.of[v] = total_identity();
  return s;
}

HD_DEVICE struct sums sums_op(struct sums a, struct sums b) {
#pragma unroll
  for (int v = 0; v < VECTOR; v++) a.of[v] = total_op(a.of[v], b.of[v]);
  return a;
}

/* BATCH rows `apart` from each other, of which those below n are there; others are the identity. */
HD_DEVICE void thread_load_batch(struct sums *x, const struct group_rows *rows, u64 i, u64 apart,
                                 u32 n) {
  u64 row[BATCH];
#pragma unroll
  for (u32 r = 0; r < BATCH; r++) row[r] = r < n ? row_at(rows, i + r * apart) : 0;
#pragma unroll
  for (u32 r = 0; r < BATCH; r++) x[r] = r < n ? thread_load(rows, row[r]) : sums_identity();
}

/* Neighbours (rule 3): x[0] of two, four and so on up to `size` of them, in the places of the first. */
HD_DEVICE void thread_pairs(struct sums *x, u32 from, u32 size) {
#pragma unroll
  for (u32 h = from; h < size; h *= 2)
#pragma unroll
    for (u32 r = 0; r + h < BATCH; r += 2 * h) x[r] = sums_op(x[r], x[r + h]);
}

/* acc op x[at], if n has the bit; `at` is a multiple of `step`, which are constants but for it. */
HD_DEVICE struct sums thread_digit(struct sums acc, const struct sums *x, u32 n, u32 size) {
  const u32 at = n & ~(2 * size - 1);
  struct sums t = x[0];
  if (!(n & size)) return acc;
#pragma unroll
  for (u32 r = 2 * size; r + size < BATCH; r += 2 * size)
    if (r == at) t = x[r];
  return sums_op(acc, t);
}

/* acc op n < BATCH rows: biggest blocks first. Blocks of one row are looked at before those of two take
 * their places. */
HD_DEVICE struct sums thread_fold_few(struct sums acc, const struct group_rows *rows, u64 i,
                                      u32 n) {
  struct sums x[BATCH], one, two, none = sums_identity();
  thread_load_batch(x, rows, i, 1, n);
  one = thread_digit(none, x, n, 1);
  thread_pairs(x, 1, 2);
  two = thread_digit(none, x, n, 2);
  thread_pairs(x, 2, 4);
#if BATCH == 16
  const struct sums four = thread_digit(none, x, n, 4);
  thread_pairs(x, 4, 8);
  acc = thread_digit(acc, x, n, 8);
  if (n & 4) acc = sums_op(acc, four);
#else
  acc = thread_digit(acc, x, n, 4);
#endif
  if (n & 2) acc = sums_op(acc, two);
  if (n & 1) acc = sums_op(acc, one);
  return acc;
}

struct sums_counter {
  struct thread_counter of[VECTOR];
};
HD_DEVICE void sums_counter_begin(struct sums_counter *c) {
#pragma unroll
  for (int v = 0; v < VECTOR; v++) c->of[v].count = 0;
}
HD_DEVICE void sums_counter_push(struct sums_counter *c, struct sums t, u32 levels) {
#pragma unroll
  for (int v = 0; v < VECTOR; v++) thread_counter_push(&c->of[v], t.of[v], levels);
}
HD_DEVICE struct sums sums_counter_fold(const struct sums_counter *c, struct sums acc, u32 levels) {
#pragma unroll
  for (int v = 0; v < VECTOR; v++) acc.of[v] = thread_counter_fold(&c->of[v], acc.of[v], levels);
  return acc;
}

/* acc op rows i .. i + n - 1 of the order, fewer than BATCH << levels. */
HD_DEVICE struct sums thread_fold_rows(struct sums acc, const struct group_rows *rows, u64 i, u32 n,
                                       u32 levels) {
  struct sums_counter blocks;
  sums_counter_begin(&blocks);
#pragma unroll 1
  for (; n >= BATCH; n -= BATCH, i += BATCH) {
    struct sums x[BATCH];
    thread_load_batch(x, rows, i, 1, BATCH);
    thread_pairs(x, 1, BATCH);
    sums_counter_push(&blocks, x[0], levels);
  }
  acc = sums_counter_fold(&blocks, acc, levels);
  return n ? thread_fold_few(acc, rows, i, n) : acc;
}

/* ---- results --------------------------------------------------------------------------------- */

#define OUT_BYTES                                                             \
  (HEDDLE_OUT == HD_U8 || HEDDLE_OUT == HD_I8                             ? 1 \
   : HEDDLE_OUT == HD_U64 || HEDDLE_OUT == HD_I64 || HEDDLE_OUT == HD_F64 ? 8 \
   : HEDDLE_OUT == HD_U32 || HEDDLE_OUT == HD_I32 || HEDDLE_OUT == HD_F32 ? 4 \
                                                                          : 2)

/* VECTOR results, of which out is aligned to a multiple of as many bytes up to 16. */
HD_DEVICE void thread_put(u8 *out, const u8 *results) {
  enum { BYTES = VECTOR * OUT_BYTES };
  if (BYTES >= 16) {
#pragma unroll
    for (int i = 0; i < BYTES / 16; i++) ((uint4 *)out)[i] = ((const uint4 *)results)[i];
  } else if (BYTES == 8) {
    *(uint2 *)out = *(const uint2 *)results;
  } else if (BYTES == 4) {
    *(u32 *)out = *(const u32 *)results;
  } else if (BYTES == 2) {
    *(u16 *)out = *(const u16 *)results;
  } else {
    *out = *results;
  }
}

/* The results of group g, of `rows` rows, in columns from `column` on. */
HD_DEVICE void group_finish(const struct groups_fold_args *a, struct sums t, u64 rows, u64 g,
                            u64 column) {
  alignas(16) u8 results[VECTOR * OUT_BYTES < 16 ? 16 : VECTOR * OUT_BYTES];
#pragma unroll
  for (int v = 0; v < VECTOR; v++) {
    total r = t.of[v];
    if (a->has_init) r = total_op(a->ends.init, r);
#if HEDDLE_OP == HD_OP_SUM
    if (!rows && !a->has_init) r = (total)0; /* rule 7: not -0.0 */
#endif
    store_result(r, a->divisor, HEDDLE_OUT, results + v * OUT_BYTES);
  }
  (void)rows;
  thread_put((u8 *)a->out + (g * a->width + column) * OUT_BYTES, results);
}

#endif

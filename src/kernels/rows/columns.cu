/* columns.cu - one result a row where neighbours in memory belong to neighbouring rows: along
 * the outer axis of a matrix
 *
 * Result   out.value[r] (and index[r]), the fold of row r with the bits of the plain call on it
 * Defines  order/device/total.h's, TOTAL_KIND up to HD_TOTAL_ARG; HEDDLE_SEGMENTS 0,
 *          HEDDLE_STRIDED 1
 * Kernels  heddle_fold_rows_per_thread      parts == 0: whole rows. parts > 0: the totals of
 *          2^level chunks
 *          heddle_fold_rows_per_thread_end  parts > 0: rows of such totals, and what they leave
 *          over
 * Launch   blocks of 128. The first: a warp for each 32 rows and part, parts outermost
 * Memory   slots: parts x rows totals
 * Method   A thread folds a row of its own, so that a load of the warp is of 32 neighbours. The
 *          columns of a chunk are not held side by side: they are folded one after the other in the
 *          order of their numbers' reversed bits, in which rule 2's halves are neighbours.
 * Order    v1, anchored at the row's start
 * Limits   fewer than 2^COUNTER_LEVELS chunks in a part or a whole row, and as many parts
 * Source   docs/order.md, rules 2 to 5 and 11 */
#define COUNTER_LEVELS 16
#include "finish.h"
#include "order/device/thread_counter.h"

#ifdef TOTAL_LANES
#define COLUMNS TOTAL_LANES
#else /* any association gives the same bits */
#define COLUMNS 128
#endif
#define ROW_CHUNK (16 * COLUMNS)
#define BLOCK 16 /* elements of a tail that are loaded at once */
/* Blocks that a multiprocessor has room for: a compiler that is not told puts loop variables into
 * memory to have room for one more. */
#if TOTAL_KIND == HD_TOTAL_ARG
#define COLUMN_BLOCKS 3
#elif TOTAL_KIND == HD_TOTAL_F64
#define COLUMN_BLOCKS 4
#else
#define COLUMN_BLOCKS 5
#endif

/* Sixteen elements `apart` from each other. */
HD_DEVICE void thread_load(total *x, const struct row_source *from, i64 at, u64 index, u64 apart) {
#pragma unroll
  for (int i = 0; i < 16; i++)
    x[i] = row_element(from, at + (i64)(i * apart) * from->step, index + i * apart);
}

/* Rule 2. */
HD_DEVICE total thread_chunk(const struct row_source *from, i64 at, u64 index) {
  struct thread_counter columns;
  columns.count = 0;
  total t = total_identity();
#pragma unroll 1
  for (u32 i = 0; i < COLUMNS; i++) {
    const u32 column = __brev(i) / (0x80000000u / (COLUMNS / 2));
    total x[16];
    thread_load(x, from, at + (i64)column * from->step, index + column, COLUMNS);
    t = x[0];
#pragma unroll
    for (int r = 1; r < 16; r++) t = total_op(t, x[r]);
    thread_counter_push(&columns, t, 8);
  }
  return thread_counter_fold(&columns, total_identity(), 8);
}

/* Neighbours (rule 3). */
HD_DEVICE total thread_two(const total *x) { return total_op(x[0], x[1]); }
HD_DEVICE total thread_four(const total *x) { return total_op(thread_two(x), thread_two(x + 2)); }
HD_DEVICE total thread_eight(const total *x) {
  return total_op(thread_four(x), thread_four(x + 4));
}

/* acc op the next `size` of 1, 2, 4 or 8 elements, if n has that bit. */
HD_DEVICE total thread_digit(total acc, const struct row_source *from, i64 *at, u64 *index, u32 n,
                             u32 size) {
  total x[8];
  if (!(n & size)) return acc;
#pragma unroll
  for (int i = 0; i < 8; i++)
    x[i] = row_element(from, *at + (i < (int)size ? i : 0) * from->step, *index + (u32)i);
  *at += (i64)size * from->step;
  *index += size;
  if (size == 8) return total_op(acc, thread_eight(x));
  if (size == 4) return total_op(acc, thread_four(x));
  return total_op(acc, size == 2 ? thread_two(x) : x[0]);
}

/* acc op n < ROW_CHUNK elements (rule 5). */
HD_DEVICE total thread_tail(total acc, const struct row_source *from, i64 at, u64 index, u32 n) {
  struct thread_counter blocks;
  blocks.count = 0;
#pragma unroll 1
  for (; n >= BLOCK; n -= BLOCK, index += BLOCK, at += BLOCK * from->step) {
    total x[16];
    thread_load(x, from, at, index, 1);
    thread_counter_push(&blocks, total_op(thread_eight(x), thread_eight(x + 8)), 7);
  }
  acc = thread_counter_fold(&blocks, acc, 7);
  acc = thread_digit(acc, from, &at, &index, n, 8);
  acc = thread_digit(acc, from, &at, &index, n, 4);
  acc = thread_digit(acc, from, &at, &index, n, 2);
  return thread_digit(acc, from, &at, &index, n, 1);
}

/* acc op elements [index, end) of the row at `start`; index is a multiple of ROW_CHUNK. */
HD_DEVICE total thread_rest(total acc, const struct row_source *from, i64 start, u64 index,
                            u64 end) {
  struct thread_counter chunks;
  chunks.count = 0;
#pragma unroll 1
  for (; end - index >= ROW_CHUNK; index += ROW_CHUNK)
    thread_counter_push(&chunks, thread_chunk(from, start + (i64)index * from->step, index),
                        COUNTER_LEVELS);
  acc = thread_counter_fold(&chunks, acc, COUNTER_LEVELS);
  return thread_tail(acc, from, start + (i64)index * from->step, index, (u32)(end - index));
}

HD_KERNEL __launch_bounds__(128, COLUMN_BLOCKS)
    heddle_fold_rows_per_thread(const struct rows_parts_args a) {
  const u32 level = (u32)a.level;
  const u64 rows = a.fold.view.rows, parts = a.parts;
  const struct row_source from = a.fold.from; /* a copy: fewer registers */
  const u64 groups = (rows + 31) / 32, unit = blockIdx.x * 4ull + threadIdx.x / 32;
  const u64 part = unit / groups, r = (unit - part * groups) * 32 + threadIdx.x % 32;
  if (r >= rows || part > (parts ? parts - 1 : 0)) return;
  const struct row_place place = row_at(&a.fold.view, r);
  if (!parts) {
    const total t = thread_rest(total_identity(), &from, place.start, 0, place.length);
    row_finish(t, place.length, r, &a.fold.out, &a.ends);
    return;
  }
  struct thread_counter chunks;
  chunks.count = 0;
  u64 index = (part << level) * ROW_CHUNK;
#pragma unroll 1
  for (u32 i = 0; i < 1u << level; i++, index += ROW_CHUNK)
    thread_counter_push(&chunks, thread_chunk(&from, place.start + (i64)index * from.step, index),
                        COUNTER_LEVELS);
  a.slots[part * rows + r] = thread_counter_fold(&chunks, total_identity(), COUNTER_LEVELS);
}

HD_KERNEL __launch_bounds__(128, COLUMN_BLOCKS)
    heddle_fold_rows_per_thread_end(const struct rows_parts_args a) {
  const u64 r = blockIdx.x * 128ull + threadIdx.x, rows = a.fold.view.rows, parts = a.parts;
  const struct row_source from = a.fold.from;
  if (r >= rows) return;
  const struct row_place place = row_at(&a.fold.view, r);
  struct thread_counter c;
  c.count = 0;
#pragma unroll 1
  for (u64 p = 0; p < parts; p++) thread_counter_push(&c, a.slots[p * rows + r], COUNTER_LEVELS);
  const total acc = thread_counter_fold(&c, total_identity(), COUNTER_LEVELS);
  const u64 index = (parts << (u32)a.level) * ROW_CHUNK;
  row_finish(thread_rest(acc, &from, place.start, index, place.length), place.length, r,
             &a.fold.out, &a.ends);
}

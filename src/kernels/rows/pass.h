/* pass.h - up to 32 neighbouring segments that a warp folds out of shared memory
 *
 * Result   warp_pass_count, warp_pass_plan  which rows come next
 *          warp_pass_fetch                  their elements, to a stage
 *          warp_pass_take                   to each lane's own total, what its row has there: all
 *                                           that is behind its last full chunk, by one pass or
 *                                           several
 * Defines  as fold.h, for TOTAL_KIND below HD_TOTAL_ARG; HEDDLE_STAGES
 * Method   Neighbouring rows lie in one piece, whatever their lengths. A pass is as many of them as
 *          have 32 blocks of PASS_BLOCK elements; a bulk copy brings it to a stage. Then every
 *          lane folds a block, of whichever row; blocks of a row are neighbouring lanes, so that a
 *          tree of shuffles finds a row's aligned runs of blocks. At last a lane for each row folds
 *          those, biggest first, and what is less than a block. The tree of a row costs a thirtieth
 *          of what it would with a lane an element, and lanes are busy with rows of any length.
 *          A lane walks its block in an order of its own, i ^ c for i = 0, 1, ..: neighbouring
 *          lanes meet different banks, and a node of the tree has its operands changed round at
 *          most.
 * Who      all lanes of the warp arrive
 * Limits   sm_90 and up: bulk copies
 * Source   docs/order.md, rule 5; Blelloch 1990 */
#ifndef HEDDLE_KERNELS_ROWS_PASS_H
#define HEDDLE_KERNELS_ROWS_PASS_H

#include "fold.h"
#include "kernels/base/device_bulk.h"

/* A row of PASS_HALF elements or more behind its last chunk has them folded first, as one block. */
#define PASS_HALF (ELEMENT_BYTES == 8 ? 512 : 1024)
#define PASS_BLOCK (PASS_HALF / 32)
#define PASS_ELEMENTS (PASS_HALF + PASS_HALF / 8)
#define PASS_ARRAYS (HEDDLE_VERB == HD_DOT ? 2 : 1)
#define PASS_ALIGN 128 /* of addresses and sizes of copies: with 16 they are slower */
#define PASS_STAGE     /* bytes of an array */ \
  ((PASS_ELEMENTS * ELEMENT_BYTES + 2 * PASS_ALIGN - 1) / PASS_ALIGN * PASS_ALIGN)
#if !TOTAL_COMMUTES
#error "a node of the tree may have its operands changed round"
#endif

extern __shared__ __align__(128) uint4 pass_shared[];

/* What a lane knows of its row. */
struct pass_row {
  i64 at;             /* of what is not yet in a pass */
  u32 left;           /* and its elements: fewer than a chunk */
  u32 blocks, before; /* below PASS_HALF: of this row, and of all lower lanes' */
  total acc;
};

/* A warp's stages. */
struct pass_ring {
  u8 *stage;
  u64 *filled;
  u32 turn;      /* passes fetched so far */
  i64 low, high; /* elements of the arrays that are there */
};

struct pass {
  i64 start;
  u32 elements, first, end; /* rows; end == first: PASS_HALF elements of row `first` */
};

/* ---- which rows, and to shared memory -------------------------------------------------------- */

/* Blocks of all lanes before one's own. */
HD_DEVICE void warp_pass_count(struct pass_row *row) {
  u32 sum = row->blocks = row->left % PASS_HALF / PASS_BLOCK;
#pragma unroll
  for (u32 h = 1; h < 32; h *= 2) {
    const u32 t = __shfl_up_sync(HD_ALL, sum, h);
    if (warp_lane() >= h) sum += t;
  }
  row->before = sum - row->blocks;
}

/* The next pass, of rows `from` and on; false if nothing is left. */
HD_DEVICE bool warp_pass_plan(struct pass_row *row, u32 from, struct pass *p) {
  const u32 some = __ballot_sync(HD_ALL, row->left && warp_lane() >= from);
  if (!some) return false;
  p->first = (u32)__ffs((int)some) - 1;
  p->start = __shfl_sync(HD_ALL, row->at, (int)p->first);
  if (__shfl_sync(HD_ALL, row->left, (int)p->first) >= PASS_HALF) {
    p->end = p->first;
    p->elements = PASS_HALF;
    if (warp_lane() == p->first) row->at += PASS_HALF, row->left -= PASS_HALF;
    return true;
  }
  const u32 base = __shfl_sync(HD_ALL, row->before, (int)p->first);
  const bool fits = row->left < PASS_HALF && row->before + row->blocks - base <= 32 &&
                    (u64)(row->at + row->left - p->start) <= PASS_ELEMENTS;
  const u32 over = ~__ballot_sync(HD_ALL, fits || !row->left || warp_lane() < p->first);
  p->end = over ? (u32)__ffs((int)over) - 1 : 32;
  const int last = 31 - __clz((int)(some & (p->end < 32 ? (1u << p->end) - 1 : HD_ALL)));
  p->elements = (u32)(__shfl_sync(HD_ALL, row->at + row->left, last) - p->start);
  return true;
}

/* One array of a pass to its part of the stage, elements where their address modulo PASS_ALIGN is
 * the same. At the ends of the array the bytes around an element are not all its own. */
HD_DEVICE void warp_pass_fetch_array(const struct pass_ring *ring, const struct pass *p,
                                     const element *x, u8 *stage, u64 *filled) {
  enum { AROUND = PASS_ALIGN / ELEMENT_BYTES };
  const element *first = x + p->start, *end = first + p->elements;
  const u64 before = (u64)first % PASS_ALIGN, behind = (0 - (u64)end) % PASS_ALIGN;
  if (p->start >= ring->low + AROUND && p->start + (i64)p->elements + AROUND <= ring->high) {
    if (warp_lane() == 0)
      bulk_fetch(stage, (const u8 *)first - before,
                 (u32)(before + p->elements * (u64)ELEMENT_BYTES + behind), filled);
    return;
  }
  for (u32 i = warp_lane(); i < p->elements; i += 32)
    ((element *)(void *)(stage + before))[i] = first[i];
  bulk_yield();
  __syncwarp(); /* all elements are there */
  if (warp_lane() == 0) signal_arrive(filled);
}

HD_DEVICE void warp_pass_fetch(struct pass_ring *ring, const struct row_source *from,
                               const struct pass *p) {
  const u32 s = ring->turn++ % HEDDLE_STAGES;
  u8 *stage = ring->stage + s * (PASS_ARRAYS * PASS_STAGE);
  __syncwarp(); /* nobody reads the stage any more */
  warp_pass_fetch_array(ring, p, from->x, stage, ring->filled + s);
#if HEDDLE_VERB == HD_DOT
  warp_pass_fetch_array(ring, p, from->y, stage + PASS_STAGE, ring->filled + s);
#endif
}

/* ---- out of shared memory -------------------------------------------------------------------- */

/* The arrays of a pass in its stage. */
struct pass_view {
  const element *x, *y;
};

HD_DEVICE total pass_element(const struct pass_view *v, u32 i) {
#if HEDDLE_VERB == HD_DOT
  return total_of_product(v->x[i], v->y[i]);
#else
  return total_of(v->x[i]);
#endif
}

/* The n = 2^k elements from `at` on, in the order i ^ c. */
HD_DEVICE total pass_tree(const struct pass_view *v, u32 at, u32 c, u32 n) {
  total t[PASS_BLOCK];
#pragma unroll
  for (u32 i = 0; i < PASS_BLOCK; i++)
    if (i < n) t[i] = pass_element(v, at + (i ^ c));
#pragma unroll
  for (u32 h = 1; h < PASS_BLOCK; h *= 2)
#pragma unroll
    for (u32 i = 0; i + h < PASS_BLOCK; i += 2 * h)
      if (i + h < n) t[i] = total_op(t[i], t[i + h]);
  return t[0];
}

/* acc op the first n < PASS_BLOCK elements from `at` on. */
HD_DEVICE total pass_rest(total acc, const struct pass_view *v, u32 at, u32 n) {
#pragma unroll
  for (u32 h = PASS_BLOCK / 2; h; h /= 2) {
    if (!(n & h)) continue;
    acc = total_op(acc, pass_tree(v, at, 0, h));
    at += h;
  }
  return acc;
}

/* The lane's own block of `blocks` blocks of a row, of which it has the j-th: afterwards the first
 * lane of every complete aligned run that is in no larger one holds its total. */
HD_DEVICE total warp_pass_runs(total t, u32 j, u32 blocks) {
#pragma unroll
  for (u32 h = 1; h < 32; h *= 2) {
    const total other = warp_down(t, h);
    if (!(j & (2 * h - 1)) && j + 2 * h <= blocks) t = total_op(t, other);
  }
  return t;
}

/* PASS_HALF elements, to every lane. */
HD_DEVICE total warp_pass_half(const struct pass_view *v) {
  const u32 j = warp_lane();
  return warp_tree(pass_tree(v, j * PASS_BLOCK, j % PASS_BLOCK, PASS_BLOCK), 5);
}

/* Blocks of the rows of a pass, of which the lane's own has its first element at `at`: to each row's total. */
HD_DEVICE void warp_pass_blocks(struct pass_row *row, const struct pass_view *v, u32 all,
                                u32 behind, u32 base, u32 at, bool mine) {
  const u32 q = base + warp_lane();
  u32 r = 0; /* the row of block q: so many have all their blocks before it */
#pragma unroll
  for (u32 h = 16; h; h /= 2)
    if (__shfl_sync(HD_ALL, behind, (int)(r + h - 1)) <= q) r += h;
  const u32 its = __shfl_sync(HD_ALL, row->before | row->blocks << 11 | at << 17, (int)r);
  const u32 j = q - (its & 2047u), blocks = its >> 11 & 63u;
  total t = total_identity();
  if (warp_lane() < all)
    t = pass_tree(v, (its >> 17) + j * PASS_BLOCK, warp_lane() % PASS_BLOCK, PASS_BLOCK);
  t = warp_pass_runs(t, j, blocks);
#pragma unroll 1 /* unrolled, it is more conditions at once than ptxas 13.0 has predicates for */
  for (u32 h = 16; h; h /= 2) {
    const u32 from = row->before - base + (row->blocks & ~(2 * h - 1));
    const total run = warp_from(t, from & 31u);
    if (mine && row->blocks & h) row->acc = total_op(row->acc, run);
  }
}

/* The rows of a pass. */
HD_DEVICE void warp_pass_fold(struct pass_row *row, const struct pass *p,
                              const struct pass_view *v) {
  const bool mine = warp_lane() >= p->first && warp_lane() < p->end && row->left;
  const u32 at = mine ? (u32)(row->at - p->start) : 0;
  const u32 base = __shfl_sync(HD_ALL, row->before, (int)p->first);
  const u32 behind = row->before + row->blocks;
  const u32 all = __shfl_sync(HD_ALL, behind, (int)p->end - 1) - base;
  if (all) warp_pass_blocks(row, v, all, behind, base, at, mine); /* rows may all be shorter */
  if (mine)
    row->acc = pass_rest(row->acc, v, at + row->blocks * PASS_BLOCK, row->left % PASS_BLOCK);
  __syncwarp(); /* lanes go on together */
}

/* The oldest pass that was fetched, `behind` passes before the last. */
HD_DEVICE void warp_pass_take(struct pass_ring *ring, const struct row_source *from,
                              struct pass_row *row, const struct pass *p, u32 behind) {
  const u32 n = ring->turn - 1 - behind, s = n % HEDDLE_STAGES;
  const u8 *stage = ring->stage + s * (PASS_ARRAYS * PASS_STAGE);
  struct pass_view v;
  v.x = (const element *)(const void *)(stage + ((u64)(from->x + p->start) % PASS_ALIGN));
  v.y = v.x;
#if HEDDLE_VERB == HD_DOT
  v.y = (const element *)(const void *)(stage + PASS_STAGE +
                                        ((u64)(from->y + p->start) % PASS_ALIGN));
#endif
  warp_signal_wait(ring->filled + s, n / HEDDLE_STAGES & 1u);
  if (p->end != p->first) {
    warp_pass_fold(row, p, &v);
    return;
  }
  const total t = warp_pass_half(&v);
  if (warp_lane() == p->first) row->acc = total_op(row->acc, t);
}

#endif

/* custom.cu - running totals by an operator of the caller's
 *
 * Result   heddle_scan_custom_totals    the totals of full chunks
 *          heddle_scan_custom_level     of pairs of them: one level of the tree of aligned blocks
 *          heddle_scan_custom_prefixes  what comes before each chunk, and behind the last full one
 *          heddle_scan_custom_outputs   the results of every chunk
 * Defines  as order/device/chunk_custom.h; HEDDLE_VERB is HD_REDUCE; HEDDLE_EXCLUSIVE 0 or 1;
 *          HEDDLE_INIT 1: every result is init op result
 * Launch   totals and outputs: blocks of whole warps, a chunk a warp; the others: a thread
 *          an item. Any number of blocks, one kernel after the other
 * Memory   Chunks have global numbers: those of the piece are first .. first + full, the last one
 *          partial. tree[k] holds blocks of 2^k of them from number first >> k on. Blocks that end
 *          before `first` are in slots (kernels/base/carry_slots.h).
 * Order    v1: rules 2 to 4 and 6. A prefix begins with its biggest block; only that of chunk 0 is
 *          the identity
 * Source   Blelloch 1990; src/cpu/scan/custom.c is the same on a CPU */
#include "order/device/chunk.h"

#include "custom_args.h" /* needs their types */

#define CUSTOM_ROWS (TOTAL_CHUNK / 32) /* of a warp: a power of two, 1 to 256 */
#define CUSTOM_ROW_LEVELS 9

/* Element 0 of a chunk of the piece: the first may be elsewhere, where held elements are in
 * front. */
HD_DEVICE const element *custom_chunk(const struct scan_custom_args *a, u64 chunk) {
  if (a->head && chunk == 0) return a->head;
  return (const element *)((const u8 *)a->in + (chunk * TOTAL_CHUNK - a->held) * sizeof(element));
}

HD_KERNEL heddle_scan_custom_totals(const struct scan_custom_args a) {
  const u64 chunk = ((u64)blockIdx.x * blockDim.x + threadIdx.x) / 32u;
  if (chunk >= a.full) return;
  const total t = warp_chunk_total(custom_chunk(&a, chunk), (const element *)0);
  if (warp_lane() == 0) a.tree[chunk] = t;
}

/* Block j of level k - 1, by its global number. */
HD_DEVICE total custom_block(const total *below, const total *slots, u64 first, int k, u64 j) {
  return j < first >> k ? slots[k] : below[j - (first >> k)];
}

/* Level a.level from the one below it: all blocks that end in the piece. */
HD_KERNEL heddle_scan_custom_level(const struct scan_custom_args a) {
  const int level = (int)a.level;
  const u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x, j = (a.first >> level) + at;
  if (j >= (a.first + a.full) >> level) return;
  a.above[at] = total_op(custom_block(a.below, a.slots, a.first, level - 1, 2 * j),
                         custom_block(a.below, a.slots, a.first, level - 1, 2 * j + 1));
}

/* prefix[i] comes before chunk first + i, i <= full. */
HD_KERNEL heddle_scan_custom_prefixes(const __grid_constant__ struct scan_custom_args a) {
  const u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x, chunk = a.first + at;
  bool any = false;
  total acc = a.ends.identity;
  if (at > a.full) return;
#pragma unroll 1 /* a custom operator may be long */
  for (int k = CUSTOM_LEVELS - 1; k >= 0; k--) {
    if (!(chunk >> k & 1u)) continue;
    const total t = custom_block(a.tree + a.starts[k], a.slots, a.first, k, (chunk >> k) - 1);
    acc = any ? total_op(acc, t) : t;
    any = true;
  }
  a.prefix[at] = acc;
}

/* ---- a chunk's results ----------------------------------------------------------------------- */

struct custom_counter {
  u32 rows;
  total start, block[CUSTOM_ROW_LEVELS], carry[CUSTOM_ROW_LEVELS];
};

/* Takes the next row's total and gives the carry behind it. */
HD_DEVICE total custom_push(struct custom_counter *counter, total t) {
  u32 level = 0, rest = counter->rows++;
  for (; rest & 1u; rest >>= 1) t = total_op(counter->block[level++], t);
  total left = counter->start;
  if (rest) {
    u32 above = level;
    for (; !(rest & 1u); rest >>= 1) above++;
    left = counter->carry[above];
  }
  counter->block[level] = t;
  return counter->carry[level] = total_op(left, t);
}

/* This lane's carry from that before the row, and *sum, the row's total. */
HD_DEVICE total warp_custom_row(total x, total before, total *sum) {
  total sibling[5];
#pragma unroll
  for (int k = 0; k < 5; k++) {
    sibling[k] = warp_xor(x, 1 << k);
    x = warp_ordered(x, sibling[k], 1 << k);
  }
#pragma unroll
  for (int k = 4; k >= 0; k--)
    if (warp_lane() >> k & 1u) before = total_op(before, sibling[k]);
  *sum = x;
  return before;
}

HD_KERNEL heddle_scan_custom_outputs(const struct scan_custom_args a) {
  const total *prefix = a.prefix;
  const u64 chunk = ((u64)blockIdx.x * blockDim.x + threadIdx.x) / 32u;
  const u64 begin = chunk * TOTAL_CHUNK, end = a.count + a.held;
  if (begin >= end) return;
  const u32 n = end - begin < TOTAL_CHUNK ? (u32)(end - begin) : TOTAL_CHUNK;
  const element *x = custom_chunk(&a, chunk);
  u8 *to = (u8 *)a.out + (begin - a.held) * sizeof(element);
  struct custom_counter counter;
  counter.rows = 0;
  total before = counter.start = prefix[chunk];
  for (u32 row = 0; row < CUSTOM_ROWS && row * 32 < n; row++) {
    const u32 e = row * 32 + warp_lane();
    total sum, y, carry = warp_custom_row(custom_element(x + (e < n ? e : 0)), before, &sum);
    const total behind = row + 1 < CUSTOM_ROWS ? custom_push(&counter, sum)
                         : chunk < a.full      ? prefix[chunk + 1]
                                               : before;
    y = carry;
#if !HEDDLE_EXCLUSIVE
    y = warp_down(carry, 1);
    if (warp_lane() == 31) y = behind;
#endif
#if HEDDLE_INIT
    y = total_op(a.ends.init, y);
#endif
    before = behind;
    if (e < n && (chunk || e >= a.held)) custom_store(to + e * sizeof(element), y);
  }
}

/* blocks.h - the arithmetic of aligned blocks (rules 3 to 5), of chunks or of elements
 *
 * An aligned block of level k is 2^k neighbours whose first index is a multiple of 2^k. The blocks
 * that tile the first n items, biggest first, are the set bits of n; the one of bit k starts at
 * n >> (k + 1) << (k + 1). C and CUDA C++ both read it.
 *
 * The counter that keeps their totals is order/blocks_tmpl.h; order/counter.h is it for totals in
 * memory. On a GPU a counter is spread over the lanes of a warp or over a thread's registers. */
#ifndef HEDDLE_ORDER_BLOCKS_H
#define HEDDLE_ORDER_BLOCKS_H

#include "basic.h"

/* The level, `most` or less, of the largest aligned block that starts at item `at` and has no more
 * than `count` items; count > 0. */
HD_FUNCTION u32 hd_block_level(u64 at, u64 count, u32 most) {
  u32 level = hd_top_bit(count);
  if (at && hd_low_bit(at) < level) level = hd_low_bit(at);
  return level < most ? level : most;
}

/* The first item of the block that bit `level` of n stands for. */
HD_FUNCTION u64 hd_block_start(u64 n, u32 level) { return n >> level >> 1 << level << 1; }

#endif

/* look_back.h - how many elements earlier tiles have selected, one tile after the other
 *
 * Result   count_tell         a tile's count, for those behind it
 *          warp_count_before  the counts of all tiles before, added up
 * Memory   a word a tile: the launch's tag in the upper half (kernels/base/tickets.h), below a number of
 *          elements, fewer than 2^31, and COUNT_ALL if all before are among them
 * Waits    for tiles before it, which were drawn before; none of these waits for a later one
 * Method   A tile tells what it has, then what it has with all before it. A warp looks at 32 tiles at once, and
 *          adds up the first kind down to the nearest of the second: it waits for no word behind that.
 * Source   Merrill and Garland 2016 (decoupled look-back) */
#ifndef HEDDLE_KERNELS_SELECT_LOOK_BACK_H
#define HEDDLE_KERNELS_SELECT_LOOK_BACK_H

#include "kernels/base/tickets.h"

#define COUNT_ALL 0x80000000u

/* By one thread. */
HD_DEVICE void count_tell(u64 *nodes, u32 tile, u32 tag, u32 count) {
  publish64(nodes + tile, (u64)tag << 32 | count);
}

HD_DEVICE u32 warp_add(u32 x) {
#pragma unroll
  for (u32 d = 16; d; d /= 2) x += __shfl_xor_sync(HD_ALL, x, d);
  return x;
}

/* All lanes of a warp arrive; the tile is not the first. */
HD_DEVICE u32 warp_count_before(const u64 *nodes, u32 tile, u32 tag) {
  const u32 lane = threadIdx.x % 32;
  u32 sum = 0;
  for (i64 nearest = (i64)tile - 1;; nearest -= 32) {
    const i64 at = nearest - (i64)lane;
    u32 word = 0, all, wanted;
    bool missing = at >= 0; /* the first tile's word, which has COUNT_ALL, is nearer than none */
    do {
      if (missing) {
        const u64 found = peek64(nodes + at);
        if ((u32)(found >> 32) == tag) word = (u32)found, missing = false;
      }
      all = __ballot_sync(HD_ALL, (word & COUNT_ALL) != 0);
      wanted = all ? (all & (0u - all)) - 1 : HD_ALL; /* lanes nearer than that */
    } while (__ballot_sync(HD_ALL, missing) & wanted);
    const bool mine = (wanted >> lane & 1u) || (all & (0u - all)) == 1u << lane;
    sum += warp_add(mine ? word & ~COUNT_ALL : 0);
    if (all) return sum;
  }
}

#endif

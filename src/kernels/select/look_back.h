/* look_back.h - how many elements earlier tiles have selected, one tile after the other
 *
 * Result   count_tell         a tile's count, for those behind it
 *          warp_count_before  the counts of all tiles before, added up
 * Memory   a word a tile: the launch's tag in the upper half (kernels/base/tickets.h), below a number of
 *          elements, fewer than 2^31, and COUNT_ALL if all before are among them
 * Waits    for tiles before it, which were drawn before; none of these waits for a later one
 * Method   A tile tells what it has, then what it has with all before it. A warp looks at 32 * LOOKS tiles at
 *          once, and adds up the first kind down to the nearest of the second: it waits for no word behind that.
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

/* Words that a lane has on their way at once: blocks are many, and tend to wait for each other, so that the nearest
 * word of the second kind may be some hundred tiles before. */
#define LOOKS 4

/* Tiles of 32 lanes, nearest first. */
struct look {
  u32 word[LOOKS];
  bool missing[LOOKS];
};

/* Words that are not there yet, of tiles `nearest` and before. */
HD_DEVICE void thread_look(struct look *l, const u64 *nodes, i64 nearest, u32 tag) {
#pragma unroll
  for (u32 j = 0; j < LOOKS; j++) {
    const i64 at = nearest - (i64)(32 * j + threadIdx.x % 32);
    if (!l->missing[j] || at < 0) continue;
    const u64 found = peek64(nodes + at);
    if ((u32)(found >> 32) == tag) l->word[j] = (u32)found, l->missing[j] = false;
  }
}

/* All lanes of a warp arrive; the tile is not the first. */
HD_DEVICE u32 warp_count_before(const u64 *nodes, u32 tile, u32 tag) {
  const u32 lane = threadIdx.x % 32;
  u32 sum = 0; /* the lane's */
  for (i64 nearest = (i64)tile - 1;; nearest -= 32 * LOOKS) {
    struct look l;
#pragma unroll
    for (u32 j = 0; j < LOOKS;
         j++) /* the first tile's word, which has COUNT_ALL, is nearer than none */
      l.word[j] = 0, l.missing[j] = nearest - (i64)(32 * j + lane) >= 0;
    u32 done = 0;
    while (done < LOOKS) {
      thread_look(&l, nodes, nearest, tag);
#pragma unroll
      for (u32 j = 0; j < LOOKS; j++) {
        if (j != done) continue;
        const u32 all = __ballot_sync(HD_ALL, (l.word[j] & COUNT_ALL) != 0);
        const u32 first = all & (0u - all), nearer = all ? first - 1 : HD_ALL;
        if (__ballot_sync(HD_ALL, l.missing[j]) & nearer)
          continue; /* not done: nor are those behind */
        if ((nearer | first) >> lane & 1u) sum += l.word[j] & ~COUNT_ALL;
        if (all) return warp_add(sum);
        done++;
      }
    }
  }
}

#endif

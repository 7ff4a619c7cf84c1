/* look_back.h - how many elements earlier tiles have selected, over a tree of counts
 *
 * Result   node_tell          a tile's count, for those behind it; level 0
 *          warp_tell_nodes    then those of the nodes that it completes
 *          warp_count_before  the counts of all tiles before, added up
 * Defines  HEDDLE_IN_PLACE    1: what is told includes that those before have read what is theirs
 * Memory   a word a node: the launch's tag in the upper half (kernels/base/tickets.h), below a number of elements. Nodes
 *          of level k are 32^k tiles each, their words from a.level[k] on
 * Waits    for tiles before it, which were drawn before; none of these waits for a later one
 * Method   A tile is preceded by its digits to the base of 32: of each level as many siblings as the digit says. The last
 *          tile of a node adds up its siblings and tells that. So no tile waits for a chain of others to look back: in a
 *          chain 32 tiles advance in the time of one answer of the L2 cache, which is less than memory gives.
 * Source   Merrill and Garland 2016 (decoupled look-back), over a tree instead of a chain */
#ifndef HEDDLE_KERNELS_SELECT_LOOK_BACK_H
#define HEDDLE_KERNELS_SELECT_LOOK_BACK_H

#include "kernels/base/tickets.h"

#include "args.h" /* needs their types */

HD_DEVICE u64 *node_of(const struct select_args *a, u32 level, u32 index) {
  return (u64 *)a->nodes + (a->level[level] + index);
}

/* By one thread. */
HD_DEVICE void node_tell(const struct select_args *a, u32 level, u32 index, u32 tag, u32 count) {
  publish64(node_of(a, level, index), (u64)tag << 32 | count);
}

HD_DEVICE u32 warp_add(u32 x) {
#pragma unroll
  for (u32 d = 16; d; d /= 2) x += __shfl_xor_sync(HD_ALL, x, d);
  return x;
}

/* Siblings of levels `from` to `upto` - 1 that come before the tile, added up over levels: a lane's own one of each. All
 * lanes arrive. */
HD_DEVICE u32 warp_await(const struct select_args *a, u32 tile, u32 tag, u32 from, u32 upto) {
  const u32 lane = threadIdx.x % 32;
  u32 sum = 0, missing = 0; /* levels, as bits */
#pragma unroll
  for (u32 k = 0; k < SELECT_LEVELS; k++)
    if (k >= from && k < upto && lane < (tile >> (5 * k) & 31u)) missing |= 1u << k;
  while (__any_sync(HD_ALL, missing != 0)) {
    u64 word[SELECT_LEVELS]; /* all are on their way before one is waited for */
#pragma unroll
    for (u32 k = 0; k < SELECT_LEVELS; k++) {
      word[k] = 0; /* no tag */
      if (missing >> k & 1u) word[k] = peek64(node_of(a, k, (tile >> (5 * k) & ~31u) + lane));
    }
#pragma unroll
    for (u32 k = 0; k < SELECT_LEVELS; k++)
      if ((u32)(word[k] >> 32) == tag) sum += (u32)word[k], missing &= ~(1u << k);
  }
  return sum;
}

/* Nodes that the tile, of `count`, is the last one of. All lanes of a warp arrive. */
HD_DEVICE void warp_tell_nodes(const struct select_args *a, u32 tile, u32 tag, u32 count) {
#pragma unroll 1
  for (u32 level = 0; level + 1 < SELECT_LEVELS && (tile >> (5 * level) & 31u) == 31u;) {
    count += warp_add(warp_await(a, tile, tag, level, level + 1));
    level++;
#if HEDDLE_IN_PLACE
    __threadfence(); /* what others have read was read before */
    __syncwarp();    /* of the tiles that each lane has seen */
#endif
    if (threadIdx.x % 32 == 0) node_tell(a, level, tile >> (5 * level), tag, count);
  }
}

/* All lanes of a warp arrive. */
HD_DEVICE u32 warp_count_before(const struct select_args *a, u32 tile, u32 tag) {
  return warp_add(warp_await(a, tile, tag, 0, SELECT_LEVELS));
}

#endif

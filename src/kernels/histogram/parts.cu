/* parts.cu - how many elements each counter has, of those that partition.cu has grouped by ranges
 *
 * Result   totals[i] += the elements of counter i
 * Defines  HEDDLE_TYPE, HEDDLE_KEY, HEDDLE_STRATEGY (find.h), HEDDLE_SPAN (parts.h), HEDDLE_THREADS
 * Launch   any number of blocks of HEDDLE_THREADS, at least a.ranges of these
 * Memory   dynamic shared memory: HEDDLE_SPAN + 1 words
 * Order    none shows: integers
 * Method   The numbers of all ranges, one range after the other, are cut into as many even pieces as
 *          there are blocks. Of a range that several have pieces of, each takes every so many-th tile,
 *          so that it does not matter in which part of the array the range's elements lie. Eight lanes
 *          take a tile's group together.
 * Limits   less than 2^31 places in all
 * Source   docs/histogram.md */
#include "kernels/base/partition.h"
#include "order/device/element.h"

#include "parts.h"

#define HEDDLE_WHERE HD_WHERE_GLOBAL
#define HEDDLE_COPIES 1
#include "counters.h"

#define CLASSES 256u /* of tiles, at most: a piece is of some of these */
#define LANES 8u     /* a group */

/* Classes from..to - 1 of a range are the block's. */
struct part_piece {
  u32 from, to;
};

HD_DEVICE u32 classes_of(const struct part_args *a) { return min(CLASSES, a->tiles); }

/* The block's share of the range whose places are `start` and the `load` behind it, of `all`. */
HD_DEVICE struct part_piece piece_of(const struct part_args *a, u32 start, u32 load, u32 all) {
  const u64 blocks = gridDim.x;
  const u64 low = all * (u64)blockIdx.x / blocks, high = all * (u64)(blockIdx.x + 1) / blocks;
  const u64 from = low < start ? 0 : low - start, to = high < start ? 0 : high - start;
  struct part_piece p = {0, 0};
  if (!load) return p;
  p.from = (u32)((from < load ? from : load) * classes_of(a) / load);
  p.to = (u32)((to < load ? to : load) * classes_of(a) / load);
  return p;
}

/* One more in the counter of each of 8 numbers. */
HD_DEVICE void count_eight(u32 *counters, uint4 numbers) {
  const u32 words[4] = {numbers.x, numbers.y, numbers.z, numbers.w};
#pragma unroll
  for (int k = 0; k < 4; k++) {
    atomicAdd(counters + (words[k] & 0xffffu), 1u);
    atomicAdd(counters + (words[k] >> 16), 1u);
  }
}

/* The groups of a piece of a range. */
HD_DEVICE void block_count_piece(const struct part_args *a, u32 range, struct part_piece p,
                                 u32 *counters) {
  const u32 wide = p.to - p.from, lane = threadIdx.x % LANES;
  const u32 classes = classes_of(a), turns = (a->tiles + classes - 1) / classes * wide;
  const u32 *groups = (const u32 *)a->groups + (u64)range * a->tiles;
  for (u32 i = threadIdx.x / LANES; i < turns; i += HEDDLE_THREADS / LANES) {
    const u32 tile = i / wide * classes + p.from + i % wide;
    if (tile >= a->tiles) continue;
    const u32 group = __ldcg(groups + tile), room = group >> 16;
    const uint4 *from =
        (const uint4 *)((const u16 *)a->numbers + (u64)tile * a->stride) + (group & 0xffffu);
    for (u32 v = lane; v < room; v += LANES) count_eight(counters, load16(from + v));
  }
}

/* All threads arrive, after a barrier behind the last addition; counters are zero after another. */
HD_DEVICE void block_flush_range(const struct part_args *a, u32 range, u32 *counters) {
  const u64 all = (u64)a->count.slots * a->count.channels, base = (u64)range * HEDDLE_SPAN;
  const u32 span = all - base < HEDDLE_SPAN ? (u32)(all - base) : HEDDLE_SPAN;
  const u32 turn = (u32)((u64)blockIdx.x * span / gridDim.x); /* as in counters_flush */
  for (u32 i = threadIdx.x; i < span; i += HEDDLE_THREADS) {
    const u32 at = i + turn < span ? i + turn : i + turn - span, sum = counters[at];
    if (!sum) continue;
    counters[at] = 0;
    totals_add(&a->count, total_of(&a->count, (u32)base + at), sum);
  }
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_histogram_parts(const __grid_constant__ struct part_args a) {
  extern __shared__ u32 counters[];
  __shared__ u32 warps[HEDDLE_THREADS / 32], first, last;
  __shared__ struct part_piece pieces[HEDDLE_THREADS];
  const u32 mine = threadIdx.x;
  u32 all;
  for (u32 i = threadIdx.x; i <= HEDDLE_SPAN; i += HEDDLE_THREADS) counters[i] = 0;
  if (threadIdx.x == 0) first = a.ranges, last = 0;
  const u32 load = mine < a.ranges ? __ldcg((const u32 *)a.loads + mine) : 0;
  const u32 start = block_sum_before(load, warps, &all); /* `first` and `last` are set, too */
  pieces[mine] = piece_of(&a, start, load, all);
  if (pieces[mine].from < pieces[mine].to) {
    atomicMin(&first, mine);
    atomicMax(&last, mine + 1);
  }
  __syncthreads(); /* counters are zero, pieces are known */
  for (u32 range = first; range < last; range++) {
    const struct part_piece p = pieces[range];
    if (p.from >= p.to) continue;
    block_count_piece(&a, range, p, counters);
    __syncthreads(); /* all is counted */
    block_flush_range(&a, range, counters);
    __syncthreads(); /* counters are zero */
  }
}

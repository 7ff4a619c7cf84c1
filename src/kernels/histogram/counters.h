/* counters.h - counters of a block, and what becomes of them at its end
 *
 * Result   counters_clear  all zero; counters_one  one more in a counter; counters_flush  added to the
 *          totals
 * Defines  HEDDLE_WHERE (args.h); HEDDLE_THREADS of a block; HEDDLE_COPIES (count.cu); HEDDLE_HALVES 1:
 *          two counters a word (halves.h)
 * Memory   counters_words() words of shared memory
 * Limits   less than 2^32 elements a block: the host launches again before */
#ifndef HEDDLE_KERNELS_HISTOGRAM_COUNTERS_H
#define HEDDLE_KERNELS_HISTOGRAM_COUNTERS_H

#include "kernels/base/device.h"

#include "find.h"

/* Which part of the work and of the counters is this block's. */
struct hist_share {
  u32 member, members; /* it takes every members-th piece, from the member-th on */
  u32 base;            /* its first counter */
  u32 span;            /* its counters */
};

HD_DEVICE struct hist_share share_of(const struct hist_args *a) {
  struct hist_share s;
#if HEDDLE_WHERE == HD_WHERE_RANGES
  /* Neighbours read the same elements at about the same time: the second-level cache serves
   * them. */
  u32 range = blockIdx.x % a->ranges, counters = a->slots * a->channels;
  s.member = blockIdx.x / a->ranges;
  s.members = gridDim.x / a->ranges;
  s.base = range * a->span;
  s.span = counters - s.base < a->span ? counters - s.base : a->span;
#else
  s.member = blockIdx.x;
  s.members = gridDim.x;
  s.base = 0;
  s.span = a->span;
#endif
  return s;
}

/* Which of so many copies is this lane's; all lanes arrive. Out of a shuffle the compiler does not
 * know its range, and adds it to a counter's address in the same step as the counter, not in one more. */
HD_DEVICE u32 warp_copy(u32 copies) {
  return copies == 1 ? 0 : __shfl_sync(HD_ALL, threadIdx.x % copies, (int)(threadIdx.x % 32));
}

/* Words of shared memory that the counters of so many counters take. */
HD_DEVICE u32 counters_words(u32 span) {
#if HEDDLE_HALVES
  return span / 2 + 1;
#else
  return span * HEDDLE_COPIES + (HEDDLE_WHERE == HD_WHERE_RANGES);
#endif
}

HD_DEVICE void counters_clear(const struct hist_share *s, u32 *counters) {
  const u32 words = counters_words(s->span);
  for (u32 i = threadIdx.x; i < words; i += HEDDLE_THREADS) counters[i] = 0;
}

/* HD_STRATEGY_BUCKETS, HD_STRATEGY_STEPS: words of buckets, and with HEDDLE_NEAR edges, to shared
 * memory. */
HD_DEVICE void buckets_load(const struct hist_args *a, u32 *to) {
#if HEDDLE_STRATEGY == HD_STRATEGY_BUCKETS || HEDDLE_STRATEGY == HD_STRATEGY_STEPS
#pragma unroll 8
  for (u32 i = threadIdx.x; i < a->find.words; i += HEDDLE_THREADS)
    to[i] = __ldg((const u32 *)a->packed + i);
#if HEDDLE_NEAR
  key *edges = (key *)(to + edges_behind(&a->find));
  for (u32 i = threadIdx.x; i < HD_EDGES(a->find.bins, HEDDLE_STEPS); i += HEDDLE_THREADS)
    edges[i] = __ldg((const key *)a->find.edges + i);
#endif
#else
  (void)a, (void)to;
#endif
}

/* Where a counter's total is: counters go by rank, totals by slot. */
HD_DEVICE u64 total_of(const struct hist_args *a, u32 counter) {
#if HD_RANKED
  u32 rank = counter % a->slots;
  return counter - rank + slot_of(&a->find, rank);
#else
  (void)a;
  return counter;
#endif
}

HD_DEVICE void totals_add(const struct hist_args *a, u64 total, u32 count) {
  if (a->narrow)
    memory_add32((u32 *)a->totals + total, count);
  else
    memory_add64((u64 *)a->totals + total, count);
}

#if HEDDLE_HALVES
#include "halves.h"
#else
HD_DEVICE void counters_one(const struct hist_args *a, const struct hist_share *s, u32 *counters,
                            u32 counter) {
#if HEDDLE_WHERE == HD_WHERE_GLOBAL
  /* Lanes of one counter add together: memory does one addition after the other there. */
  u32 lanes = __match_any_sync(__activemask(), counter);
  if ((threadIdx.x & 31) == (u32)__ffs((i32)lanes) - 1)
    totals_add(a, total_of(a, counter), (u32)__popc(lanes));
#elif HEDDLE_WHERE == HD_WHERE_RANGES
  /* A counter to spare for the others is faster than a branch around them. */
  u32 at = counter - s->base;
  atomicAdd(&counters[min(at, s->span)], 1u);
#else
  atomicAdd(&counters[counter * HEDDLE_COPIES], 1u);
#endif
}

HD_DEVICE u32 counters_sum(const u32 *counters, u32 counter) {
  u32 sum = 0;
#pragma unroll
  for (u32 k = 0; k < HEDDLE_COPIES; k++) /* lanes begin at different banks */
    sum += counters[counter * HEDDLE_COPIES + ((k + threadIdx.x) & (HEDDLE_COPIES - 1))];
  return sum;
}
#endif

/* All threads arrive, after a barrier behind the last count. Blocks begin at different counters, so
 * that they do not queue for the same ones. */
HD_DEVICE void counters_flush(const struct hist_args *a, const struct hist_share *s,
                              const u32 *counters) {
#if HEDDLE_WHERE != HD_WHERE_GLOBAL
  u32 turn = s->span / s->members * s->member;
  for (u32 i = threadIdx.x; i < s->span; i += HEDDLE_THREADS) {
    u32 at = i + turn < s->span ? i + turn : i + turn - s->span;
    const u32 sum = counters_sum(counters, at);
    if (sum) totals_add(a, total_of(a, s->base + at), sum);
  }
#endif
}

#endif

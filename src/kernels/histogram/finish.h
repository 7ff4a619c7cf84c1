/* finish.h - totals to the caller's arrays
 *
 * Result   block_finish     the output of all counters, by the block that finished last
 *          finish_counters  the output of every step-th counter from `from` on
 * Memory   totals, amounts and marks are zero afterwards (unless a.keep), so that the next call, or
 *          the next replay of a graph, finds them as this one did */
#ifndef HEDDLE_KERNELS_HISTOGRAM_FINISH_H
#define HEDDLE_KERNELS_HISTOGRAM_FINISH_H

#include "kernels/base/device.h"

#include "args.h"
#include "round.h"

/* What one thread knows of a result: the count of slot bins + which; the first tells the rest. */
HD_DEVICE void finish_result(const struct hist_args *a, u32 channel, u32 which, u64 count) {
  u64 *result = (u64 *)a->out.result + channel * HD_RESULT_WORDS;
  result[2 + which] = count;
  if (which) return;
  result[0] = HD_RESULT_WORDS * 8;
  result[1] = a->out.seen;
  ((f64 *)result)[5] = a->out.lo;
  ((f64 *)result)[6] = a->out.hi;
}

/* The total of a counter, which is zero afterwards. */
HD_DEVICE u64 finish_total(const struct hist_args *a, u64 counter) {
  u32 *narrow = (u32 *)a->totals + counter;
  u64 *wide = (u64 *)a->totals + counter;
  const u64 count = a->narrow ? __ldcg(narrow) : __ldcg(wide);
  if (!count || a->keep) return count;
  if (a->narrow)
    *narrow = 0;
  else
    *wide = 0;
  return count;
}

HD_DEVICE void finish_counters(const struct hist_args *a, u64 from, u64 step) {
  const u64 counters = (u64)a->slots * a->channels;
  const u32 bins = a->slots - 3;
  u64 *counts = (u64 *)a->out.counts, *extras = (u64 *)a->out.extras;
  for (u64 counter = from; counter < counters; counter += step) {
    u32 channel = (u32)(counter / a->slots), slot = (u32)(counter % a->slots);
    const u64 count = finish_total(a, counter);
    if (slot < bins) {
      u64 at = (u64)channel * bins + slot;
      if (counts) counts[at] = count;
      if (a->amounts) finish_sum(a, counter, at);
    } else {
      if (extras) extras[channel * 3 + slot - bins] = count;
      if (a->out.result) finish_result(a, channel, slot - bins, count);
    }
  }
}

/* All threads of all blocks arrive, each after its last addition to the totals. */
HD_DEVICE void block_finish(const struct hist_args *a) {
  __shared__ u32 last;
  __threadfence();
  __syncthreads(); /* the block's additions are done, and seen before its ticket */
  if (threadIdx.x == 0) last = atomicAdd((u32 *)a->ticket, 1u) == gridDim.x - 1;
  __syncthreads(); /* `last` is known */
  if (!last) return;
  __threadfence();
  finish_counters(a, threadIdx.x, blockDim.x);
  if (threadIdx.x == 0) *(u32 *)a->ticket = 0;
}

#endif

/* steps.h - from an element to its rank, among more edges than a packed bucket has bits for
 *
 * Result   find_ranks   as in find.h, whose words these are
 * Defines  HEDDLE_STEPS s: 2^s - 1 edges of a bucket are looked at without a branch
 * Method   A 16-bit entry of shared memory tells how many edges come before each bucket. Edges of later
 *          buckets are above the element, so s steps of a binary search from there on need not know
 *          where the bucket ends, unless it has more edges than these steps can pass: such an entry
 *          shows, and the pack that has one searches on, all of its elements side by side.
 * Limits   2^15 edges
 * Source   docs/histogram.md */
#ifndef HEDDLE_KERNELS_HISTOGRAM_STEPS_H
#define HEDDLE_KERNELS_HISTOGRAM_STEPS_H

#define HD_STEPS_CROWDED 0x8000u

/* The edges at most x where buckets are crowded: from `rank` on, up to the end of the bucket. */
HD_DEVICE void search_on(const struct hist_slots *p, const u32 *buckets, const key *x, u32 *rank,
                         int count) {
  u32 high[16];
  bool again;
#pragma unroll
  for (int j = 0; j < count; j++) {
    const u32 end = ((const u16 *)buckets)[(place_of(p, x[j]) >> 16) + 1] & (HD_STEPS_CROWDED - 1);
    high[j] = max(end, rank[j]); /* ranks may be there already */
  }
  do {
    again = false;
#pragma unroll
    for (int j = 0; j < count; j++) {
      const u32 middle = (rank[j] + high[j]) / 2;
      const bool open = rank[j] < high[j], behind = bucket_edge(p, buckets, middle) <= x[j];
      rank[j] = open && behind ? middle + 1 : rank[j];
      high[j] = open && !behind ? middle : high[j];
      again = again || rank[j] < high[j];
    }
  } while (again);
}

/* The ranks of `count` elements side by side; a constant. */
HD_DEVICE void find_ranks(const struct hist_slots *p, const u32 *buckets, const key *x, u32 *rank,
                          int count) {
  u32 all = 0;
#pragma unroll
  for (int j = 0; j < count; j++) {
    rank[j] = ((const u16 *)buckets)[place_of(p, x[j]) >> 16];
    all |= rank[j];
    rank[j] &= HD_STEPS_CROWDED - 1;
  }
#pragma unroll
  for (u32 step = 1u << (HEDDLE_STEPS - 1); step; step /= 2)
#pragma unroll
    for (int j = 0; j < count; j++)
      if (bucket_edge(p, buckets, rank[j] + step - 1) <= x[j]) rank[j] += step;
  if (all & HD_STEPS_CROWDED) search_on(p, buckets, x, rank, count);
#pragma unroll
  for (int j = 0; j < count; j++) rank[j] = x[j] == x[j] ? rank[j] : p->bins + 2;
}

#endif

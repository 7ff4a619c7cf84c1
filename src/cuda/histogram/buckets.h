/* buckets.h - tables of buckets for bins that are not even, as the kernels read them */
#ifndef HEDDLE_CUDA_HISTOGRAM_BUCKETS_H
#define HEDDLE_CUDA_HISTOGRAM_BUCKETS_H

#include "bins/plan.h"
#include "kernels/histogram/args.h"

/* A packed word counts edges with 14 bits, an entry of a table of steps with 15. */
enum { HD_BUCKETS_MOST_BINS = 16380, HD_BUCKET_PARTS = 16, HD_STEPS_MOST_BINS = 32766 };

/* Puts the end of the last bin behind the plan's keys; before all else here. */
void hd_cuda_buckets_close(struct hd_plan *plan);

/* Fills place_bits to bits_shift of *find, and its keys, for at most `buckets` buckets, a power of two,
 * up to 2^15 if packed, else up to 2^22. packed: places have 16 bits within a bucket. Of the functions
 * from elements to buckets it takes the one with the fewest edges behind `share` others in a bucket,
 * and returns how many these are. plan->strategy is HD_PLAN_BUCKETS, find's keys are set. */
size_t hd_cuda_buckets_choose(const struct hd_plan *plan, u32 buckets, bool packed, u32 share,
                              struct hist_slots *find);

/* Words for parts of so many packed buckets: what is left beside the counters of 4,096 bins. */
static inline u32 hd_cuda_buckets_parts(u32 buckets) {
  return buckets / 4 < 4096 ? buckets / 4 : 4096;
}

/* before[c] = the edges in buckets before c, for every bucket c and one more; packed[c] = the word of
 * bucket c (kernels/histogram/find.h), with words of parts behind, find->words in all and not more
 * than `most`, which has room for a multiple of HD_BUCKET_PARTS buckets; or packed is NULL. */
void hd_cuda_buckets_fill(const struct hd_plan *plan, struct hist_slots *find, u32 most,
                          u32 *before, u32 *packed);

/* entries[c] = before[c], with the bit that tells of more than 2^steps - 1 edges (kernels/histogram/
 * steps.h); one entry more than buckets. */
void hd_cuda_buckets_steps(const u32 *before, u32 buckets, u32 steps, u16 *entries);

#endif

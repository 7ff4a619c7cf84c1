/* sums.h - exact sums of weights out of tables and into them, once these have been copied to the host */
#ifndef HEDDLE_CUDA_HISTOGRAM_SUMS_H
#define HEDDLE_CUDA_HISTOGRAM_SUMS_H

#include "order/exact/weights.h"
#include "window.h"

/* Of both, *c has been set for tables of the host's, a copy of the device's (hd_cuda_count_set, then
 * hd_cuda_window_set with a window whose words are theirs), and a counter is channel * slots + slot. */

/* *sum = a counter's, with at most one NaN, +inf and -inf, carried: equal sums are equal. */
void hd_cuda_sums_get(const struct hd_cuda_count *c, u64 counter, struct hd_exact *sum);
/* A counter gains a sum of the weights' type; of c->uncarried each counts as one weight. */
void hd_cuda_sums_gain(struct hd_cuda_count *c, u64 counter, const struct hd_exact *sum);

#endif

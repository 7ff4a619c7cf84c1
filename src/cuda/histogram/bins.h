/* bins.h - bins with their tables on the device, kept from call to call
 *
 * Making tables costs time in proportion to the bins, and copies; so a context keeps those of the
 * last few calls, and all those that a graph may have been captured with. */
#ifndef HEDDLE_CUDA_HISTOGRAM_BINS_H
#define HEDDLE_CUDA_HISTOGRAM_BINS_H

#include "bins/plan.h"
#include "cuda/core/cuda.h"
#include "kernels/histogram/args.h"

struct hd_cuda_bins {
  struct hd_cuda_bins *next;
  heddle_type type;
  heddle_bins bins; /* as they were asked for; `edges` is a copy */
  u32 strategy;     /* HD_STRATEGY_... of kernels/histogram/args.h */
  bool narrow;      /* keys are f32 */
  struct hist_slots find;
  u32 steps;             /* HD_STRATEGY_STEPS: HEDDLE_STEPS, else 0 */
  cu_pointer packed;     /* HD_STRATEGY_BUCKETS, HD_STRATEGY_STEPS: find.words */
  cu_pointer value_slot; /* HD_STRATEGY_VALUES */
  f64 lo, hi;            /* the first and the last edge */
  cu_pointer memory;     /* that they lie in */
  size_t bytes;
  u64 used;         /* when it was, in calls */
  unsigned holders; /* states */
  bool kept;        /* until the context closes */
};

/* *out stays valid until the call leaves, or while holders is not 0. Bins have their range. */
heddle_status hd_cuda_bins_find(struct hd_cuda_call *call, heddle_type type,
                                const heddle_bins *bins, struct hd_cuda_bins **out);

#endif

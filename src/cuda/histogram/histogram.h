/* histogram.h - what the histogram's files on a CUDA device ask of each other
 *
 * histogram.c        plans and their tables on the device, arguments, choice of kernel
 * bytes.c  8-bit elements, counted as values; integer bins of wider ones */
#ifndef HEDDLE_CUDA_HISTOGRAM_HISTOGRAM_H
#define HEDDLE_CUDA_HISTOGRAM_HISTOGRAM_H

#include "cuda/core/cuda.h"

struct hist_args; /* kernels/histogram/args.h */
struct hist_slots;
struct hd_plan;

/* Queues the launch that counts args->count 8-bit elements at args->in, at any address, as args
 * says of any other type: counters are added to args->totals, and with args->finish the last block
 * writes args->out. args->find.buckets: u32[256] in device memory, the slot of each bit pattern; the
 * rest of args->find is not used. A launch for every 2^31 elements a block. */
struct hd_cuda_count_choice; /* choose.h */
heddle_status hd_cuda_histogram_bytes(struct hd_cuda_call *call,
                                      const struct hd_cuda_count_choice *choice,
                                      const struct hist_args *args);

/* Fills what HD_STRATEGY_INTEGER reads of *find, for a plan of HD_PLAN_INTEGER. */
void hd_cuda_histogram_integers(const struct hd_plan *plan, struct hist_slots *find);

#endif

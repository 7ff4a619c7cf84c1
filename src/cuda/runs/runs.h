/* runs.h - runs of equal neighbours on a CUDA device
 *
 * runs.c    where they begin
 * by_key.c  folds and scans of their values */
#ifndef HEDDLE_CUDA_RUNS_RUNS_H
#define HEDDLE_CUDA_RUNS_RUNS_H

#include "cuda/select/select.h"

/* What finds them, with the keys or the offsets or both. */
struct hd_cuda_select_job hd_cuda_runs_job(struct hd_cuda_call *call, heddle_type type, bool keys,
                                           bool offsets);

#endif

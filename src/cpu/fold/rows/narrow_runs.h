/* narrow_runs.h - runs of few neighbouring rows of few elements: the strategy of cpu/fold/rows/rows.c for
 * them */
#ifndef HEDDLE_CPU_FOLD_NARROW_RUNS_H
#define HEDDLE_CPU_FOLD_NARROW_RUNS_H

#include "cpu/fold/columns/columns.h"

/* Whether the kernel has a vertical form, and the runs so little that several are worth a copy. */
bool hd_cpu_fold_is_narrow_runs(const struct hd_cpu_fold_kernel *kernel,
                                const struct hd_cpu_row_walk *walk);
/* Threads that take a part. */
size_t hd_cpu_fold_narrow_runs_threads(const heddle_context *ctx,
                                       const struct hd_cpu_row_walk *walk);
/* Every result of such a call. */
heddle_status hd_cpu_fold_narrow_runs(heddle_context *ctx, const struct hd_cpu_rows_call *call,
                                      const struct hd_cpu_fold_kernel *kernel,
                                      struct hd_cancellation *token);

#endif

/* short_rows.h - many rows shorter than a chunk: the strategy of cpu/fold/rows/rows.c for them */
#ifndef HEDDLE_CPU_FOLD_SHORT_ROWS_H
#define HEDDLE_CPU_FOLD_SHORT_ROWS_H

#include "cpu/fold/columns/columns.h"

/* Whether the rows are an axis of fewer elements than a chunk, no further apart than the rows are,
 * and the kernel has a vertical form. */
bool hd_cpu_fold_is_short_rows(const struct hd_cpu_fold_kernel *kernel,
                               const struct hd_cpu_row_walk *walk);
/* Whether those become lines first (true), or are each folded alone. */
bool hd_cpu_fold_is_transposed(const struct hd_cpu_fold_kernel *kernel,
                               const struct hd_cpu_row_walk *walk);
/* Threads that take a part. */
size_t hd_cpu_fold_short_rows_threads(const heddle_context *ctx,
                                      const struct hd_cpu_fold_kernel *kernel,
                                      const struct hd_cpu_row_walk *walk);
/* Every result of such a call. */
heddle_status hd_cpu_fold_short_rows(heddle_context *ctx, const struct hd_cpu_rows_call *call,
                                     const struct hd_cpu_fold_kernel *kernel,
                                     struct hd_cancellation *token);

#endif

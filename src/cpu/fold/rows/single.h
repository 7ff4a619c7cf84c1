/* single.h - rows of one element, which are their results: the strategy of cpu/fold/rows/rows.c for them */
#ifndef HEDDLE_CPU_FOLD_SINGLE_H
#define HEDDLE_CPU_FOLD_SINGLE_H

#include "cpu/fold/fold.h"

/* Whether rows of one element lie one behind the other, and an element is its row's result, of its own type. */
bool hd_cpu_fold_is_single(const heddle_context *ctx, const struct hd_fold *fold,
                           const struct hd_cpu_row_walk *walk);
/* The results of such a call. */
void hd_cpu_fold_single(const heddle_context *ctx, const struct hd_fold *fold,
                        const struct hd_cpu_row_walk *walk, const void *x, void *out);

#endif

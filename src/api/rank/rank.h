/* rank.h - what order statistics of an array and of rows share: jobs, and checks of what they are asked for */
#ifndef HEDDLE_API_RANK_H
#define HEDDLE_API_RANK_H

#include "api/api.h"

/* Of keys, by options->descending and nan_first alone. */
heddle_status hd_rank_job(const char *entry, heddle_type type, const heddle_sort_options *options,
                          struct hd_sort *sort);
/* Of the first elements; `longest`: of a row. No index is wanted: its type is not read. */
heddle_status hd_partial_job(const char *entry, heddle_type type, heddle_type index_type,
                             const void *index, u64 longest, const heddle_sort_options *options,
                             struct hd_sort *sort);
/* *weights: the array, or NULL. */
heddle_status hd_quantile_job(const char *entry, heddle_type type,
                              const heddle_quantile_options *options, struct hd_quantiles *job,
                              const void **weights);

/* An array of the host's that says what is wanted. */
heddle_status hd_check_wanted(const char *entry, heddle_context *ctx, const char *what,
                              const void *wanted, size_t count, size_t bytes);
/* Each is 0 to 1. */
heddle_status hd_check_shares(const char *entry, const f64 *q, size_t q_count);
/* All are below `count`, elements of the array or of `where`. */
heddle_status hd_check_ranks(const char *entry, const u64 *ranks, size_t rank_count, u64 count,
                             const char *where);

#endif

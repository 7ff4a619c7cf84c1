/* rank.h - what order statistics of an array and of rows share: checks of what they are asked for */
#ifndef HEDDLE_API_RANK_H
#define HEDDLE_API_RANK_H

#include "api/api.h"

/* An array of the host's that says what is wanted. */
heddle_status hd_check_wanted(const char *entry, heddle_context *ctx, const char *what,
                              const void *wanted, size_t count, size_t bytes);
/* Each is 0 to 1. */
heddle_status hd_check_shares(const char *entry, const f64 *q, size_t q_count);
/* All are below `count`, elements of the array or of `where`. */
heddle_status hd_check_ranks(const char *entry, const u64 *ranks, size_t rank_count, u64 count,
                             const char *where);

#endif

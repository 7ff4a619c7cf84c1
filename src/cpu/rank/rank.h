/* rank.h - order statistics on a CPU: what the room's files share
 *
 * Elements are those at the call's io. The context's lock is held. */
#ifndef HEDDLE_CPU_RANK_RANK_H
#define HEDDLE_CPU_RANK_RANK_H

#include "cpu/cpu.h"
#include "find.h"

enum { HD_RANK_FIRST_PART = 4 /* a k of more than such a part of the elements: a sort of all */ };

/* out[j] = the element of rank ranks[j] among n, in the bits of heddle_sort; ranks in any order. */
heddle_status hd_cpu_rank_take(struct hd_cpu_rank_call *call, size_t n, const u64 *ranks,
                               size_t rank_count, void *out);
/* Elements that the query's keys stand for. */
void hd_cpu_rank_elements(const struct hd_cpu_rank_call *call, const u64 *keys, size_t n,
                          void *out);

/* The first k of n elements and their positions; either may be NULL. The call's keys are those of positions. */
heddle_status hd_cpu_rank_first(struct hd_cpu_rank_call *call, size_t n, size_t k, void *out,
                                void *index);
/* near.c: the same of a small part of few elements; false: nothing was written. */
bool hd_cpu_rank_first_near(const struct hd_cpu_rank_call *call, size_t n, size_t k, void *out,
                            void *index);
/* What it holds at most of a call with a room of its own. */
size_t hd_cpu_rank_first_bytes(const struct hd_cpu_rank_call *call, size_t n);
/* collect.c: positions of all keys up to `limit`, in order; *count of them, of which `room` are there at most. */
heddle_status hd_cpu_rank_collect(struct hd_cpu_rank_call *call, size_t n, u64 limit,
                                  u64 *positions, size_t room, size_t *count);
/* The same of the first `wanted` keys that are `key`. */
heddle_status hd_cpu_rank_collect_equal(struct hd_cpu_rank_call *call, size_t n, u64 key,
                                        u64 *positions, size_t wanted);

void hd_cpu_rank_fill_nan(f64 *out, size_t n);
/* Quantiles of n elements; none, or skipping none but NaN: *empty, and nothing is written. */
heddle_status hd_cpu_rank_quantiles(struct hd_cpu_rank_call *call, const struct hd_quantiles *job,
                                    size_t n, const f64 *q, size_t q_count, f64 *out, bool *empty);
/* The least key of a NaN, where they are last; above all keys of integers. */
u64 hd_cpu_rank_nan_key(const struct hd_cpu_rank_call *call);

/* With weights; HEDDLE_EMPTY and HEDDLE_BAD_DATA. The lock is not held. */
heddle_status hd_cpu_rank_weighted(heddle_context *ctx, const struct hd_quantiles *job,
                                   const void *in, const void *weights, size_t count, const f64 *q,
                                   size_t q_count, f64 *out);
/* The same of every row; HEDDLE_BAD_DATA. A row of no weight has NaN. */
heddle_status hd_cpu_rank_weighted_rows(heddle_context *ctx, const struct hd_quantiles *job,
                                        const void *in, const void *weights,
                                        const heddle_rows *rows, const f64 *q, size_t q_count,
                                        f64 *out);
static inline bool hd_cpu_rank_is_weight(f64 w) { return w >= 0 && w - w == 0; }
f64 hd_cpu_rank_weight(heddle_type type, const char *weights, size_t i);
/* Positions of shares, rising. */
void hd_cpu_rank_order_shares(const f64 *q, size_t *order, size_t n);
/* Of `count` numbers sorted with their weights, which are checked; false: the weights are none. By one thread. */
bool hd_cpu_rank_weigh(heddle_context *ctx, const struct hd_quantiles *job, const void *sorted,
                       const void *weights, size_t count, const f64 *q, const size_t *order,
                       size_t q_count, f64 *out);

/* choose.c, rows.c: as heddle_explain gives it. */
const struct hd_sort *hd_cpu_rank_sort_of(const struct hd_asked *asked);
void hd_cpu_rank_choose(heddle_context *ctx, const struct hd_asked *asked, size_t n,
                        struct hd_cpu_choice *choice);
void hd_cpu_rank_rows_choose(heddle_context *ctx, const struct hd_asked *asked,
                             const heddle_rows *rows, struct hd_cpu_choice *choice);

#endif

/* weighted.c - quantiles by weights: the element up to which they reach a share of their sum
 *
 * Result   the first element, in order and of equal ones by position, whose weight is above 0 and up to which
 *          the real sum of weights is at least the real product of share and whole sum
 * Method   Elements are sorted with their weights; sums are exact (order/exact), a block of weights at a time,
 *          and only the block in which a share is reached is walked one by one. */
#include <string.h>

#include "cpu/exact/exact.h"
#include "host/status.h"
#include "order/convert.h"
#include "order/exact/share.h"
#include "order/quantile.h"
#include "rank.h"

enum { BLOCK = 2048 }; /* weights between comparisons */

struct weighing {
  struct hd_cpu_exact_call call;
  struct hd_exact_guess guess;
  struct hd_exact_span span; /* of weights, and of shares of their sum */
  const char *weights;       /* in the order of elements */
  heddle_type type;
  size_t count;
};

f64 hd_cpu_rank_weight(heddle_type type, const char *weights, size_t i) {
  f64 w;
  if (type == HEDDLE_F32) {
    f32 narrow;
    memcpy(&narrow, weights + i * sizeof narrow, sizeof narrow);
    return (f64)narrow;
  }
  memcpy(&w, weights + i * sizeof w, sizeof w);
  return w;
}

static heddle_status check_weights(const struct hd_quantiles *job, const void *weights, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const f64 w = hd_cpu_rank_weight(job->weights_type, weights, i);
    if (hd_cpu_rank_is_weight(w)) continue;
    return hd_fail(HEDDLE_BAD_DATA,
                   "%s: weight %zu is %g; weights are finite and not negative: mask such elements",
                   job->sort.entry, i, w);
  }
  return HEDDLE_OK;
}

/* *sum, carried, gains weights first .. first + n. */
static void add_weights(struct weighing *w, struct hd_exact *sum, size_t first, size_t n) {
  const char *at = w->weights + first * heddle_type_size(w->type);
  hd_cpu_exact_take(&w->call, &w->guess, sum, at, at, n);
  hd_exact_carry(sum, (struct hd_exact_span){0, HD_EXACT_LIMBS});
}

/* The first weight above 0 up to which the sum reaches the share, from a block's first on; *before is the sum
 * of those before the block, and becomes that of those before the result's. */
static size_t find(struct weighing *w, const struct hd_exact *share, struct hd_exact *before,
                   size_t *block) {
  struct hd_exact next;
  for (;;) {
    const size_t n = w->count - *block < BLOCK ? w->count - *block : BLOCK;
    next = *before;
    add_weights(w, &next, *block, n);
    if (hd_exact_reaches(&next, share) || *block + n == w->count) break;
    *before = next;
    *block += n;
  }
  next = *before;
  size_t at = *block, last = *block;
  for (; at < w->count; at++) {
    const f64 weight = hd_cpu_rank_weight(w->type, w->weights, at);
    if (weight == 0) continue;
    last = at;
    hd_exact_add(&next, w->span, weight);
    hd_exact_carry(&next, (struct hd_exact_span){0, HD_EXACT_LIMBS});
    if (hd_exact_reaches(&next, share)) break;
  }
  return last;
}

/* Shares in rising order, as *order names them: one walk over the weights for all. */
static void find_all(struct weighing *w, const struct hd_exact *whole,
                     const struct hd_quantiles *job, const void *sorted, const f64 *q,
                     const size_t *order, size_t q_count, f64 *out) {
  struct hd_exact before, share;
  size_t block = 0;
  memset(&before, 0, sizeof before);
  for (size_t j = 0; j < q_count; j++) {
    hd_exact_share(whole, q[order[j]], &share);
    const size_t at = find(w, &share, &before, &block);
    hd_convert_one(job->type, (const char *)sorted + at * heddle_type_size(job->type), HEDDLE_F64,
                   &out[order[j]]);
  }
}

/* Positions of q, by heap sort: there may be many. */
static void sift(const f64 *q, size_t *order, size_t root, size_t n) {
  for (size_t child; (child = 2 * root + 1) < n; root = child) {
    if (child + 1 < n && q[order[child + 1]] > q[order[child]]) child++;
    if (q[order[root]] >= q[order[child]]) return;
    const size_t moved = order[root];
    order[root] = order[child];
    order[child] = moved;
  }
}
void hd_cpu_rank_order_shares(const f64 *q, size_t *order, size_t n) {
  for (size_t i = 0; i < n; i++) order[i] = i;
  for (size_t i = n / 2; i-- > 0;) sift(q, order, i, n);
  for (size_t end = n; end-- > 1;) {
    const size_t moved = order[0];
    order[0] = order[end];
    order[end] = moved;
    sift(q, order, 0, end);
  }
}

bool hd_cpu_rank_weigh(heddle_context *ctx, const struct hd_quantiles *job, const void *sorted,
                       const void *weights, size_t count, const f64 *q, const size_t *order,
                       size_t q_count, f64 *out) {
  struct hd_fold fold = {.entry = job->sort.entry,
                         .verb = HD_REDUCE,
                         .op = HEDDLE_SUM,
                         .type = job->weights_type,
                         .acc_type = HEDDLE_F64,
                         .out_type = HEDDLE_F64,
                         .nan = HEDDLE_NAN_PROPAGATE,
                         .exact = true};
  struct weighing w = {.call = hd_cpu_exact_call(ctx->kernels, &fold),
                       .weights = weights,
                       .type = job->weights_type,
                       .count = count};
  struct hd_exact whole;
  w.span = w.call.span;
  memset(&whole, 0, sizeof whole);
  add_weights(&w, &whole, 0, count);
  bool any = false;
  for (u32 k = 0; k < HD_EXACT_LIMBS; k++) any |= whole.limb[k] != 0;
  if (any) find_all(&w, &whole, job, sorted, q, order, q_count, out);
  return any;
}

static heddle_status count_nan(heddle_context *ctx, const struct hd_quantiles *job, const void *in,
                               size_t n, u64 *nan) {
  struct hd_cpu_rank_call call;
  struct hd_cpu_rank_query query = {.count = true};
  const struct hd_cpu_rank_set set = {NULL, n};
  if (!hd_is_float(job->type)) return HEDDLE_OK;
  hd_cpu_rank_call_make(&call, ctx, &job->sort, n, false);
  hd_cpu_rank_point(&call, in);
  query.from = hd_cpu_rank_nan_key(&call);
  pthread_mutex_lock(&ctx->lock);
  const heddle_status status = hd_cpu_rank_find(&call, set, &query);
  pthread_mutex_unlock(&ctx->lock);
  *nan = query.above;
  return status;
}

heddle_status hd_cpu_rank_weighted(heddle_context *ctx, const struct hd_quantiles *job,
                                   const void *in, const void *weights, size_t count, const f64 *q,
                                   size_t q_count, f64 *out) {
  const size_t size = heddle_type_size(job->type), weight = heddle_type_size(job->weights_type);
  u64 nan = 0;
  size_t keys, values, orders, bytes;
  HD_TRY(check_weights(job, weights, count));
  HD_TRY(count_nan(ctx, job, in, count, &nan));
  if (nan && job->nan == HEDDLE_NAN_PROPAGATE) {
    for (size_t j = 0; j < q_count; j++) out[j] = hd_f64_of_bits(HD_NAN_F64);
    return HEDDLE_OK;
  }
  keys = (count * size + 63) & ~(size_t)63;
  values = (count * weight + 63) & ~(size_t)63;
  if (!hd_product(q_count, sizeof(size_t), &orders) ||
      __builtin_add_overflow(keys + values, orders, &bytes))
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: %zu shares are more than memory holds",
                   job->sort.entry, q_count);
  char *memory = hd_allocate(ctx, bytes);
  if (!memory) return HEDDLE_OUT_OF_MEMORY;
  struct hd_sort sort = job->sort;
  sort.what = HD_SORT_PAIRS;
  sort.value_bytes = (u32)weight;
  const struct hd_sort_arrays arrays = {in, weights, memory, memory + keys};
  heddle_status status = hd_cpu_sort(ctx, &sort, &arrays, count);
  size_t *order = (size_t *)(void *)(memory + keys + values);
  hd_cpu_rank_order_shares(q, order, q_count);
  if (!status && !hd_cpu_rank_weigh(ctx, job, memory, memory + keys, count - (size_t)nan, q, order,
                                    q_count, out))
    status = hd_fail(HEDDLE_EMPTY, "%s: the sum of weights is 0; a quantile takes a weight above 0",
                     job->sort.entry);
  hd_release(ctx, memory, bytes);
  return status;
}

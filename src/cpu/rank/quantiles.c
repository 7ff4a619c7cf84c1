/* quantiles.c - quantiles of an array: from shares to ranks, from their elements to values
 *
 * Method   The ranks of all shares are found together, and in the same read NaN are counted, which lie behind all
 *          numbers: skipping them makes the array shorter, and the ranks are found again. */
#include <stdlib.h>
#include <string.h>

#include "host/status.h"
#include "order/convert.h"
#include "order/quantile.h"
#include "rank.h"

/* Places of all shares among n elements; their ranks, each once and rising, and the elements of these. */
struct places {
  struct hd_quantile_place *place;
  u64 *ranks, *found;
  char *elements;
  size_t rank_count;
};

static int by_value(const void *a, const void *b) {
  u64 x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  return (x > y) - (x < y);
}

static void find_places(struct places *p, heddle_quantile_method method, u64 n, const f64 *q,
                        size_t q_count) {
  size_t kept = 0;
  for (size_t j = 0; j < q_count; j++) {
    hd_quantile_place((u32)method, n, q[j], &p->place[j]);
    p->ranks[2 * j] = p->place[j].lower;
    p->ranks[2 * j + 1] = p->place[j].upper;
  }
  qsort(p->ranks, 2 * q_count, sizeof *p->ranks, by_value);
  for (size_t i = 0; i < 2 * q_count; i++)
    if (!kept || p->ranks[kept - 1] != p->ranks[i]) p->ranks[kept++] = p->ranks[i];
  p->rank_count = kept;
}

static size_t index_of(const struct places *p, u64 rank) {
  size_t low = 0, high = p->rank_count;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (p->ranks[middle] <= rank)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static f64 element(heddle_type type, const void *elements, size_t i) {
  f64 value;
  hd_convert_one(type, (const char *)elements + i * heddle_type_size(type), HEDDLE_F64, &value);
  return value;
}

void hd_cpu_rank_fill_nan(f64 *out, size_t n) {
  for (size_t j = 0; j < n; j++) out[j] = hd_f64_of_bits(HD_NAN_F64);
}

u64 hd_cpu_rank_nan_key(const struct hd_cpu_rank_call *call) {
  struct hd_cpu_sort_io io = call->sort.io;
  char infinity[sizeof(u64)];
  u64 key = 0;
  const u32 narrow = (u32)io.map.infinity;
  const u16 narrower = (u16)io.map.infinity;
  memcpy(infinity, &io.map.infinity, sizeof infinity);
  if (io.map.bits == 32) memcpy(infinity, &narrow, sizeof narrow);
  if (io.map.bits == 16) memcpy(infinity, &narrower, sizeof narrower);
  io.keys = infinity;
  io.keys_step = 0;
  call->sort.kernels->load(&io, 0, 1, &key);
  return hd_cpu_rank_key_at(call, &key, 0) + 1;
}

/* ---- ranks ----------------------------------------------------------------------------------- */

/* A few elements from all over have a NaN. */
static bool shows_nan(const struct hd_cpu_rank_call *call, size_t n, u64 nan) {
  enum { SOME = 32 };
  const struct hd_cpu_rank_set set = {NULL, n};
  u64 room[1];
  for (size_t i = 0; i < SOME; i++) {
    const size_t at = (size_t)((f64)i / SOME * (f64)n);
    if (hd_cpu_rank_key_at(call, hd_cpu_rank_keys(call, &set, at, 1, room), 0) >= nan) return true;
  }
  return false;
}

/* The elements of all ranks among n - *nan; NaN are counted, where there are any: *nan. */
static heddle_status find_ranks(struct hd_cpu_rank_call *call, const struct hd_quantiles *job,
                                size_t n, const f64 *q, size_t q_count, struct places *p,
                                u64 *nan) {
  const struct hd_cpu_rank_set set = {NULL, n};
  const bool skip = job->nan == HEDDLE_NAN_SKIP;
  struct hd_cpu_rank_query query = {.ranks = p->ranks, .found = p->found};
  query.count = hd_is_float(job->type);
  if (query.count) query.from = hd_cpu_rank_nan_key(call);
  *nan = 0;
  if (query.count && skip && shows_nan(call, n, query.from)) {
    HD_TRY(hd_cpu_rank_find(call, set, &query));
    *nan = query.above;
    query.count = false;
    if (*nan == n) return HEDDLE_OK;
  }
  find_places(p, job->method, n - *nan, q, q_count);
  query.rank_count = p->rank_count;
  HD_TRY(hd_cpu_rank_find(call, set, &query));
  if (query.count && query.above) {
    *nan = query.above;
    if (*nan == n || !skip) return HEDDLE_OK;
    query.count = false;
    find_places(p, job->method, n - *nan, q, q_count);
    query.rank_count = p->rank_count;
    HD_TRY(hd_cpu_rank_find(call, set, &query));
  }
  hd_cpu_rank_elements(call, p->found, p->rank_count, p->elements);
  return HEDDLE_OK;
}

heddle_status hd_cpu_rank_quantiles(struct hd_cpu_rank_call *call, const struct hd_quantiles *job,
                                    size_t n, const f64 *q, size_t q_count, f64 *out, bool *empty) {
  enum { EACH = sizeof(struct hd_quantile_place) + 6 * sizeof(u64), ON_STACK = 8 };
  u64 few[ON_STACK * EACH / sizeof(u64)];
  size_t bytes;
  u64 nan;
  char *memory = (char *)few;
  *empty = !n;
  if (!n) return HEDDLE_OK;
  if (!hd_product(q_count, EACH, &bytes))
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: %zu shares are more than memory holds",
                   job->sort.entry, q_count);
  if (q_count > ON_STACK) memory = hd_cpu_rank_hold(call, bytes);
  if (!memory) return HEDDLE_OUT_OF_MEMORY;
  struct places p = {.place = (struct hd_quantile_place *)(void *)memory};
  p.ranks = (u64 *)(void *)(p.place + q_count);
  p.found = p.ranks + 2 * q_count;
  p.elements = (char *)(p.found + 2 * q_count);
  const heddle_status status = find_ranks(call, job, n, q, q_count, &p, &nan);
  *empty = nan == n && job->nan == HEDDLE_NAN_SKIP;
  const bool lost = nan && job->nan == HEDDLE_NAN_PROPAGATE;
  if (lost && !status) hd_cpu_rank_fill_nan(out, q_count);
  for (size_t j = 0; j < q_count && !status && !lost && !*empty; j++) {
    const struct hd_quantile_place *at = &p.place[j];
    out[j] =
        hd_quantile_value((u32)job->method, element(job->type, p.elements, index_of(&p, at->lower)),
                          element(job->type, p.elements, index_of(&p, at->upper)), at->t);
  }
  if (memory != (char *)few) hd_cpu_rank_give(call, memory, bytes);
  return status;
}

heddle_status hd_cpu_quantiles(heddle_context *ctx, const struct hd_quantiles *job, const void *in,
                               const void *weights, size_t count, const f64 *q, size_t q_count,
                               f64 *out) {
  struct hd_cpu_rank_call call;
  bool empty;
  if (weights) return hd_cpu_rank_weighted(ctx, job, in, weights, count, q, q_count, out);
  hd_cpu_rank_call_make(&call, ctx, &job->sort, count, false);
  hd_cpu_rank_point(&call, in);
  pthread_mutex_lock(&ctx->lock);
  const heddle_status status = hd_cpu_rank_quantiles(&call, job, count, q, q_count, out, &empty);
  pthread_mutex_unlock(&ctx->lock);
  if (status || !empty) return status;
  return hd_fail(HEDDLE_EMPTY,
                 "%s: all %zu elements are NaN, and are skipped; a quantile takes at least one",
                 job->sort.entry, count);
}

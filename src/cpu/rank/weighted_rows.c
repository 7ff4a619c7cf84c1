/* weighted_rows.c - quantiles by weights of every row: segments, or an axis of a strided array
 *
 * Method   All rows are sorted with their weights into memory where they lie one behind the other; then threads take
 *          rows by a ticket, and weigh each as weighted.c does an array. Weights are looked at before any result is
 *          written.
 * Memory   elements and weights of all rows */
#include <stdatomic.h>
#include <string.h>

#include "cpu/rows.h"
#include "host/status.h"
#include "order/quantile.h"
#include "rank.h"

enum { GROUP_ELEMENTS = 1 << 14 }; /* a ticket's worth of short rows */

struct weighted_rows {
  heddle_context *ctx;
  const struct hd_quantiles *job;
  struct hd_cpu_row_walk walk; /* of the rows as they lie in memory of the call */
  const char *sorted, *weights;
  size_t size, weight_size;
  const f64 *q;
  const size_t *order; /* shares, rising */
  size_t q_count;
  f64 *out;
  u64 group;
  bool weigh;                       /* else weights are looked at */
  atomic_uint_fast64_t ticket, bad; /* bad: the last row with a weight that is none, and 1 more */
  struct hd_cancellation token;
};

/* The same rows, each without steps and behind the one before. */
struct dense_rows {
  heddle_rows rows;
  size_t shape[HEDDLE_MAX_DIMS];
  ptrdiff_t from_strides[HEDDLE_MAX_DIMS];
};

/* The axis becomes the last: *from, as the rows lie, and *d, in C order without gaps. */
static void turn(const heddle_rows *rows, heddle_rows *from, struct dense_rows *d) {
  *from = *rows;
  d->rows = *rows;
  if (rows->offsets) return;
  size_t to = 0;
  for (size_t i = 0; i < rows->dims; i++) {
    if (i == rows->axis) continue;
    d->shape[to] = rows->shape[i], d->from_strides[to++] = hd_rows_stride(rows, i);
  }
  d->shape[to] = rows->shape[rows->axis], d->from_strides[to] = hd_rows_stride(rows, rows->axis);
  from->shape = d->rows.shape = d->shape;
  from->strides = d->from_strides;
  from->axis = d->rows.axis = rows->dims - 1;
  d->rows.strides = NULL;
}

/* ---- a row ----------------------------------------------------------------------------------- */

static bool is_nan(const struct weighted_rows *w, const char *at) {
  const struct hd_sort_map *map = &w->job->sort.map;
  u64 bits = 0;
  memcpy(&bits, at, w->size);
  return (bits & (((u64)1 << (map->bits - 1)) - 1)) > map->infinity;
}

static void weigh_row(const struct weighted_rows *w, u64 r, u64 start, size_t n) {
  const char *sorted = w->sorted + start * w->size, *weights = w->weights + start * w->weight_size;
  f64 *out = w->out + r * w->q_count;
  size_t numbers = n;
  while (hd_is_float(w->job->type) && numbers && is_nan(w, sorted + (numbers - 1) * w->size))
    numbers--;
  const bool lost = numbers < n && w->job->nan == HEDDLE_NAN_PROPAGATE;
  if (!lost &&
      hd_cpu_rank_weigh(w->ctx, w->job, sorted, weights, numbers, w->q, w->order, w->q_count, out))
    return;
  for (size_t j = 0; j < w->q_count; j++) out[j] = hd_f64_of_bits(HD_NAN_F64);
}

static void look_at_row(struct weighted_rows *w, u64 r, u64 start, size_t n) {
  const char *weights = w->weights + start * w->weight_size;
  for (size_t i = 0; i < n; i++)
    if (!hd_cpu_rank_is_weight(hd_cpu_rank_weight(w->job->weights_type, weights, i))) {
      atomic_store(&w->bad, r + 1);
      return;
    }
}

static void task(void *arg, size_t worker) {
  struct weighted_rows *w = arg;
  (void)worker;
  for (;;) {
    u64 r = atomic_fetch_add_explicit(&w->ticket, w->group, memory_order_relaxed);
    if (r >= w->walk.count || hd_poll(&w->token)) return;
    const u64 end = w->walk.count - r < w->group ? w->walk.count : r + w->group;
    for (; r < end; r++) {
      const struct hd_cpu_row row = hd_cpu_row_at(&w->walk, r);
      if (w->weigh)
        weigh_row(w, r, (u64)row.start, (size_t)row.length);
      else
        look_at_row(w, r, (u64)row.start, (size_t)row.length);
    }
  }
}

/* ---- all rows -------------------------------------------------------------------------------- */

static heddle_status pass(struct weighted_rows *w, bool weigh) {
  const size_t most = hd_cpu_sort_workers(w->ctx, (size_t)w->walk.elements);
  w->group = GROUP_ELEMENTS / (w->walk.elements / w->walk.count + 1) + 1;
  const u64 groups = (w->walk.count + w->group - 1) / w->group;
  w->weigh = weigh;
  atomic_store(&w->ticket, 0);
  pthread_mutex_lock(&w->ctx->lock);
  hd_cancellation_start(&w->token, w->ctx);
  hd_cpu_sort_run(w->ctx, most < groups ? most : (size_t)groups, task, w);
  pthread_mutex_unlock(&w->ctx->lock);
  return hd_cancellation_status(&w->token, w->job->sort.entry);
}

static heddle_status weigh_all(struct weighted_rows *w) {
  HD_TRY(pass(w, false));
  const u64 bad = atomic_load(&w->bad);
  if (bad)
    return hd_fail(HEDDLE_BAD_DATA,
                   "%s: row %llu has a weight that is negative, NaN or infinite; weights are "
                   "finite and not negative: mask such elements",
                   w->job->sort.entry, (unsigned long long)bad - 1);
  return pass(w, true);
}

static heddle_status sort_and_weigh(struct weighted_rows *w, const void *in, const void *weights,
                                    const heddle_rows *from, u64 first, char *keys, char *values) {
  struct hd_sort sort = w->job->sort;
  sort.what = HD_SORT_PAIRS;
  sort.value_bytes = (u32)w->weight_size;
  /* The memory begins with the first element of rows. */
  w->sorted = (char *)((uintptr_t)keys - first * w->size);
  w->weights = (char *)((uintptr_t)values - first * w->weight_size);
  const struct hd_sort_arrays arrays = {in, weights, (void *)(uintptr_t)w->sorted,
                                        (void *)(uintptr_t)w->weights};
  HD_TRY(hd_cpu_sort_rows(w->ctx, &sort, &arrays, from));
  return weigh_all(w);
}

heddle_status hd_cpu_rank_weighted_rows(heddle_context *ctx, const struct hd_quantiles *job,
                                        const void *in, const void *weights,
                                        const heddle_rows *rows, const f64 *q, size_t q_count,
                                        f64 *out) {
  struct weighted_rows w = {.ctx = ctx,
                            .job = job,
                            .size = heddle_type_size(job->type),
                            .weight_size = heddle_type_size(job->weights_type),
                            .q = q,
                            .q_count = q_count,
                            .out = out};
  struct dense_rows dense;
  heddle_rows from;
  size_t keys, values, orders, bytes;
  turn(rows, &from, &dense);
  hd_cpu_row_walk_start(&w.walk, &dense.rows);
  if (!w.walk.count) return HEDDLE_OK;
  const size_t n = (size_t)w.walk.elements;
  if (!hd_product(n, w.size, &keys) || !hd_product(n, w.weight_size, &values) ||
      !hd_product(q_count, sizeof(size_t), &orders) ||
      __builtin_add_overflow(keys, (size_t)63, &keys) ||
      __builtin_add_overflow(keys & ~(size_t)63, values, &bytes) ||
      __builtin_add_overflow(bytes, (size_t)63, &bytes) ||
      __builtin_add_overflow(bytes & ~(size_t)63, orders, &bytes))
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: rows and shares are more than memory holds",
                   job->sort.entry);
  char *memory = hd_allocate(ctx, bytes);
  if (!memory) return HEDDLE_OUT_OF_MEMORY;
  size_t *order = (size_t *)(void *)(memory + (bytes - orders));
  hd_cpu_rank_order_shares(q, order, q_count);
  w.order = order;
  atomic_init(&w.ticket, 0);
  atomic_init(&w.bad, 0);
  const heddle_status status =
      sort_and_weigh(&w, in, weights, &from, rows->offsets ? rows->offsets[0] : 0, memory,
                     memory + (keys & ~(size_t)63));
  hd_release(ctx, memory, bytes);
  return status;
}

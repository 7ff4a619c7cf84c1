/* rows.c - order statistics of every row: segments, or an axis of a strided array
 *
 * Method   Threads take groups of rows by a ticket, each with memory of its own; a row that is larger than a cache
 *          is searched by all threads together. Rows are read from where they lie. */
#include <string.h>

#include "cpu/rows.h"
#include "host/status.h"
#include "order/quantile.h"
#include "rank.h"

enum { GROUP_ELEMENTS = 1 << 14 }; /* a ticket's worth of short rows */

/* A call of one of the three verbs: its results a row, and what takes one row. */
struct row_job {
  struct hd_cpu_rank_call plain;
  const char *in;
  struct hd_cpu_row_walk walk;
  const u64 *ranks;               /* nth */
  const struct hd_quantiles *job; /* quantiles */
  const f64 *q;
  size_t each; /* ranks, k or shares */
  void *out, *index;
  heddle_status (*row)(const struct row_job *job, struct hd_cpu_rank_call *call, u64 r, size_t n);
  size_t longest, room_bytes; /* of rows that a thread takes alone */
  u64 group;
  char *memory;
  atomic_uint_fast64_t ticket;
};

static heddle_status row_of_nth(const struct row_job *job, struct hd_cpu_rank_call *call, u64 r,
                                size_t n) {
  const size_t size = call->sort.io.map.bits / 8;
  return hd_cpu_rank_take(call, n, job->ranks, job->each, (char *)job->out + r * job->each * size);
}

static heddle_status row_of_partial(const struct row_job *job, struct hd_cpu_rank_call *call, u64 r,
                                    size_t n) {
  const size_t size = call->sort.io.map.bits / 8, places = call->sort.sort->value_bytes;
  return hd_cpu_rank_first(call, n, job->each,
                           job->out ? (char *)job->out + r * job->each * size : NULL,
                           job->index ? (char *)job->index + r * job->each * places : NULL);
}

static heddle_status row_of_quantiles(const struct row_job *job, struct hd_cpu_rank_call *call,
                                      u64 r, size_t n) {
  f64 *out = (f64 *)job->out + r * job->each;
  bool empty;
  HD_TRY(hd_cpu_rank_quantiles(call, job->job, n, job->q, job->each, out, &empty));
  if (empty) hd_cpu_rank_fill_nan(out, job->each);
  return HEDDLE_OK;
}

static heddle_status take_row(const struct row_job *job, struct hd_cpu_rank_call *call, u64 r,
                              const struct hd_cpu_row *row) {
  const i64 size = (i64)call->sort.io.map.bits / 8;
  call->sort.io.keys = job->in ? job->in + row->start * size : NULL;
  call->sort.io.keys_step = row->step * size;
  return job->row(job, call, r, (size_t)row->length);
}

static void task(void *arg, size_t worker) {
  struct row_job *job = arg;
  struct hd_cpu_rank_call call = job->plain;
  call.room = job->memory + worker * job->room_bytes;
  call.room_bytes = job->room_bytes;
  for (;;) {
    u64 r = atomic_fetch_add_explicit(&job->ticket, job->group, memory_order_relaxed);
    if (r >= job->walk.count || hd_poll(&job->plain.sort.token)) return;
    const u64 end = job->walk.count - r < job->group ? job->walk.count : r + job->group;
    for (; r < end; r++) {
      const struct hd_cpu_row row = hd_cpu_row_at(&job->walk, r);
      /* The room is enough for a row, and no other memory is asked for: nothing fails. */
      if (row.length <= job->longest) (void)take_row(job, &call, r, &row);
    }
  }
}

/* Rows that a thread does not take alone. */
static heddle_status take_long_rows(struct row_job *job) {
  for (u64 r = 0; r < job->walk.count; r++) {
    const struct hd_cpu_row row = hd_cpu_row_at(&job->walk, r);
    if (row.length <= job->longest) {
      if (!job->walk.rows->offsets) return HEDDLE_OK; /* nor is any other longer */
      continue;
    }
    HD_TRY(take_row(job, &job->plain, r, &row));
    if (hd_poll(&job->plain.sort.token)) break;
  }
  return hd_cancellation_status(&job->plain.sort.token, job->plain.sort.sort->entry);
}

static u64 longest_row(const heddle_rows *rows) {
  u64 longest = 0;
  if (!rows->offsets) return rows->shape[rows->axis];
  for (size_t r = 0; r < rows->segments; r++)
    if (rows->offsets[r + 1] - rows->offsets[r] > longest)
      longest = rows->offsets[r + 1] - rows->offsets[r];
  return longest;
}

/* Memory of one row of the results' side: ranks, places, elements. */
static bool results_bytes(const struct row_job *job, size_t *bytes) {
  enum { EACH = 128, SLACK = 8 * 64 };
  if (!hd_product(job->each, EACH, bytes)) return false;
  return !__builtin_add_overflow(*bytes, SLACK, bytes);
}

/* How rows are shared; threads that take them. */
static size_t share_rows(struct row_job *job, u64 longest) {
  const size_t near = job->plain.sort.near_items;
  job->longest = longest < near ? (size_t)longest : near;
  job->group = GROUP_ELEMENTS / (job->walk.elements / job->walk.count + 1) + 1;
  const u64 groups = (job->walk.count + job->group - 1) / job->group;
  const size_t workers = hd_cpu_sort_workers(job->plain.ctx, (size_t)job->walk.elements);
  return workers < groups ? workers : (size_t)groups;
}

static heddle_status take_rows(struct row_job *job) {
  heddle_context *ctx = job->plain.ctx;
  const u64 longest = longest_row(job->walk.rows);
  const size_t workers = share_rows(job, longest);
  size_t results, bytes;
  if (!results_bytes(job, &results) ||
      __builtin_add_overflow(results,
                             hd_cpu_rank_room_bytes(&job->plain, job->longest) +
                                 hd_cpu_rank_first_bytes(&job->plain, job->longest),
                             &job->room_bytes) ||
      !hd_product(workers, job->room_bytes, &bytes))
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: %zu results a row take more than memory holds",
                   job->plain.sort.sort->entry, job->each);
  job->memory = hd_allocate(ctx, bytes);
  if (!job->memory) return HEDDLE_OUT_OF_MEMORY;
  atomic_init(&job->ticket, 0);
  hd_cpu_sort_run(ctx, workers, task, job);
  heddle_status status =
      hd_cancellation_status(&job->plain.sort.token, job->plain.sort.sort->entry);
  if (!status && longest > job->longest) status = take_long_rows(job);
  hd_release(ctx, job->memory, bytes);
  return status;
}

static heddle_status run(heddle_context *ctx, const struct hd_sort *sort, const void *in,
                         const heddle_rows *rows, bool canonical, struct row_job *job) {
  hd_cpu_rank_call_make(&job->plain, ctx, sort, longest_row(rows), canonical);
  job->in = in;
  hd_cpu_row_walk_start(&job->walk, rows);
  if (!job->walk.count) return HEDDLE_OK;
  pthread_mutex_lock(&ctx->lock);
  const heddle_status status = take_rows(job);
  pthread_mutex_unlock(&ctx->lock);
  return status;
}

heddle_status hd_cpu_nth_rows(heddle_context *ctx, const struct hd_sort *sort, const void *in,
                              const heddle_rows *rows, const u64 *ranks, size_t rank_count,
                              void *out) {
  struct row_job job = {.ranks = ranks, .each = rank_count, .out = out, .row = row_of_nth};
  return run(ctx, sort, in, rows, false, &job);
}

heddle_status hd_cpu_partial_sort_rows(heddle_context *ctx, const struct hd_sort *sort,
                                       const void *in, const heddle_rows *rows, size_t k, void *out,
                                       void *index) {
  struct row_job job = {.each = k, .out = out, .index = index, .row = row_of_partial};
  return run(ctx, sort, in, rows, true, &job);
}

heddle_status hd_cpu_quantiles_rows(heddle_context *ctx, const struct hd_quantiles *job,
                                    const void *in, const void *weights, const heddle_rows *rows,
                                    const f64 *q, size_t q_count, f64 *out) {
  if (weights) return hd_cpu_rank_weighted_rows(ctx, job, in, weights, rows, q, q_count, out);
  struct row_job rows_job = {
      .job = job, .q = q, .each = q_count, .out = out, .row = row_of_quantiles};
  return run(ctx, &job->sort, in, rows, false, &rows_job);
}

void hd_cpu_rank_rows_choose(heddle_context *ctx, const struct hd_asked *asked,
                             const heddle_rows *rows, struct hd_cpu_choice *choice) {
  struct row_job job = {.each = asked->wanted};
  const u64 longest = longest_row(rows);
  hd_cpu_rank_call_make(&job.plain, ctx, hd_cpu_rank_sort_of(asked), longest, false);
  hd_cpu_row_walk_start(&job.walk, rows);
  *choice = (struct hd_cpu_choice){.strategy = "rows",
                                   .kernel = job.plain.key_bytes == 8 ? "rank_u64" : "rank_u32",
                                   .file = "cpu/rank/rows.c",
                                   .threads = share_rows(&job, longest)};
  const size_t all = longest > job.longest ? hd_cpu_sort_workers(ctx, (size_t)longest) : 1;
  if (all > choice->threads) choice->threads = all;
}

/* rows.c - nth, partial_sort and quantiles of rows on a device
 *
 * Method   Rows are brought together where they do not lie one behind the other. Long ones are searched one after the
 *          other, all others are sorted, some at a time.
 * Limits   offsets in device memory are copied to the host, for which the call waits */
#include "cuda/rows/rows.h"
#include "cuda/core/inside.h"
#include "host/status.h"
#include "rank.h"

/* Rows one behind the other on the device, from element 0 of their array on. */
struct rank_rows {
  struct hd_cuda_sort_rows rows;
  struct hd_cuda_row_plan plan;
  cu_pointer in, weights;
};

static heddle_status bring_axis(struct hd_cuda_rank *rank, const void *in, const void *weights,
                                const heddle_rows *rows, struct rank_rows *r) {
  const struct hd_cuda_sort_job *job = &rank->job;
  r->rows = (struct hd_cuda_sort_rows){.rows = r->plan.view.rows, .length = r->plan.view.length};
  r->rows.elements = r->rows.rows * r->rows.length;
  if (!r->rows.elements) return HEDDLE_OK;
  if (weights)
    HD_TRY(hd_cuda_sort_rows_input(job, "options->weights", weights, rank->sort.value_bytes, rows,
                                   &r->plan, &r->weights));
  return hd_cuda_sort_rows_input(job, "in", in, job->key_bytes, rows, &r->plan, &r->in);
}

/* Elements of segments, so that element 0 of their array would lie at *at. */
static heddle_status bring_array(struct hd_cuda_rank *rank, const char *what, const void *in,
                                 u32 bytes, const struct rank_rows *r, cu_pointer *at) {
  const u64 before = r->rows.offsets[0] * bytes;
  if (!in) return HEDDLE_OK;
  HD_TRY(hd_cuda_sort_bring_array(&rank->job, what, (const char *)in + before, r->rows.elements,
                                  bytes, at));
  *at -= before;
  return HEDDLE_OK;
}

static heddle_status bring_segments(struct hd_cuda_rank *rank, const void *in, const void *weights,
                                    const heddle_rows *rows, struct rank_rows *r) {
  struct hd_cuda_call *call = rank->call;
  r->plan.view.offsets = (cu_pointer)(uintptr_t)rows->offsets;
  HD_TRY(hd_cuda_row_fetch_offsets(call, &r->plan));
  const u64 *offsets = r->plan.offsets;
  if (!offsets) return HEDDLE_OK; /* while preparing: they are not there yet */
  r->rows = (struct hd_cuda_sort_rows){.rows = rows->segments, .offsets = offsets};
  r->rows.elements = offsets[rows->segments] - offsets[0];
  for (u64 i = 0; i < rows->segments; i++)
    if (offsets[i + 1] - offsets[i] > r->rows.length) r->rows.length = offsets[i + 1] - offsets[i];
  HD_TRY(hd_cuda_input(call, "rows->offsets", rows->offsets, (rows->segments + 1) * sizeof(u64),
                       sizeof(u64), &r->rows.device));
  if (!r->rows.elements) return HEDDLE_OK;
  HD_TRY(bring_array(rank, "options->weights", weights, rank->sort.value_bytes, r, &r->weights));
  return bring_array(rank, "in", in, rank->job.key_bytes, r, &r->in);
}

/* Every row has at least so many elements: of offsets that the host has not seen before. */
static heddle_status check_lengths(const struct hd_cuda_rank *rank, const heddle_rows *rows,
                                   const struct rank_rows *r, u64 least) {
  if (!rows->offsets || !hd_on_device(rank->call->ctx, rows->offsets)) return HEDDLE_OK;
  for (u64 i = 0; i < r->rows.rows; i++) {
    const u64 length = r->rows.offsets[i + 1] - r->rows.offsets[i];
    if (length < least)
      return hd_fail(HEDDLE_BAD_ARGUMENT,
                     "%s: row %llu has %llu elements, but at least %llu are asked for",
                     rank->call->entry, (unsigned long long)i, (unsigned long long)length,
                     (unsigned long long)least);
  }
  return HEDDLE_OK;
}

/* ---- long rows ------------------------------------------------------------------------------- */

/* One by one, from RANK_FEW rows on no longer: each takes a dozen launches. */
enum { RANK_FEW = 64 };

static bool are_searched(const struct hd_cuda_rank *rank, const struct hd_cuda_sort_rows *rows) {
  return !rows->offsets && rows->rows <= RANK_FEW && rows->elements &&
         (rank->k ? hd_cuda_rank_is_taken(rank, rows->length)
                  : hd_cuda_rank_is_searched(rank, rows->length));
}

static heddle_status search_rows(struct hd_cuda_rank *rank, const struct rank_rows *r,
                                 cu_pointer out, cu_pointer index) {
  const struct hd_cuda_mark mark = hd_cuda_scratch_mark(rank->call);
  const u64 each = rank->k ? rank->k : rank->wanted.count, length = r->rows.length;
  for (u64 i = 0; i < r->rows.rows; i++) {
    const cu_pointer in = r->in + i * length * rank->job.key_bytes;
    const cu_pointer to = out ? out + i * each * hd_cuda_rank_bytes(rank) : 0;
    if (rank->k)
      HD_TRY(hd_cuda_rank_take(rank, in, length, to,
                               index ? index + i * each * rank->sort.value_bytes : 0));
    else
      HD_TRY(hd_cuda_rank_search(rank, in, length, to));
    hd_cuda_scratch_reset(rank->call, mark); /* the next row is behind it on the stream */
  }
  return HEDDLE_OK;
}

/* ---- the calls ------------------------------------------------------------------------------- */

struct outputs {
  void *out, *index;
  u64 least;           /* elements of a row */
  const void *weights; /* an input, or NULL */
};

static heddle_status find_in(struct hd_cuda_rank *rank, const void *in, const heddle_rows *rows,
                             const struct outputs *o, struct rank_rows *r) {
  const u32 bytes = hd_cuda_rank_bytes(rank), wide = rank->sort.value_bytes;
  const u64 each = rank->k ? rank->k : rank->wanted.count, results = r->plan.view.rows * each;
  cu_pointer out, index = 0;
  if (!results) return HEDDLE_OK;
  HD_TRY(hd_cuda_result(rank->call, "out", o->out, results * bytes, bytes, &out));
  if (o->index) HD_TRY(hd_cuda_result(rank->call, "index", o->index, results * wide, wide, &index));
  HD_TRY(rows->offsets ? bring_segments(rank, in, o->weights, rows, r)
                       : bring_axis(rank, in, o->weights, rows, r));
  if (!r->rows.rows) return HEDDLE_OK; /* while preparing */
  HD_TRY(check_lengths(rank, rows, r, o->least));
  if (o->weights) return hd_cuda_rank_weighted_rows(rank, &r->rows, r->in, r->weights, out);
  if (are_searched(rank, &r->rows)) return search_rows(rank, r, out, index);
  if (rank->k && hd_cuda_rank_is_by_warps(rank, &r->rows))
    return hd_cuda_rank_top(rank, &r->rows, r->in, out, index);
  if (rank->k) return hd_cuda_rank_firsts(rank, &r->rows, r->in, out, index);
  return hd_cuda_rank_sorted(rank, &r->rows, r->in, false, out);
}

static heddle_status find_rows(struct hd_cuda_rank *rank, const void *in, const heddle_rows *rows,
                               const struct outputs *o) {
  struct rank_rows r = {.in = 0};
  hd_cuda_row_plan_make(&r.plan, rows, hd_on_device(rank->call->ctx, rows->offsets));
  heddle_status status = find_in(rank, in, rows, o, &r);
  hd_cuda_row_plan_end(rank->call, &r.plan);
  return status;
}

heddle_status hd_cuda_nth_rows(heddle_context *ctx, const struct hd_sort *sort, const void *in,
                               const heddle_rows *rows, const u64 *ranks, size_t rank_count,
                               void *out) {
  struct hd_cuda_call call;
  struct hd_cuda_rank rank;
  struct outputs o = {.out = out};
  for (size_t i = 0; i < rank_count; i++)
    if (ranks[i] >= o.least) o.least = ranks[i] + 1;
  HD_TRY(hd_cuda_enter(ctx, sort->entry, &call));
  hd_cuda_rank_make(&rank, &call, sort);
  rank.wanted = (struct hd_cuda_rank_wanted){.ranks = ranks, .count = rank_count};
  return hd_cuda_leave(&call, find_rows(&rank, in, rows, &o));
}

heddle_status hd_cuda_quantiles_rows(heddle_context *ctx, const struct hd_quantiles *job,
                                     const void *in, const void *weights, const heddle_rows *rows,
                                     const f64 *q, size_t q_count, f64 *out) {
  struct hd_cuda_call call;
  struct hd_cuda_rank rank;
  struct hd_sort sort = job->sort;
  const struct outputs o = {.out = out, .weights = weights};
  if (weights)
    sort.what = HD_SORT_PAIRS, sort.value_bytes = (u32)heddle_type_size(job->weights_type);
  HD_TRY(hd_cuda_enter(ctx, job->sort.entry, &call));
  hd_cuda_rank_make(&rank, &call, &sort);
  rank.wanted = (struct hd_cuda_rank_wanted){.quantiles = job, .shares = q, .count = q_count};
  return hd_cuda_leave(&call, find_rows(&rank, in, rows, &o));
}

heddle_status hd_cuda_partial_sort_rows(heddle_context *ctx, const struct hd_sort *sort,
                                        const void *in, const heddle_rows *rows, size_t k,
                                        void *out, void *index) {
  struct hd_cuda_call call;
  struct hd_cuda_rank rank;
  const struct outputs o = {.out = out, .index = index, .least = k};
  HD_TRY(hd_cuda_enter(ctx, sort->entry, &call));
  hd_cuda_rank_make(&rank, &call, sort);
  rank.k = k;
  return hd_cuda_leave(&call, find_rows(&rank, in, rows, &o));
}

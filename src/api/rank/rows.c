/* rows.c - nth, partial_sort and quantiles of rows */
#include <stdio.h>

#include "api/overlap.h"
#include "host/status.h"
#include "rank.h"

/* Checked rows: how many, the elements of the array up to the last row's end and of the rows. */
struct row_call {
  heddle_rows rows;
  size_t count, end, elements;
};

static heddle_status check_rows(const char *entry, heddle_context *ctx, const heddle_rows *rows,
                                const void *in, size_t size, struct row_call *call) {
  HD_TRY(hd_check_rows(entry, ctx, rows, size, &call->rows));
  call->count = hd_rows_count(&call->rows);
  if (call->rows.offsets)
    hd_offsets_count(ctx, &call->rows, &call->end, &call->elements);
  else if (hd_shape_count(&call->rows, &call->elements))
    call->end = call->elements;
  else
    return HEDDLE_BAD_ARGUMENT; /* hd_check_rows refused it */
  return hd_check_array(entry, "in", in, call->end, size);
}

/* Results of all rows. */
static heddle_status check_results(const char *entry, const char *what, const void *out,
                                   size_t rows, size_t each, size_t bytes, struct hd_span *span) {
  size_t all;
  if (!hd_product(rows, each, &all))
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: %zu results a row of %zu rows are more than memory holds", entry, each,
                   rows);
  HD_TRY(hd_check_array(entry, what, out, all, bytes));
  *span = (struct hd_span){what, out, all * bytes};
  return HEDDLE_OK;
}

static heddle_status check_apart(const char *entry, const struct row_call *call, const void *in,
                                 size_t size, const struct hd_span *wanted,
                                 const struct hd_span *outs, size_t out_count) {
  const heddle_rows *rows = &call->rows;
  const size_t first = call->end - call->elements;
  const bool segments = rows->offsets != NULL;
  const struct hd_span ins[] = {
      {"in", segments && in ? (const char *)in + first * size : NULL, call->elements * size},
      {"rows->offsets", rows->offsets, segments ? (rows->segments + 1) * sizeof *rows->offsets : 0},
      {"rows->shape", segments ? NULL : rows->shape, rows->dims * sizeof *rows->shape},
      {"rows->strides", segments ? NULL : rows->strides, rows->dims * sizeof *rows->strides},
      *wanted};
  for (size_t o = 0; o < out_count && !segments && call->elements; o++)
    if (hd_rows_touch(rows, in, size, &outs[o])) return hd_overlap(entry, outs[o].name, "in");
  return hd_check_apart(entry, outs, out_count, ins, sizeof ins / sizeof *ins);
}

/* Each row has at least `least` elements, as far as the host can see; the first one that has not. */
static bool has_short_row(heddle_context *ctx, const struct row_call *call, u64 least, size_t *row,
                          u64 *length) {
  const heddle_rows *rows = &call->rows;
  *row = 0;
  if (!rows->offsets) {
    *length = rows->shape[rows->axis];
    return call->count && *length < least;
  }
  for (size_t r = 0; r < rows->segments && !hd_on_device(ctx, rows->offsets); r++) {
    *row = r;
    *length = rows->offsets[r + 1] - rows->offsets[r];
    if (*length < least) return true;
  }
  return false;
}

heddle_status heddle_nth_rows(heddle_context *ctx, heddle_type type, const void *in,
                              const heddle_rows *rows, const uint64_t *ranks, size_t rank_count,
                              void *out, const heddle_sort_options *options) {
  static const char entry[] = "heddle_nth_rows";
  const size_t size = heddle_type_size(type);
  struct hd_sort sort;
  struct hd_span span;
  struct row_call call;
  size_t row;
  u64 greatest = 0, length;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_rank_job(entry, type, options, &sort));
  HD_TRY(check_rows(entry, ctx, rows, in, size, &call));
  HD_TRY(hd_check_wanted(entry, ctx, "ranks", ranks, rank_count, sizeof *ranks));
  for (size_t i = 0; i < rank_count; i++) greatest = ranks[i] > greatest ? ranks[i] : greatest;
  if (rank_count &&
      has_short_row(ctx, &call, greatest == UINT64_MAX ? greatest : greatest + 1, &row, &length)) {
    char where[32];
    snprintf(where, sizeof where, "row %zu", row);
    return hd_check_ranks(entry, ranks, rank_count, length, where);
  }
  HD_TRY(check_results(entry, "out", out, call.count, rank_count, size, &span));
  const struct hd_span wanted = {"ranks", ranks, rank_count * sizeof *ranks};
  HD_TRY(check_apart(entry, &call, in, size, &wanted, &span, 1));
  if (!rank_count || !call.count) return HEDDLE_OK;
  unsigned long saved = hd_float_enter();
  heddle_status status = ctx->backend->nth_rows(ctx, &sort, in, &call.rows, ranks, rank_count, out);
  hd_float_leave(saved);
  return status;
}

heddle_status heddle_partial_sort_rows(heddle_context *ctx, heddle_type type, const void *in,
                                       const heddle_rows *rows, size_t k, void *out,
                                       heddle_type index_type, void *index,
                                       const heddle_sort_options *options) {
  static const char entry[] = "heddle_partial_sort_rows";
  const size_t size = heddle_type_size(type);
  struct hd_sort sort;
  struct hd_span spans[2] = {{"out", NULL, 0}, {"index", NULL, 0}};
  struct row_call call;
  size_t row;
  u64 length;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_partial_job(entry, type, index_type, index, 0, options, &sort));
  HD_TRY(check_rows(entry, ctx, rows, in, size, &call));
  HD_TRY(hd_partial_job(entry, type, index_type, index, hd_longest_row(ctx, &call.rows), options,
                        &sort));
  if (has_short_row(ctx, &call, k, &row, &length))
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `k` is %zu, but row %zu has %llu elements", entry, k,
                   row, (unsigned long long)length);
  if (out) HD_TRY(check_results(entry, "out", out, call.count, k, size, &spans[0]));
  if (index)
    HD_TRY(check_results(entry, "index", index, call.count, k, sort.value_bytes, &spans[1]));
  HD_TRY(check_apart(entry, &call, in, size, &(struct hd_span){"k", NULL, 0}, spans, 2));
  if (!k || !call.count || (!out && !index)) return HEDDLE_OK;
  unsigned long saved = hd_float_enter();
  heddle_status status = ctx->backend->partial_sort_rows(ctx, &sort, in, &call.rows, k, out, index);
  hd_float_leave(saved);
  return status;
}

heddle_status heddle_quantiles_rows(heddle_context *ctx, heddle_type type, const void *in,
                                    const heddle_rows *rows, const double *q, size_t q_count,
                                    double *out, const heddle_quantile_options *options) {
  static const char entry[] = "heddle_quantiles_rows";
  const size_t size = heddle_type_size(type);
  struct hd_quantiles job;
  struct hd_span span;
  struct row_call call;
  const void *weights;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_quantile_job(entry, type, options, &job, &weights));
  HD_TRY(check_rows(entry, ctx, rows, in, size, &call));
  HD_TRY(hd_check_wanted(entry, ctx, "q", q, q_count, sizeof *q));
  HD_TRY(hd_check_shares(entry, q, q_count));
  HD_TRY(check_results(entry, "out", out, call.count, q_count, sizeof *out, &span));
  const struct hd_span wanted = {"q", q, q_count * sizeof *q};
  HD_TRY(check_apart(entry, &call, in, size, &wanted, &span, 1));
  if (weights) {
    const size_t weight = heddle_type_size(job.weights_type);
    HD_TRY(hd_check_array(entry, "options->weights", weights, call.end, weight));
    HD_TRY(check_apart(entry, &call, weights, weight, &wanted, &span, 1));
  }
  if (!q_count || !call.count) return HEDDLE_OK;
  unsigned long saved = hd_float_enter();
  heddle_status status =
      ctx->backend->quantiles_rows(ctx, &job, in, weights, &call.rows, q, q_count, out);
  hd_float_leave(saved);
  return status;
}

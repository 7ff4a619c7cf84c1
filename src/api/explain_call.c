/* explain_call.c - what a call would run that a question has by its name: the job that the call itself makes */
#include "histogram.h"
#include "host/status.h"

static const char entry[] = "heddle_explain";

static bool is_select(heddle_call call) {
  switch (call) {
  case HEDDLE_CALL_SELECT:
  case HEDDLE_CALL_PARTITION:
  case HEDDLE_CALL_POSITIONS: return true;
  default: return false;
  }
}

/* By ranks, shares or first elements: of rows, too. */
static bool is_ranked(heddle_call call) {
  return call == HEDDLE_CALL_NTH || call == HEDDLE_CALL_PARTIAL_SORT ||
         call == HEDDLE_CALL_QUANTILES;
}

static bool needs_wanted(heddle_call call) {
  return is_ranked(call) || call == HEDDLE_CALL_GROUPS_REDUCE || call == HEDDLE_CALL_SCATTER_REDUCE;
}

/* Groups without rows have results, and so has a grid without points. */
static bool needs_elements(heddle_call call) {
  return call != HEDDLE_CALL_GROUPS_REDUCE && call != HEDDLE_CALL_SCATTER_REDUCE &&
         call != HEDDLE_CALL_HISTOGRAM_ND;
}

static heddle_status wrong_bytes(const heddle_question *q, const char *wanted) {
  return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `question->value_bytes` is %zu; a position has %s",
                 entry, q->value_bytes, wanted);
}

static heddle_status select_job(const heddle_context *ctx, const heddle_question *q,
                                enum hd_select_what what, struct hd_select *job) {
  const void *of;
  if (what != HD_SELECT_POSITIONS)
    HD_TRY(hd_select_element(entry, q->value_bytes));
  else if (q->value_bytes != 4 && q->value_bytes != 8)
    return wrong_bytes(q, "4 or 8");
  return hd_select_job(entry, ctx, what, q->where, q->value_bytes, job, &of);
}

/* `longest`: of a row. */
static heddle_status partial_job(const heddle_question *q, u64 longest, struct hd_asked *asked) {
  const heddle_type index = q->value_bytes == 4 ? HEDDLE_U32 : HEDDLE_U64;
  asked->indexed = q->value_bytes != 0;
  if (q->value_bytes && q->value_bytes != 4 && q->value_bytes != 8)
    return wrong_bytes(q, "4 or 8, and 0 is for no position");
  return hd_partial_job(entry, q->type, index, asked->indexed ? q : NULL, longest, q->sort_options,
                        &asked->sort);
}

static heddle_status by_key_job(heddle_context *ctx, const heddle_question *q,
                                struct hd_asked *asked) {
  const bool scan = q->call == HEDDLE_CALL_SCAN_BY_KEY;
  if (!hd_is_type(q->key_type))
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `question->key_type` %d is not an element type; use HEDDLE_U8 to "
                   "HEDDLE_F64",
                   entry, (int)q->key_type);
  asked->runs = (struct hd_runs){entry, q->key_type};
  asked->scan.kind = HEDDLE_INCLUSIVE;
  return hd_fold_job(entry, ctx, scan ? HEDDLE_SCAN : HEDDLE_REDUCE, q->op, q->type, q->options,
                     &asked->scan.fold);
}

static heddle_status groups_job(heddle_context *ctx, const heddle_question *q,
                                struct hd_asked *asked) {
  size_t elements;
  HD_TRY(hd_check_id_type(entry, "question->key_type", q->key_type));
  if (q->op == HEDDLE_OP_CUSTOM)
    return hd_fail(HEDDLE_UNSUPPORTED,
                   "%s: `question->op` is HEDDLE_OP_CUSTOM, which groups do not have", entry);
  asked->width = q->width ? q->width : 1;
  asked->id_type = q->key_type;
  HD_TRY(hd_fold_job(entry, ctx, HEDDLE_REDUCE, q->op, q->type, q->options, &asked->scan.fold));
  if (hd_product(q->count, asked->width, &elements) &&
      hd_product(q->wanted, asked->width, &elements) && q->wanted <= PTRDIFF_MAX / sizeof(u64) - 1)
    return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT,
                 "%s: %zu rows and %zu groups of `question->width` %zu are more than memory holds",
                 entry, q->count, q->wanted, asked->width);
}

/* The grid goes to *grid, with ranges where these are left open. */
static heddle_status grid_job(const heddle_question *q, struct hd_histogram_nd *grid,
                              struct hd_asked *asked) {
  heddle_histogram_nd_options options;
  HD_TRY(hd_histogram_nd_job(q->type, q->wanted, q->bins, q->histogram_nd_options, grid, &options));
  asked->sums = options.sums != NULL, asked->squares = options.squares != NULL;
  if ((asked->sums || asked->squares) && grid->weights_type == HEDDLE_TYPE_DEFAULT)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `question->histogram_nd_options` asks for sums, but has no weights_type",
                   entry);
  if (!asked->sums && !asked->squares) grid->weights_type = HEDDLE_TYPE_DEFAULT;
  for (size_t d = 0; d < grid->dims; d++) {
    heddle_bins *bins = &grid->bins[d];
    if (!bins->auto_range) continue;
    bins->lo = bins->kind == HEDDLE_BINS_LOG ? 1 : 0;
    bins->hi = bins->kind == HEDDLE_BINS_LOG ? 10 : 1;
    bins->auto_range = 0;
  }
  asked->grid = grid;
  return HEDDLE_OK;
}

static heddle_status job_of(heddle_context *ctx, const heddle_question *q, u64 longest,
                            struct hd_histogram_nd *grid, struct hd_asked *asked) {
  const void *weights;
  switch (q->call) {
  case HEDDLE_CALL_REDUCE_BY_KEY:
  case HEDDLE_CALL_SCAN_BY_KEY: return by_key_job(ctx, q, asked);
  case HEDDLE_CALL_GROUPS_REDUCE:
  case HEDDLE_CALL_SCATTER_REDUCE: return groups_job(ctx, q, asked);
  case HEDDLE_CALL_HISTOGRAM_ND: return grid_job(q, grid, asked);
  case HEDDLE_CALL_NTH: return hd_rank_job(entry, q->type, q->sort_options, &asked->sort);
  case HEDDLE_CALL_PARTIAL_SORT: return partial_job(q, longest, asked);
  case HEDDLE_CALL_QUANTILES:
    return hd_quantile_job(entry, q->type, q->quantile_options, &asked->quantiles, &weights);
  case HEDDLE_CALL_SELECT: return select_job(ctx, q, HD_SELECT_ELEMENTS, &asked->select);
  case HEDDLE_CALL_PARTITION: return select_job(ctx, q, HD_SELECT_PARTITION, &asked->select);
  case HEDDLE_CALL_POSITIONS: return select_job(ctx, q, HD_SELECT_POSITIONS, &asked->select);
  }
  return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `question->call` %d is no heddle_call", entry,
                 (int)q->call);
}

static heddle_status check_wanted(const heddle_question *q, u64 shortest) {
  if (q->call != HEDDLE_CALL_PARTIAL_SORT || q->wanted <= shortest) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `question->wanted` is %zu, but there are %llu elements",
                 entry, q->wanted, (unsigned long long)shortest);
}

static u64 shortest_row(heddle_context *ctx, const heddle_rows *rows) {
  u64 shortest = ~(u64)0;
  if (!rows->offsets) return rows->shape[rows->axis];
  for (size_t r = 0; r < rows->segments && !hd_on_device(ctx, rows->offsets); r++)
    if (rows->offsets[r + 1] - rows->offsets[r] < shortest)
      shortest = rows->offsets[r + 1] - rows->offsets[r];
  return shortest;
}

static heddle_status call_of_rows(heddle_context *ctx, const heddle_question *q,
                                  struct hd_asked *asked, heddle_plan *plan) {
  heddle_rows rows;
  size_t elements;
  if (!is_ranked(q->call))
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `question->rows` is given; a %s has no rows", entry,
                   is_select(q->call)                    ? "select"
                   : q->call == HEDDLE_CALL_HISTOGRAM_ND ? "histogram"
                                                         : "fold of groups");
  HD_TRY(hd_check_rows(entry, ctx, q->rows, heddle_type_size(q->type), &rows));
  if (!hd_rows_count(&rows) || !q->wanted) return hd_explain_none(plan);
  HD_TRY(check_wanted(q, shortest_row(ctx, &rows)));
  if (!rows.offsets && hd_shape_count(&rows, &elements) && !elements) return hd_explain_none(plan);
  HD_TRY(job_of(ctx, q, hd_longest_row(ctx, &rows), NULL, asked));
  return ctx->backend->call_explain(ctx, asked, &rows, 0, plan);
}

heddle_status hd_explain_call(heddle_context *ctx, const heddle_question *q, heddle_plan *plan) {
  struct hd_asked asked = {.call = q->call, .wanted = q->wanted};
  const bool selects = is_select(q->call);
  struct hd_histogram_nd grid;
  HD_TRY(job_of(ctx, q, q->rows ? 0 : q->count, &grid, &asked));
  if (q->rows) return call_of_rows(ctx, q, &asked, plan);
  const size_t bytes = heddle_type_size(selects ? asked.select.type : q->type);
  HD_TRY(hd_check_array(entry, "question", q, q->count, bytes));
  if (selects) HD_TRY(hd_check_array(entry, "question", q, q->count, q->value_bytes));
  HD_TRY(check_wanted(q, q->count));
  if ((!q->count && needs_elements(q->call)) || (needs_wanted(q->call) && !q->wanted))
    return hd_explain_none(plan);
  return ctx->backend->call_explain(ctx, &asked, NULL, q->count, plan);
}

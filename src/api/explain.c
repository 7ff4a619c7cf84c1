/* explain.c - what a call would run: the checks of the call itself, then the back end's choosers */
#include <stdio.h>
#include <string.h>

#include "api.h"
#include "host/status.h"

static const char entry[] = "heddle_explain";
enum { MOST_ALIGN = 16 }; /* beyond, no kernel differs */

/* No element to scan or to count, or no row. */
heddle_status hd_explain_none(heddle_plan *plan) {
  snprintf(plan->strategy, sizeof plan->strategy, "none");
  return HEDDLE_OK;
}

/* 0 stands for the best; a device's arrays are aligned to their elements. */
static heddle_status find_align(const heddle_context *ctx, const heddle_question *q,
                                size_t element_bytes, u32 *align) {
  const size_t given = q->align ? q->align : MOST_ALIGN;
  const size_t own = element_bytes & (0 - element_bytes);
  const size_t least = !ctx->backend->device ? 1 : own < MOST_ALIGN ? own : MOST_ALIGN;
  if (given & (given - 1))
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `question->align` is %zu; give a power of two", entry,
                   given);
  if (given < least)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `question->align` is %zu, but device memory of elements of %zu bytes is "
                   "aligned to %zu",
                   entry, given, element_bytes, least);
  *align = given < MOST_ALIGN ? (u32)given : MOST_ALIGN;
  return HEDDLE_OK;
}

static heddle_status check_count(const heddle_question *q, size_t element_bytes) {
  return hd_check_array(entry, "question", q, q->count, element_bytes);
}

static heddle_status explain_histogram(heddle_context *ctx, const heddle_question *q,
                                       heddle_plan *plan) {
  struct hd_histogram job;
  heddle_histogram_options options;
  u32 align = 0;
  if (q->rows)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `question->rows` and `question->bins` are given; a histogram has no rows",
                   entry);
  HD_TRY(hd_histogram_job(entry, q->type, q->bins, q->histogram, &job, &options));
  HD_TRY(find_align(ctx, q, heddle_type_size(q->type), &align));
  HD_TRY(check_count(q, heddle_type_size(q->type)));
  if (q->count % job.channels)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `question->count` is %zu, no multiple of the %zu channels", entry, q->count,
                   job.channels);
  if (job.bins.auto_range) {
    const bool log = job.bins.kind == HEDDLE_BINS_LOG;
    job.bins.lo = log ? 1 : 0;
    job.bins.hi = log ? 10 : 1;
    job.bins.auto_range = 0;
  }
  return q->count ? ctx->backend->histogram_explain(ctx, &job, q->count, plan)
                  : hd_explain_none(plan);
}

static heddle_status explain_rows(heddle_context *ctx, const heddle_question *q,
                                  const struct hd_scan *scan, size_t element_bytes,
                                  heddle_plan *plan) {
  heddle_rows rows;
  size_t elements;
  HD_TRY(hd_check_rows(entry, ctx, q->rows, element_bytes, &rows));
  if (!hd_rows_count(&rows)) return hd_explain_none(plan);
  if (scan->fold.exact) return ctx->backend->exact_rows_explain(ctx, &scan->fold, &rows, plan);
  if (q->verb != HEDDLE_SCAN) return ctx->backend->fold_rows_explain(ctx, &scan->fold, &rows, plan);
  if (!rows.offsets && hd_shape_count(&rows, &elements) && !elements) return hd_explain_none(plan);
  return ctx->backend->scan_rows_explain(ctx, scan, &rows, plan);
}

static heddle_status explain_sort(heddle_context *ctx, const heddle_question *q,
                                  heddle_plan *plan) {
  struct hd_sort sort;
  heddle_rows rows;
  size_t elements;
  u32 align = 0;
  if (q->bins || q->histogram)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `question->sort` is given, and bins of a histogram, too; give one", entry);
  HD_TRY(hd_sort_job(entry, q->sort, q->type, q->value_bytes, q->rows ? 0 : q->count,
                     q->sort_options, &sort));
  HD_TRY(find_align(ctx, q, heddle_type_size(q->type), &align));
  if (!q->rows) {
    HD_TRY(check_count(q, heddle_type_size(q->type)));
    return q->count ? ctx->backend->sort_explain(ctx, &sort, NULL, q->count, plan)
                    : hd_explain_none(plan);
  }
  HD_TRY(hd_check_rows(entry, ctx, q->rows, heddle_type_size(q->type), &rows));
  if (!hd_rows_count(&rows)) return hd_explain_none(plan);
  if (!rows.offsets && hd_shape_count(&rows, &elements) && !elements) return hd_explain_none(plan);
  return ctx->backend->sort_explain(ctx, &sort, &rows, 0, plan);
}

static heddle_status explain(heddle_context *ctx, const heddle_question *q, heddle_plan *plan) {
  struct hd_scan scan = {.kind = HEDDLE_INCLUSIVE};
  u32 align = 0;
  if (q->call) return hd_explain_call(ctx, q, plan);
  if (q->sort) return explain_sort(ctx, q, plan);
  if (q->bins) return explain_histogram(ctx, q, plan);
  if (q->histogram)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `question->histogram` is given without `question->bins`", entry);
  HD_TRY(hd_check_verb(entry, "question->verb", q->verb));
  HD_TRY(hd_fold_job(entry, ctx, q->verb, hd_verb_op(q->verb, q->op), q->type, q->options,
                     &scan.fold));
  const struct hd_fold *fold = &scan.fold;
  const size_t bytes = fold->custom ? fold->custom->element_bytes : heddle_type_size(q->type);
  HD_TRY(find_align(ctx, q, bytes, &align));
  if (q->rows) return explain_rows(ctx, q, &scan, bytes, plan);
  HD_TRY(check_count(q, bytes));
  if (fold->exact) return ctx->backend->exact_explain(ctx, fold, q->count, align, plan);
  if (q->verb != HEDDLE_SCAN) return ctx->backend->fold_explain(ctx, fold, q->count, align, plan);
  return q->count ? ctx->backend->scan_explain(ctx, &scan, q->count, align, plan)
                  : hd_explain_none(plan);
}

heddle_status heddle_explain(heddle_context *ctx, const heddle_question *question,
                             heddle_plan *out) {
  static const heddle_question defaults = HEDDLE_QUESTION_INIT;
  heddle_question known;
  heddle_plan plan = HEDDLE_PLAN_INIT;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_check_size(entry, "question", question, sizeof known));
  HD_TRY(hd_check_size(entry, "out", out, sizeof plan));
  hd_copy_sized(&known, question, &defaults, sizeof known);
  unsigned long saved = hd_float_enter();
  heddle_status status = explain(ctx, &known, &plan);
  hd_float_leave(saved);
  if (!status) hd_return_sized(out, &plan, sizeof plan);
  return status;
}

/* call.c - the CPU's histogram of several dimensions
 *
 * Method   What bins or weights leave open is found in a pass before. Then a tally is filled with counts, or
 *          with weights; and, where squares are asked for, a second one with those. */
#include <math.h>

#include "axes.h"
#include "cpu/cpu.h"
#include "cpu/histogram/range.h"
#include "cpu/histogram/tally.h"
#include "host/status.h"

static const char entry[] = "heddle_histogram_nd";

/* The exponent by rule 14 of weights, or of their squares. */
static heddle_status find_exponent(heddle_context *ctx, heddle_type type, const void *weights,
                                   size_t count, bool squares, int *exponent) {
  struct hd_cpu_range range;
  HD_TRY(hd_cpu_find_range(ctx, entry, type, weights, 1, count, false, &range));
  *exponent = 0;
  if (range.lo > range.hi) return HEDDLE_OK;
  if (squares) {
    const f64 most = fabs(range.lo) > fabs(range.hi) ? range.lo : range.hi, square = most * most;
    range = (struct hd_cpu_range){0, isfinite(square) ? square : 0x1.fffffffffffffp1023};
  }
  *exponent = hd_fixed_exponent(range.lo, range.hi);
  return HEDDLE_OK;
}

/* What a tally reads of a job of one axis: the weights, and how many slots have sums. */
static heddle_status tally_job(heddle_context *ctx, const struct hd_histogram_nd *job,
                               const void *weights, size_t count, bool squares,
                               struct hd_histogram *out) {
  const heddle_type type = job->weights_type;
  *out = (struct hd_histogram){.type = job->type, .channels = 1, .weights_type = type};
  out->bins.count = job->slots;
  if (type == HEDDLE_TYPE_DEFAULT) return HEDDLE_OK;
  if (squares) out->weights_type = HEDDLE_F64;
  if (job->exact) {
    out->weight_exponent = hd_whole_exponent(out->weights_type);
    out->exact = !out->weight_exponent;
    return HEDDLE_OK;
  }
  return find_exponent(ctx, type, weights, count, squares, &out->weight_exponent);
}

/* One pass over all points; outputs may be NULL. */
static heddle_status fill(heddle_context *ctx, const struct hd_histogram_nd *job,
                          struct hd_cpu_axes *axes, const void *weights, size_t count, bool squares,
                          u64 *counts, f64 *sums) {
  struct hd_histogram one;
  struct hd_cpu_tally tally;
  HD_TRY(tally_job(ctx, job, weights, count, squares, &one));
  const heddle_type squared = squares ? job->weights_type : HEDDLE_TYPE_DEFAULT;
  heddle_status status = hd_cpu_tally_make_axes(&tally, ctx, &one, axes, squared, count);
  if (!status) status = hd_cpu_tally_add(&tally, entry, NULL, weights, count);
  if (!status) {
    hd_cpu_tally_gather(&tally);
    for (size_t i = 0; counts && i < job->slots; i++) counts[i] = hd_cpu_tally_count(&tally, i);
    for (size_t i = 0; sums && i < job->slots; i++) sums[i] = hd_cpu_tally_sum(&tally, i);
  }
  hd_cpu_tally_free(&tally);
  return status;
}

heddle_status hd_cpu_histogram_nd(heddle_context *ctx, const struct hd_histogram_nd *job,
                                  const void *const *columns, const void *weights, size_t count,
                                  struct hd_histogram_nd_out out) {
  struct hd_histogram_nd resolved = *job;
  struct hd_cpu_axes axes;
  for (size_t d = 0; d < job->dims; d++)
    HD_TRY(hd_cpu_resolve_bins(ctx, entry, job->type, columns[d], job->strides[d], count,
                               &resolved.bins[d]));
  heddle_status status = hd_cpu_axes_make(&axes, ctx, &resolved, columns, count);
  const bool squares_alone = out.squares && !out.sums; /* the pass that counts, too */
  if (!status)
    status = fill(ctx, &resolved, &axes, weights, count, squares_alone, out.counts,
                  squares_alone ? out.squares : out.sums);
  if (!status && out.results) hd_cpu_axes_results(&axes, count, out.results);
  if (!status && out.squares && out.sums)
    status = fill(ctx, &resolved, &axes, weights, count, true, NULL, out.squares);
  hd_cpu_axes_free(&axes);
  return status;
}

heddle_status hd_cpu_histogram_nd_choose(heddle_context *ctx, const struct hd_asked *asked,
                                         size_t count, struct hd_cpu_choice *choice) {
  static const void *const none[HD_MOST_DIMS];
  struct hd_histogram_nd grid = *asked->grid;
  struct hd_histogram one;
  struct hd_cpu_tally tally = {.ctx = NULL};
  struct hd_cpu_axes axes;
  const bool squares = asked->squares && !asked->sums;
  heddle_status status = hd_cpu_axes_make(&axes, ctx, &grid, none, count);
  if (!status) status = tally_job(ctx, &grid, NULL, 0, squares, &one);
  if (!status) {
    hd_cpu_tally_plan_axes(&tally, ctx, &one, &axes,
                           squares ? grid.weights_type : HEDDLE_TYPE_DEFAULT, count);
    *choice = hd_cpu_tally_choice(&tally, count);
  }
  hd_cpu_tally_free(&tally);
  hd_cpu_axes_free(&axes);
  return status;
}

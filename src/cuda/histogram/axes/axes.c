/* axes.c - histograms of several dimensions on a CUDA device
 *
 * Method   Ranges that bins leave open are found first, of all axes before the host waits once. Each axis has its
 *          bins with their tables on the device, as a histogram of its own would. One pass counts points, or
 *          weighs them (weigh.c); a second one weighs squares where both are asked for. What falls outside of
 *          axes is counted in the first.
 * Limits   with auto_range, and where arrays or results are host memory, a call is synchronous and cannot be
 *          captured */
#include "axes.h"

#include <string.h>

#include "cuda/core/inside.h"
#include "cuda/histogram/histogram.h"
#include "host/status.h"

enum {
  DEVICE_SLICE = 1 << 30, /* counters of 32 bits have room */
  HOST_SLICE = 1 << 23,
  SOFTWARE_SLICE = 3000 /* so that there are several */
};

/* ---- what bins leave open -------------------------------------------------------------------- */

static heddle_status find_range(struct hd_cuda_axes *axes, size_t d, cu_pointer range) {
  const bool log = axes->job.bins[d].kind == HEDDLE_BINS_LOG;
  const enum hd_cuda_range_of of = log ? HD_RANGE_POSITIVE : HD_RANGE_ALL;
  const size_t count = axes->points.count;
  struct hd_cuda_some_points some = {.at = 0};
  do {
    HD_TRY(hd_cuda_points_place(&axes->points, 1u << d, false, &some));
    const ptrdiff_t stride = some.stride[d];
    const struct range_args args = {.in = some.column[d],
                                    .count = stride || !some.n ? some.n : 1,
                                    .words = axes->tables + HD_RANGE_WORDS_AT,
                                    .range = range,
                                    .finish = some.at + some.n == count,
                                    .apart = stride == 1 ? 0 : stride};
    HD_TRY(hd_cuda_range_some(axes->call, axes->job.type, of, &args));
    some.at += some.n;
  } while (some.at < count);
  return HEDDLE_OK;
}

/* Fills in lo and hi of auto_range, for which everything before must have ended. */
static heddle_status resolve_ranges(struct hd_cuda_axes *axes) {
  struct hd_cuda_call *call = axes->call;
  cu_pointer pinned[HD_MOST_DIMS] = {0};
  bool any = false;
  for (size_t d = 0; d < axes->job.dims; d++) {
    heddle_bins *bins = &axes->job.bins[d];
    if (!bins->auto_range) continue;
    any = true;
    bins->lo = bins->kind == HEDDLE_BINS_LOG ? 1 : 0;
    bins->hi = bins->kind == HEDDLE_BINS_LOG ? 10 : 1;
    HD_TRY(hd_cuda_no_capture(call, "finding the range"));
    HD_TRY(hd_cuda_output(call, "range", axes->range[d], sizeof axes->range[d], sizeof(f64),
                          &pinned[d]));
    HD_TRY(find_range(axes, d, pinned[d]));
  }
  if (!any || call->preparing) return HEDDLE_OK;
  HD_TRY(hd_cuda_wait(call, call->stream));
  for (size_t d = 0; d < axes->job.dims; d++) {
    const f64 *found = (const f64 *)(uintptr_t)pinned[d];
    if (!found || found[2] == 0) continue;
    axes->job.bins[d].lo = found[0];
    axes->job.bins[d].hi = found[1];
  }
  return HEDDLE_OK;
}

/* ---- bins ------------------------------------------------------------------------------------ */

/* Those of the axes, which other bins of the same call do not drive out of the context's list. */
static heddle_status find_bins(struct hd_cuda_axes *axes) {
  for (size_t d = 0; d < axes->job.dims; d++) {
    HD_TRY(hd_cuda_bins_find(axes->call, axes->job.type, &axes->job.bins[d], &axes->bins[d]));
    axes->bins[d]->holders++;
  }
  return HEDDLE_OK;
}

static void leave_bins(struct hd_cuda_axes *axes) {
  for (size_t d = 0; d < axes->job.dims; d++)
    if (axes->bins[d]) axes->bins[d]->holders--;
}

static heddle_bins grid_bins(const struct hd_histogram_nd *job) {
  heddle_bins bins = HEDDLE_BINS_INIT;
  bins.kind = HEDDLE_BINS_INTEGER;
  bins.count = job->slots;
  return bins;
}

static heddle_status make_grid(struct hd_cuda_axes *axes) {
  const heddle_bins bins = grid_bins(&axes->job);
  struct hd_plan plan;
  axes->grid =
      (struct hd_cuda_bins){.type = HEDDLE_U32, .bins = bins, .strategy = HD_STRATEGY_INTEGER};
  heddle_status status = hd_plan_make_keys(&plan, axes->call->ctx, HEDDLE_U32, &bins);
  if (!status) hd_cuda_histogram_integers(&plan, &axes->grid.find);
  hd_plan_free(&plan);
  return status;
}

/* ---- passes ---------------------------------------------------------------------------------- */

/* What a pass does of one axis: the weights, and how many slots have sums. */
static struct hd_histogram grid_job(const struct hd_histogram_nd *job, bool squares) {
  struct hd_histogram one = {.type = HEDDLE_U32,
                             .bins = grid_bins(job),
                             .channels = 1,
                             .weights_type = job->weights_type,
                             .weight_exponent = HEDDLE_FIND_EXPONENT};
  if (job->weights_type == HEDDLE_TYPE_DEFAULT) return one;
  if (squares) one.weights_type = HEDDLE_F64;
  if (!job->exact) return one;
  one.weight_exponent = hd_whole_exponent(one.weights_type);
  one.exact = !one.weight_exponent;
  return one;
}

/* Tables that have room for those of every pass. */
static heddle_status find_tables(struct hd_cuda_axes *axes, const struct hd_histogram_nd_out *out,
                                 struct hd_cuda_tables *tables) {
  struct hd_histogram most = grid_job(&axes->job, false);
  const struct hd_histogram squares = grid_job(&axes->job, true);
  struct hd_cuda_tables other;
  hd_cuda_tables_size(&most, tables);
  hd_cuda_tables_size(&squares, &other);
  if (out->squares && (!out->sums || other.bytes > tables->bytes)) most = squares;
  HD_TRY(hd_cuda_tables_find(axes->call, &most, tables));
  axes->tables = tables->memory;
  return HEDDLE_OK;
}

static heddle_status count_points(struct hd_cuda_axes_pass *pass) {
  struct hd_cuda_axes *axes = pass->axes;
  struct hd_cuda_points *points = &axes->points;
  struct hd_cuda_some_points some = {.at = 0};
  struct hd_cuda_axes_choice choice;
  if (!points->count) return hd_cuda_count_finish(&pass->count);
  pass->count.args.narrow = !((u64)points->count >> 32);
  HD_TRY(hd_cuda_points_place(points, ~0u, false, &some));
  const struct hd_cuda_axes_job job = hd_cuda_axes_job_of(pass, &some);
  hd_cuda_axes_choose(&job, &choice);
  if (choice.where == HD_WHERE_SLOTS) return hd_cuda_axes_weigh(pass);
  for (;;) {
    const size_t next = some.at + some.n;
    HD_TRY(hd_cuda_axes_count(pass, &some, next == points->count));
    if (next == points->count) return HEDDLE_OK;
    some.at = next;
    HD_TRY(hd_cuda_points_place(points, ~0u, false, &some));
  }
}

/* One pass over all points; outputs may be NULL. */
static heddle_status fill(struct hd_cuda_axes *axes, bool squares, bool outside, u64 *counts,
                          f64 *sums) {
  struct hd_cuda_axes_pass pass = {.axes = axes,
                                   .grid = grid_job(&axes->job, squares),
                                   .squares = squares,
                                   .outside = outside && axes->outside};
  struct hist_output out = {0};
  hd_cuda_tables_size(&pass.grid, &pass.tables);
  pass.tables.memory = axes->tables;
  hd_cuda_count_set(&pass.count, axes->call, &pass.grid, &axes->grid, &pass.tables);
  pass.count.counted = counts != NULL;
  const size_t bytes = axes->job.slots * sizeof(u64);
  HD_TRY(hd_cuda_result(axes->call, "counts", counts, bytes, sizeof *counts, &out.counts));
  HD_TRY(hd_cuda_result(axes->call, squares ? "options->squares" : "options->sums", sums, bytes,
                        sizeof *sums, &out.sums));
  pass.count.args.out = out;
  if (pass.grid.weights_type != HEDDLE_TYPE_DEFAULT) return hd_cuda_axes_weigh(&pass);
  return count_points(&pass);
}

static heddle_status fill_all(struct hd_cuda_axes *axes, const struct hd_histogram_nd_out *out) {
  const bool squares_alone = out->squares && !out->sums; /* the pass that counts, too */
  HD_TRY(fill(axes, squares_alone, true, out->counts, squares_alone ? out->squares : out->sums));
  if (!out->squares || !out->sums) return HEDDLE_OK;
  return fill(axes, true, false, NULL, out->squares);
}

/* ---- the entry ------------------------------------------------------------------------------- */

typedef u64 outside_points[HD_MOST_DIMS][HD_EXTRA_SLOTS];

static heddle_status run(struct hd_cuda_axes *axes, const struct hd_histogram_nd_out *out,
                         u64 *outside, struct hd_cuda_tables *tables) {
  const bool software = hd_cuda_limits(axes->call->cuda)->software;
  const size_t bytes = axes->job.dims * HD_EXTRA_SLOTS * sizeof *outside;
  size_t most = axes->points.on_host ? HOST_SLICE : DEVICE_SLICE;
  if (software) most = SOFTWARE_SLICE;
  HD_TRY(hd_cuda_points_room(&axes->points, most));
  HD_TRY(find_tables(axes, out, tables));
  HD_TRY(resolve_ranges(axes));
  HD_TRY(find_bins(axes));
  HD_TRY(make_grid(axes));
  if (out->results) {
    HD_TRY(hd_cuda_result(axes->call, "results", outside, bytes, sizeof *outside, &axes->outside));
    HD_TRY(hd_cuda_zero(axes->call, axes->outside, bytes));
  }
  return fill_all(axes, out);
}

/* What is known before the call ends. */
static void begin_results(struct hd_cuda_axes *axes, heddle_histogram_result *results) {
  for (size_t d = 0; d < axes->job.dims; d++) {
    results[d].count = axes->points.count;
    results[d].lo = axes->bins[d]->lo;
    results[d].hi = axes->bins[d]->hi;
  }
}

static void end_results(size_t dims, outside_points outside, heddle_histogram_result *results) {
  for (size_t d = 0; d < dims; d++) {
    results[d].under = outside[d][HD_SLOT_UNDER];
    results[d].over = outside[d][HD_SLOT_OVER];
    results[d].nan = outside[d][HD_SLOT_NAN];
  }
}

heddle_status hd_cuda_histogram_nd(heddle_context *ctx, const struct hd_histogram_nd *job,
                                   const void *const *columns, const void *weights, size_t count,
                                   struct hd_histogram_nd_out out) {
  struct hd_cuda_call call;
  struct hd_cuda_axes axes = {.call = &call, .job = *job};
  struct hd_cuda_tables tables = {0, 0, 0};
  outside_points outside;
  memset(outside, 0, sizeof outside);
  HD_TRY(hd_cuda_enter(ctx, "heddle_histogram_nd", &call));
  heddle_status status =
      hd_cuda_points_find(&call, &axes.job, columns, weights, count, &axes.points);
  if (!status) status = run(&axes, &out, &outside[0][0], &tables);
  /* Launches that came without the last one left something there. */
  if (status && tables.memory) (void)hd_cuda_zero(&call, tables.memory, tables.bytes);
  if (!status && out.results) begin_results(&axes, out.results);
  leave_bins(&axes);
  status = hd_cuda_leave(&call, status);
  hd_cuda_points_end(&axes.points);
  if (!status && !call.preparing && out.results) end_results(job->dims, outside, out.results);
  return status;
}

/* ---- for heddle_explain ---------------------------------------------------------------------- */

heddle_status hd_cuda_histogram_nd_hold(heddle_context *ctx, const struct hd_histogram_nd *job,
                                        void **held) {
  struct hd_cuda_call call;
  struct hd_cuda_axes axes = {.call = &call, .job = *job};
  HD_TRY(hd_cuda_enter(ctx, "heddle_explain", &call));
  const heddle_status status = find_bins(&axes);
  for (size_t d = 0; d < HD_MOST_DIMS; d++) held[d] = axes.bins[d];
  return hd_cuda_leave(&call, status);
}

void hd_cuda_histogram_nd_release(void **held) {
  for (size_t d = 0; d < HD_MOST_DIMS; d++)
    if (held[d]) ((struct hd_cuda_bins *)held[d])->holders--;
}

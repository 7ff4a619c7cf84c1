/* axes.c - the axes of a histogram of several dimensions, and points to slots of their grid; see axes.h
 *
 * Method   A block of points stays in the first-level cache: each axis finds its bins there, and a kernel
 *          adds bin * stride to the slots. Kinds of what is outside are counted only in blocks that have some. */
#include "axes.h"

#include <string.h>

#include "gather.h"
#include "host/status.h"

heddle_status hd_cpu_axes_make(struct hd_cpu_axes *axes, heddle_context *ctx,
                               const struct hd_histogram_nd *job, const void *const *columns,
                               size_t count) {
  memset(axes, 0, sizeof *axes);
  axes->ctx = ctx;
  axes->dims = job->dims;
  axes->element_bytes = heddle_type_size(job->type);
  axes->flow = job->flow;
  axes->slots = job->slots + !job->flow;
  u32 apart = 1;
  for (size_t d = job->dims; d-- > 0;) {
    struct hd_cpu_axis *axis = &axes->axis[d];
    HD_TRY(hd_plan_make(&axis->plan, ctx, job->type, &job->bins[d], count));
    axis->kernel = hd_cpu_find_kernel(&axis->plan);
    axis->column = columns[d];
    axis->elements_apart = job->strides[d];
    axis->slots_apart = apart;
    apart *= (u32)job->bins[d].count + (job->flow ? 2 : 0); /* at most 2^28 */
  }
  axes->outside = hd_allocate(ctx, ctx->threads * sizeof *axes->outside);
  if (!axes->outside) return HEDDLE_OUT_OF_MEMORY;
  memset(axes->outside, 0, ctx->threads * sizeof *axes->outside);
  return HEDDLE_OK;
}

void hd_cpu_axes_free(struct hd_cpu_axes *axes) {
  for (size_t d = 0; d < axes->dims; d++) hd_plan_free(&axes->axis[d].plan);
  hd_release(axes->ctx, axes->outside, axes->ctx->threads * sizeof *axes->outside);
}

/* The bins of points on one axis; `bin` has HD_INDEX_ROOM. */
static void find_bins(const struct hd_cpu_axes *axes, const struct hd_cpu_axis *axis, size_t at,
                      size_t n, u32 *bin) {
  u64 block[HD_INDEX_BLOCK];
  const size_t bytes = axes->element_bytes;
  const unsigned char *from = axis->column;
  if (axis->elements_apart == 1) {
    hd_cpu_find_slots(&axis->plan, axis->kernel, from + at * bytes, n, bin);
    return;
  }
  from += (ptrdiff_t)at * axis->elements_apart * (ptrdiff_t)bytes;
  hd_cpu_gather_apart(bytes, from, axis->elements_apart, n, block);
  hd_cpu_find_slots(&axis->plan, axis->kernel, block, n, bin);
}

void hd_cpu_axes_find(struct hd_cpu_axes *axes, const struct hd_cpu_histogram_kernels *kernels,
                      size_t worker, size_t at, size_t n, u32 shift, u32 *slot) {
  hd_cpu_axis_kernel *add = axes->flow ? kernels->axis_flow : kernels->axis;
  bool lost = false;
  u32 bin[HD_INDEX_ROOM];
  memset(slot, 0, n * sizeof *slot);
  for (size_t d = 0; d < axes->dims; d++) {
    const struct hd_cpu_axis *axis = &axes->axis[d];
    const u32 bins = axis->plan.index.bins;
    find_bins(axes, axis, at, n, bin);
    if (!add(bins, axis->slots_apart, bin, n, slot)) continue;
    u64 *outside = axes->outside[worker].of[d];
    lost = true;
    for (u32 k = 0; k < HD_EXTRA_SLOTS; k++) outside[k] += kernels->equal(bin, n, bins + k);
  }
  if (shift || (lost && !axes->flow)) kernels->axis_end((u32)(axes->slots - 1), shift, n, slot);
}

void hd_cpu_axes_results(const struct hd_cpu_axes *axes, u64 count,
                         heddle_histogram_result *results) {
  for (size_t d = 0; d < axes->dims; d++) {
    const struct hd_plan *plan = &axes->axis[d].plan;
    const size_t bins = plan->bins.count;
    u64 outside[HD_EXTRA_SLOTS] = {0};
    for (unsigned w = 0; w < axes->ctx->threads; w++)
      for (u32 k = 0; k < HD_EXTRA_SLOTS; k++) outside[k] += axes->outside[w].of[d][k];
    results[d].count = count;
    results[d].under = outside[HD_SLOT_UNDER];
    results[d].over = outside[HD_SLOT_OVER];
    results[d].nan = outside[HD_SLOT_NAN];
    results[d].lo = plan->edges ? plan->edges[0] : (f64)plan->bins.first;
    results[d].hi = plan->edges ? plan->edges[bins] : (f64)plan->bins.first + (f64)bins;
  }
}

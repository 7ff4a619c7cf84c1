/* histogram.c - the CPU's histogram entries: a whole array, or one in pieces
 *
 * Method   A whole array is a tally that is filled once; a state is a tally that lives on. What the
 *          bins or the weights leave open is found in a pass before: the range of the values, the
 *          exponent of the weights. */
#include "cpu/cpu.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "host/status.h"
#include "tally.h"

/* ---- the pass before --------------------------------------------------------------------- */

enum { RANGE_PIECE = 1 << 20, RANGE_WORKERS = 64 };

struct range_job {
  hd_cpu_range_kernel *kernel;
  const unsigned char *in;
  size_t count, element_bytes;
  bool positive;
  struct hd_cpu_range found[RANGE_WORKERS];
  atomic_size_t ticket;
  struct hd_cancellation token;
};

static void range_task(void *arg, size_t worker) {
  struct range_job *job = arg;
  const size_t piece = RANGE_PIECE / job->element_bytes;
  for (;;) {
    size_t from = atomic_fetch_add_explicit(&job->ticket, 1, memory_order_relaxed) * piece;
    if (from >= job->count || hd_poll(&job->token)) return;
    size_t n = job->count - from < piece ? job->count - from : piece;
    job->kernel(job->in + from * job->element_bytes, n, job->positive, &job->found[worker]);
  }
}

/* The least and the greatest finite value; lo > hi if there is none. */
static heddle_status find_range(heddle_context *ctx, heddle_type type, const void *in, size_t count,
                                bool positive, struct hd_cpu_range *range) {
  const struct hd_cpu_kernels *kernels = ctx->kernels;
  struct range_job job = {.kernel = kernels->histogram->range[type],
                          .in = in,
                          .count = count,
                          .element_bytes = heddle_type_size(type),
                          .positive = positive};
  for (size_t i = 0; i < RANGE_WORKERS; i++)
    job.found[i] = (struct hd_cpu_range){INFINITY, -INFINITY};
  hd_cancellation_start(&job.token, ctx);
  size_t workers = count * job.element_bytes / RANGE_PIECE + 1;
  if (workers > ctx->threads) workers = ctx->threads;
  if (workers > RANGE_WORKERS) workers = RANGE_WORKERS;
  if (workers == 1)
    range_task(&job, 0);
  else
    hd_parallel(ctx, workers, range_task, &job);
  *range = job.found[0];
  for (size_t i = 1; i < workers; i++) {
    if (job.found[i].lo < range->lo) range->lo = job.found[i].lo;
    if (job.found[i].hi > range->hi) range->hi = job.found[i].hi;
  }
  range->lo += 0.0; /* -0.0 and +0.0 are one value; which came first must not show */
  range->hi += 0.0;
  return hd_cancellation_status(&job.token, "heddle_histogram");
}

heddle_status hd_cpu_histogram_range(heddle_context *ctx, heddle_type type, const void *in,
                                     size_t count, bool positive, f64 found[2]) {
  struct hd_cpu_range range;
  HD_TRY(find_range(ctx, type, in, count, positive, &range));
  found[0] = range.lo;
  found[1] = range.hi;
  return HEDDLE_OK;
}

static heddle_status resolve(heddle_context *ctx, struct hd_histogram *job, const void *in,
                             const void *weights, size_t count) {
  struct hd_cpu_range range;
  if (job->bins.auto_range) {
    bool log = job->bins.kind == HEDDLE_BINS_LOG;
    heddle_status status = find_range(ctx, job->type, in, count, log, &range);
    if (status) return status;
    if (range.lo > range.hi) range = (struct hd_cpu_range){log ? 1 : 0, log ? 10 : 1};
    job->bins.lo = range.lo;
    job->bins.hi = range.hi;
  }
  if (job->weights_type != HEDDLE_TYPE_DEFAULT && !job->exact &&
      job->weight_exponent == HEDDLE_FIND_EXPONENT) {
    heddle_status status = find_range(ctx, job->weights_type, weights, count, false, &range);
    if (status) return status;
    job->weight_exponent = range.lo > range.hi ? 0 : hd_fixed_exponent(range.lo, range.hi);
  }
  return HEDDLE_OK;
}

/* ---- entries ----------------------------------------------------------------------------- */

heddle_status hd_cpu_histogram(heddle_context *ctx, const struct hd_histogram *job, const void *in,
                               const void *weights, size_t count, u64 *counts,
                               heddle_histogram_result *result, double *sums) {
  struct hd_histogram resolved = *job;
  heddle_status status = resolve(ctx, &resolved, in, weights, count);
  if (status) return status;
  struct hd_cpu_tally tally;
  status = hd_cpu_tally_make(&tally, ctx, &resolved, count);
  if (!status) status = hd_cpu_tally_add(&tally, "heddle_histogram", in, weights, count);
  if (!status) hd_cpu_tally_read(&tally, counts, result, sums);
  hd_cpu_tally_free(&tally);
  return status;
}

heddle_status hd_cpu_histogram_explain(heddle_context *ctx, const struct hd_histogram *job,
                                       size_t count, heddle_plan *out) {
  struct hd_histogram resolved = *job;
  struct hd_cpu_tally tally;
  if (resolved.weight_exponent == HEDDLE_FIND_EXPONENT) resolved.weight_exponent = 0;
  heddle_status status = hd_cpu_tally_plan(&tally, ctx, &resolved, count);
  if (!status) {
    const struct hd_cpu_choice choice = hd_cpu_tally_choice(&tally, count);
    status = hd_cpu_explain(ctx, &choice, out);
  }
  hd_cpu_tally_free(&tally);
  return status;
}

heddle_status hd_cpu_histogram_begin(heddle_context *ctx, const struct hd_histogram *job,
                                     void **state) {
  struct hd_cpu_tally *tally = hd_allocate(ctx, sizeof *tally);
  *state = tally;
  if (!tally) return HEDDLE_OUT_OF_MEMORY;
  heddle_status status = hd_cpu_tally_make(tally, ctx, job, UINT64_MAX);
  if (status) {
    hd_cpu_histogram_free(tally);
    *state = NULL;
  }
  return status;
}

heddle_status hd_cpu_histogram_update(void *state, const void *in, const void *weights,
                                      size_t count) {
  return hd_cpu_tally_add(state, "heddle_histogram_update", in, weights, count);
}

heddle_status hd_cpu_histogram_finish(void *state, u64 *counts, heddle_histogram_result *result,
                                      double *sums) {
  hd_cpu_tally_read(state, counts, result, sums);
  return HEDDLE_OK;
}

void hd_cpu_histogram_free(void *state) {
  struct hd_cpu_tally *tally = state;
  if (!tally) return;
  heddle_context *ctx = tally->ctx;
  hd_cpu_tally_free(tally);
  hd_release(ctx, tally, sizeof *tally);
}

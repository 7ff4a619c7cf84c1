/* histogram.c - the CPU's histogram entries: a whole array, or one in pieces
 *
 * Method   A whole array is a tally that is filled once; a state is a tally that lives on. What the
 *          bins or the weights leave open is found in a pass before: the range of the values, the
 *          exponent of the weights. */
#include "cpu/cpu.h"

#include "host/status.h"
#include "range.h"
#include "tally.h"

static const char entry_name[] = "heddle_histogram";

/* ---- the pass before --------------------------------------------------------------------- */

heddle_status hd_cpu_histogram_range(heddle_context *ctx, heddle_type type, const void *in,
                                     size_t count, bool positive, f64 found[2]) {
  struct hd_cpu_range range;
  HD_TRY(hd_cpu_find_range(ctx, entry_name, type, in, 1, count, positive, &range));
  found[0] = range.lo;
  found[1] = range.hi;
  return HEDDLE_OK;
}

static heddle_status resolve(heddle_context *ctx, struct hd_histogram *job, const void *in,
                             const void *weights, size_t count) {
  struct hd_cpu_range range;
  HD_TRY(hd_cpu_resolve_bins(ctx, entry_name, job->type, in, 1, count, &job->bins));
  if (job->weights_type != HEDDLE_TYPE_DEFAULT && !job->exact &&
      job->weight_exponent == HEDDLE_FIND_EXPONENT) {
    heddle_status status =
        hd_cpu_find_range(ctx, entry_name, job->weights_type, weights, 1, count, false, &range);
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

/* histogram.c - the histogram entries on a CUDA device: a whole array, or one in pieces
 *
 * Method   Bins get their tables on the device (bins.c); kernels gather totals, of 32 bits if
 *          those cannot run over, else of 64, and of weights 128-bit sums in global memory, and
 *          write the output from there. What weights leave open weights.c settles; what the bins
 *          leave open, their range, the host must wait for.
 * Limits   with auto_range a call is synchronous, and cannot be captured */
#include "histogram.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "bins/index.h"
#include "choose.h"
#include "cuda/core/inside.h"
#include "host/status.h"
#include "weights.h"
#include "window.h"

enum { MOST_CHANNELS = 4, WINDOW_WORDS_AT = 128 };

static bool is_weighted(const struct hd_histogram *job) {
  return job->weights_type != HEDDLE_TYPE_DEFAULT;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static heddle_status place_arrays(struct hd_cuda_call *call, const struct hd_histogram *job,
                                  const void *in, const void *weights, size_t count,
                                  struct hd_cuda_histogram_arrays *a) {
  const size_t element_bytes = heddle_type_size(job->type);
  const size_t weight_bytes = heddle_type_size(job->weights_type);
  *a = (struct hd_cuda_histogram_arrays){.operands = is_weighted(job) ? 2 : 1, .count = count};
  a->operand[0] = (struct hd_cuda_operand){.what = "in", .in = in, .element_bytes = element_bytes};
  HD_TRY(hd_cuda_find_space(call, "in", in, count * element_bytes, element_bytes,
                            &a->operand[0].space));
  if (a->operands == 1) return HEDDLE_OK;
  a->operand[1] =
      (struct hd_cuda_operand){.what = "weights", .in = weights, .element_bytes = weight_bytes};
  return hd_cuda_find_space(call, "weights", weights, count * weight_bytes, weight_bytes,
                            &a->operand[1].space);
}

/* ---- the passes ------------------------------------------------------------------------------ */

struct count_pass {
  struct hd_cuda_count *count;
  size_t elements;
  bool weighted, output;
};

static heddle_status count_slice(void *arg, u64 first, size_t n, const cu_pointer *device) {
  const struct count_pass *pass = arg;
  bool last = pass->output && first + n == pass->elements;
  cu_pointer weights = pass->weighted ? device[1] : 0;
  return hd_cuda_count_some(pass->count, device[0], weights, n, last);
}

static heddle_status count_arrays(struct hd_cuda_count *count, struct hd_cuda_histogram_arrays *a,
                                  bool output) {
  struct count_pass pass = {count, a->count, a->operands == 2, output};
  if (!a->count) return output ? hd_cuda_count_finish(count) : HEDDLE_OK;
  return hd_cuda_slices(count->call, a->operand, a->operands, a->count, HD_HISTOGRAM_GRANULE,
                        count_slice, &pass);
}

/* ---- what the job leaves open ---------------------------------------------------------------- */

/* Fills in lo and hi of auto_range, for which everything before must have ended. */
static heddle_status resolve_range(struct hd_cuda_call *call, struct hd_histogram *job,
                                   struct hd_cuda_histogram_arrays *a, cu_pointer tables,
                                   f64 *range) {
  const bool log = job->bins.kind == HEDDLE_BINS_LOG;
  cu_pointer pinned;
  job->bins.lo = log ? 1 : 0;
  job->bins.hi = log ? 10 : 1;
  HD_TRY(hd_cuda_output(call, "range", range, 3 * sizeof *range, sizeof *range, &pinned));
  HD_TRY(hd_cuda_range_find(call, job->type, log ? HD_RANGE_POSITIVE : HD_RANGE_ALL, &a->operand[0],
                            a->count, tables, pinned, 0));
  if (call->preparing) return HEDDLE_OK;
  HD_TRY(hd_cuda_wait(call, call->stream));
  const f64 *found = (const f64 *)(uintptr_t)pinned;
  if (found[2] == 0) return HEDDLE_OK;
  job->bins.lo = found[0];
  job->bins.hi = found[1];
  return HEDDLE_OK;
}

/* ---- whole arrays ---------------------------------------------------------------------------- */

struct outcome {
  u64 extras[MOST_CHANNELS * HD_EXTRA_SLOTS];
  f64 range[3]; /* least, greatest, whether there are any */
  f64 lo, hi;
  bool on_device; /* the result is the caller's device memory */
};

_Static_assert(sizeof(heddle_histogram_result) == HD_RESULT_WORDS * sizeof(u64),
               "kernels/histogram/finish.h writes such structs");

/* Sets the outputs of the kernel. `result` is on the device, and the kernel's to write, or on the
 * host, and written by set_result. */
static heddle_status set_output(struct hd_cuda_call *call, const struct hd_histogram *job,
                                u64 *counts, const heddle_histogram_result *result, f64 *sums,
                                struct outcome *outcome, struct hist_output *out) {
  const size_t counters = job->channels * job->bins.count;
  const size_t extras = job->channels * HD_EXTRA_SLOTS * sizeof(u64);
  enum hd_cuda_memory_space space;
  out->lo = outcome->lo;
  out->hi = outcome->hi;
  HD_TRY(hd_cuda_result(call, "counts", counts, counters * sizeof *counts, sizeof *counts,
                        &out->counts));
  HD_TRY(hd_cuda_result(call, "sums", sums, counters * sizeof *sums, sizeof *sums, &out->sums));
  HD_TRY(hd_cuda_find_space(call, "result", result, result ? job->channels * sizeof *result : 0,
                            sizeof(u64), &space));
  outcome->on_device = result && space == HD_SPACE_DEVICE;
  if (outcome->on_device) out->result = (cu_pointer)(uintptr_t)result;
  if (!result || outcome->on_device) return HEDDLE_OK;
  return hd_cuda_output(call, "result", outcome->extras, extras, sizeof(u64), &out->extras);
}

static void set_result(const struct hd_histogram *job, u64 seen, const struct outcome *outcome,
                       heddle_histogram_result *result) {
  for (size_t c = 0; result && !outcome->on_device && c < job->channels; c++) {
    const u64 *extras = outcome->extras + c * HD_EXTRA_SLOTS;
    result[c].count = seen / job->channels;
    result[c].under = extras[HD_SLOT_UNDER];
    result[c].over = extras[HD_SLOT_OVER];
    result[c].nan = extras[HD_SLOT_NAN];
    result[c].lo = outcome->lo;
    result[c].hi = outcome->hi;
  }
}

static heddle_status count_whole(struct hd_cuda_call *call, struct hd_histogram *job,
                                 struct hd_cuda_histogram_arrays *a,
                                 const struct hd_cuda_tables *tables, u64 *counts,
                                 const heddle_histogram_result *result, f64 *sums,
                                 struct outcome *outcome) {
  struct hd_cuda_count count;
  struct hd_cuda_bins *bins;
  if (job->bins.auto_range) HD_TRY(resolve_range(call, job, a, tables->memory, outcome->range));
  HD_TRY(hd_cuda_bins_find(call, job->type, &job->bins, &bins));
  outcome->lo = bins->lo;
  outcome->hi = bins->hi;
  hd_cuda_count_set(&count, call, job, bins, tables);
  count.counted = counts != NULL;
  count.args.narrow =
      bins->strategy != HD_STRATEGY_VALUES && !is_weighted(job) && !(a->count >> 32);
  HD_TRY(set_output(call, job, counts, result, sums, outcome, &count.args.out));
  count.args.out.seen = a->count / job->channels;
  HD_TRY(hd_cuda_weights_settle(call, job, a, tables, &count));
  HD_TRY(count_arrays(&count, a, true));
  if (count.args.attempt == HD_ATTEMPT_SURE) return HEDDLE_OK;
  count.args.attempt = HD_ATTEMPT_AGAIN;
  count.args.thin = HD_THIN_NEVER;
  return count_arrays(&count, a, true);
}

/* Bins are found, or made and kept, as the call would: what they are says which kernel counts. */
static heddle_status choose(struct hd_cuda_call *call, const struct hd_histogram *job, u64 n,
                            struct hd_cuda_count_choice *choice) {
  struct hd_cuda_tables tables = {0, 0, 0};
  struct hd_cuda_count count;
  struct hd_cuda_bins *bins;
  HD_TRY(hd_cuda_bins_find(call, job->type, &job->bins, &bins));
  hd_cuda_tables_size(job, &tables);
  hd_cuda_count_set(&count, call, job, bins, &tables);
  hd_cuda_count_choose(hd_cuda_limits(call->cuda), &count, n, choice);
  return HEDDLE_OK;
}

heddle_status hd_cuda_histogram_explain(heddle_context *ctx, const struct hd_histogram *job,
                                        size_t count, heddle_plan *out) {
  struct hd_cuda_call call;
  struct hd_cuda_count_choice choice;
  HD_TRY(hd_cuda_enter(ctx, "heddle_explain", &call));
  HD_TRY(hd_cuda_leave(&call, choose(&call, job, count, &choice)));
  return hd_cuda_explain(ctx, &choice.launch, NULL, out);
}

heddle_status hd_cuda_histogram(heddle_context *ctx, const struct hd_histogram *job, const void *in,
                                const void *weights, size_t count, u64 *counts,
                                heddle_histogram_result *result, double *sums) {
  struct hd_histogram resolved = *job;
  struct hd_cuda_call call;
  struct hd_cuda_tables tables = {0, 0, 0};
  struct hd_cuda_histogram_arrays arrays;
  struct outcome outcome = {{0}, {0}, 0, 0, false};
  HD_TRY(hd_cuda_enter(ctx, "heddle_histogram", &call));
  heddle_status status = place_arrays(&call, job, in, weights, count, &arrays);
  if (!status && job->bins.auto_range) status = hd_cuda_no_capture(&call, "finding the range");
  if (!status) status = hd_cuda_tables_find(&call, job, &tables);
  if (!status) {
    status = count_whole(&call, &resolved, &arrays, &tables, counts, result, sums, &outcome);
    /* Launches that came without the last one left something there. */
    if (status) (void)hd_cuda_zero(&call, tables.memory, tables.bytes);
  }
  status = hd_cuda_leave(&call, status);
  if (!status && !call.preparing) set_result(job, count, &outcome, result);
  return status;
}

/* ---- in pieces ------------------------------------------------------------------------------- */

static heddle_status begin(struct hd_cuda_call *call, struct hd_cuda_histogram_state *p) {
  HD_TRY(hd_cuda_bins_find(call, p->job.type, &p->job.bins, &p->bins));
  hd_cuda_tables_size(&p->job, &p->tables);
  HD_TRY(hd_cuda_memory(call, p->tables.bytes, &p->own.memory));
  p->tables.memory = p->own.memory;
  p->window.words = p->own.memory + WINDOW_WORDS_AT;
  p->window.range_words = p->own.memory + HD_RANGE_WORDS_AT;
  p->own.holders = &p->bins->holders;
  ++*p->own.holders;
  return hd_cuda_zero(call, p->tables.memory, p->tables.bytes);
}

heddle_status hd_cuda_histogram_begin(heddle_context *ctx, const struct hd_histogram *job,
                                      void **state) {
  struct hd_cuda_call call;
  struct hd_cuda_histogram_state *p = hd_cuda_state_make(ctx, sizeof *p);
  if (!p) return HEDDLE_OUT_OF_MEMORY;
  p->job = *job;
  HD_TRY(hd_cuda_state_enter(&p->own, "heddle_histogram_begin", &call));
  return hd_cuda_state_leave(&call, begin(&call, p), &p->own, state);
}

heddle_status hd_cuda_histogram_update(void *state, const void *in, const void *weights,
                                       size_t count) {
  struct hd_cuda_histogram_state *p = state;
  struct hd_cuda_call call;
  struct hd_cuda_count c;
  struct hd_cuda_histogram_arrays arrays;
  HD_TRY(hd_cuda_enter(p->own.ctx, "heddle_histogram_update", &call));
  heddle_status status = place_arrays(&call, &p->job, in, weights, count, &arrays);
  if (!status) {
    hd_cuda_count_set(&c, &call, &p->job, p->bins, &p->tables);
    c.uncarried = p->uncarried;
    if (p->job.exact) status = hd_cuda_window_find(&c, &arrays.operand[1], count, &p->window);
    if (!status) status = count_arrays(&c, &arrays, false);
    p->uncarried = c.uncarried;
  }
  p->seen += count;
  return hd_cuda_leave(&call, status);
}

heddle_status hd_cuda_histogram_finish(void *state, u64 *counts, heddle_histogram_result *result,
                                       double *sums) {
  struct hd_cuda_histogram_state *p = state;
  struct hd_cuda_call call;
  struct hd_cuda_count c;
  struct outcome outcome = {{0}, {0}, p->bins->lo, p->bins->hi, false};
  HD_TRY(hd_cuda_enter(p->own.ctx, "heddle_histogram_finish", &call));
  hd_cuda_count_set(&c, &call, &p->job, p->bins, &p->tables);
  c.args.keep = 1;
  if (p->job.exact) hd_cuda_window_set(&c, &p->window);
  c.args.out.seen = p->seen / p->job.channels;
  heddle_status status = set_output(&call, &p->job, counts, result, sums, &outcome, &c.args.out);
  if (!status) status = hd_cuda_count_finish(&c);
  status = hd_cuda_leave(&call, status);
  if (!status) set_result(&p->job, p->seen, &outcome, result);
  return status;
}

void hd_cuda_histogram_free(void *state) { hd_cuda_state_free(state); }

/* ---- the range alone ------------------------------------------------------------------------- */

static heddle_status range_of(struct hd_cuda_call *call, const struct hd_histogram *job,
                              struct hd_cuda_histogram_arrays *a, bool positive, f64 range[3]) {
  struct hd_cuda_tables tables;
  cu_pointer pinned;
  HD_TRY(hd_cuda_tables_find(call, job, &tables));
  HD_TRY(hd_cuda_output(call, "range", range, 3 * sizeof *range, sizeof *range, &pinned));
  const heddle_status status =
      hd_cuda_range_find(call, job->type, positive ? HD_RANGE_POSITIVE : HD_RANGE_ALL,
                         &a->operand[0], a->count, tables.memory, pinned, 0);
  if (status) (void)hd_cuda_zero(call, tables.memory, tables.bytes);
  return status;
}

heddle_status hd_cuda_histogram_range(heddle_context *ctx, heddle_type type, const void *in,
                                      size_t count, bool positive, f64 found[2]) {
  const struct hd_histogram job = {
      .type = type, .bins.count = 1, .channels = 1, .weights_type = HEDDLE_TYPE_DEFAULT};
  struct hd_cuda_call call;
  struct hd_cuda_histogram_arrays arrays;
  f64 range[3];
  HD_TRY(hd_cuda_enter(ctx, "heddle_histogram_parts", &call));
  heddle_status status = place_arrays(&call, &job, in, NULL, count, &arrays);
  if (!status) status = range_of(&call, &job, &arrays, positive, range);
  HD_TRY(hd_cuda_leave(&call, status));
  found[0] = range[2] == 0 ? INFINITY : range[0];
  found[1] = range[2] == 0 ? -INFINITY : range[1];
  return HEDDLE_OK;
}

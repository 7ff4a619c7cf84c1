/* histogram.c - histogram, its edges, and the same in pieces: every check of arguments */
#include <math.h>
#include <string.h>

#include "api.h"
#include "bins/edges.h"
#include "histogram.h"
#include "host/status.h"

enum { MOST_BINS = HD_MOST_BINS, MOST_CHANNELS = HD_MOST_CHANNELS };

/* ---- bins -------------------------------------------------------------------------------- */

static heddle_status check_range(const char *entry, const heddle_bins *bins) {
  bool log = bins->kind == HEDDLE_BINS_LOG;
  if (!isfinite(bins->lo) || !isfinite(bins->hi))
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: the range of `bins` is [%g, %g], which is not finite; give finite ends, or "
                   "set auto_range",
                   entry, bins->lo, bins->hi);
  if (log && !(bins->lo > 0 && bins->lo < bins->hi))
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: the range of logarithmic `bins` is [%g, %g]; it needs 0 < lo < hi", entry,
                   bins->lo, bins->hi);
  if (bins->lo > bins->hi)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `bins->lo` %g is above `bins->hi` %g", entry, bins->lo,
                   bins->hi);
  return HEDDLE_OK;
}

static heddle_status check_edges(const char *entry, const heddle_bins *bins) {
  if (!bins->edges)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `bins->edges` is NULL, but bins of kind HEDDLE_BINS_EDGES need %zu edges",
                   entry, bins->count + 1);
  for (size_t i = 0; i <= bins->count; i++) {
    if (isnan(bins->edges[i]))
      return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `bins->edges[%zu]` is NaN", entry, i);
    if (i && bins->edges[i] < bins->edges[i - 1])
      return hd_fail(HEDDLE_BAD_ARGUMENT,
                     "%s: `bins->edges[%zu]` is %.17g, below the edge before it, %.17g; edges must "
                     "not fall",
                     entry, i, bins->edges[i], bins->edges[i - 1]);
  }
  return HEDDLE_OK;
}

static bool is_binning(heddle_binning kind) {
  switch (kind) {
  case HEDDLE_BINS_INTEGER:
  case HEDDLE_BINS_EVEN:
  case HEDDLE_BINS_LOG:
  case HEDDLE_BINS_EDGES: return true;
  }
  return false;
}

heddle_status hd_histogram_check_bins(const char *entry, heddle_type type, const heddle_bins *given,
                                      heddle_bins *bins) {
  static const heddle_bins defaults = HEDDLE_BINS_INIT;
  HD_TRY(hd_check_size(entry, "bins", given, sizeof *bins));
  hd_copy_sized(bins, given, &defaults, sizeof *bins);
  if (!is_binning(bins->kind))
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `bins->kind` %d is none of HEDDLE_BINS_INTEGER, _EVEN, _LOG, _EDGES", entry,
                   (int)bins->kind);
  if (bins->count < 1 || bins->count > MOST_BINS)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `bins->count` is %zu; use 1 to %d", entry, bins->count,
                   MOST_BINS);
  bool ranged = bins->kind == HEDDLE_BINS_EVEN || bins->kind == HEDDLE_BINS_LOG;
  if (bins->auto_range && !ranged)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `bins->auto_range` is for HEDDLE_BINS_EVEN and HEDDLE_BINS_LOG only",
                   entry);
  if (bins->kind == HEDDLE_BINS_INTEGER && !hd_is_integer(type))
    return hd_fail(HEDDLE_UNSUPPORTED,
                   "%s: HEDDLE_BINS_INTEGER counts integers, but `type` is %s; use another kind of "
                   "bins or convert",
                   entry, heddle_type_name(type));
  if (bins->kind == HEDDLE_BINS_EDGES) return check_edges(entry, bins);
  return ranged && !bins->auto_range ? check_range(entry, bins) : HEDDLE_OK;
}

/* What auto_range found is in the type; lo == hi only where half a unit more made no difference. */
static heddle_status check_found(const char *entry, heddle_type type, const heddle_bins *bins) {
  f64 ends[2] = {bins->lo, bins->hi}, wide[2] = {bins->lo, bins->hi};
  unsigned char narrow[2 * sizeof(f64)];
  if (bins->kind == HEDDLE_BINS_EVEN && hd_is_float(type)) {
    HD_TRY(heddle_convert(HEDDLE_F64, ends, type, narrow, 2));
    HD_TRY(heddle_convert(type, narrow, HEDDLE_F64, wide, 2));
  }
  bool log = bins->kind == HEDDLE_BINS_LOG;
  if (isfinite(ends[0]) && isfinite(ends[1]) && wide[0] == ends[0] && wide[1] == ends[1] &&
      (ends[0] < ends[1] || (ends[0] == ends[1] && (log || fabs(ends[0]) > 1))) &&
      (!log || ends[0] > 0))
    return HEDDLE_OK;
  return hd_fail(
      HEDDLE_BAD_ARGUMENT,
      "%s: `bins->auto_range` is set, but [%.17g, %.17g] is no range that it finds for %s; put "
      "lo and hi of the heddle_histogram_result there, or set auto_range to 0",
      entry, ends[0], ends[1], heddle_type_name(type));
}

heddle_status heddle_histogram_edges(heddle_type type, const heddle_bins *bins, double *edges) {
  const char *entry = "heddle_histogram_edges";
  heddle_bins copy;
  HD_TRY(hd_check_type(entry, type));
  HD_TRY(hd_histogram_check_bins(entry, type, bins, &copy));
  if (copy.auto_range) HD_TRY(check_found(entry, type, &copy));
  HD_TRY(hd_check_array(entry, "edges", edges, copy.count + 1, sizeof *edges));
  unsigned long saved = hd_float_enter();
  hd_histogram_edges(type, &copy, edges);
  hd_float_leave(saved);
  return HEDDLE_OK;
}

/* ---- options ----------------------------------------------------------------------------- */

heddle_status hd_histogram_job(const char *entry, heddle_type type, const heddle_bins *bins,
                               const heddle_histogram_options *options, struct hd_histogram *job,
                               heddle_histogram_options *copy) {
  static const heddle_histogram_options defaults = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  HD_TRY(hd_check_type(entry, type));
  HD_TRY(hd_histogram_check_bins(entry, type, bins, &job->bins));
  *copy = defaults;
  if (options) {
    HD_TRY(hd_check_size(entry, "options", options, sizeof *copy));
    hd_copy_sized(copy, options, &defaults, sizeof *copy);
  }
  if (copy->channels > MOST_CHANNELS)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `options->channels` is %zu; use 1 to %d", entry,
                   copy->channels, MOST_CHANNELS);
  if (copy->weights_type != HEDDLE_TYPE_DEFAULT && !hd_is_type(copy->weights_type))
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `options->weights_type` %d is not an element type",
                   entry, (int)copy->weights_type);
  job->type = type;
  job->channels = copy->channels ? copy->channels : 1;
  job->weights_type = copy->weights_type;
  job->weight_exponent = copy->weight_exponent;
  job->exact = false;
  if (copy->exact != 0 && copy->exact != 1)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `options->exact` is %d; use 0 or 1", entry,
                   copy->exact);
  if (!copy->exact || job->weights_type == HEDDLE_TYPE_DEFAULT) return HEDDLE_OK;
  const int whole = hd_whole_exponent(job->weights_type); /* with which rule 14 is exact */
  job->exact = !whole;
  job->weight_exponent = whole;
  return HEDDLE_OK;
}

static heddle_status check_input(const char *entry, const void *in, size_t count,
                                 size_t element_bytes, size_t channels, const void *weights,
                                 size_t weights_bytes) {
  HD_TRY(hd_check_array(entry, "in", in, count, element_bytes));
  if (count % channels)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `count` is %zu, no multiple of the %zu channels; give whole groups", entry,
                   count, channels);
  if (weights_bytes) return hd_check_array(entry, "weights", weights, count, weights_bytes);
  if (weights)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `weights` is given, but options->weights_type is not; set it", entry);
  return HEDDLE_OK;
}

heddle_status hd_histogram_check_results(const char *entry, const char *what,
                                         const heddle_histogram_result *result, size_t results) {
  HD_TRY(hd_check_size(entry, "result", result, sizeof *result));
  for (size_t c = 1; c < results; c++) {
    size_t size;
    memcpy(&size, (const char *)result + c * result->size, sizeof size);
    if (size != result->size)
      return hd_fail(HEDDLE_BAD_ARGUMENT,
                     "%s: `result[%zu].size` is %zu and result[0].size %zu; %zu %s need an "
                     "array of %zu results, each with its size set by the _INIT macro",
                     entry, c, size, result->size, results, what, results);
  }
  return HEDDLE_OK;
}

heddle_status hd_histogram_check_output(const char *entry, heddle_context *ctx, u64 *counts,
                                        heddle_histogram_result *result, double *sums,
                                        bool weighted, size_t channels, size_t bins,
                                        struct hd_span *outs) {
  const size_t tables = channels * bins;
  if (!weighted && !counts) return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `counts` is NULL", entry);
  if (!weighted && sums)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `sums` is given, but there are no weights; give weights and their type",
                   entry);
  if (weighted && !counts && !sums)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: both `counts` and `sums` are NULL", entry);
  if (counts) HD_TRY(hd_check_array(entry, "counts", counts, tables, sizeof *counts));
  if (sums) HD_TRY(hd_check_array(entry, "sums", sums, tables, sizeof *sums));
  const bool away = hd_on_device(ctx, result);
  if (result && !away) HD_TRY(hd_histogram_check_results(entry, "channels", result, channels));
  outs[0] = (struct hd_span){"counts", counts, tables * sizeof *counts};
  outs[1] = (struct hd_span){"sums", sums, tables * sizeof *sums};
  outs[2] = (struct hd_span){"result", result, 0};
  if (result) outs[2].bytes = channels * (away ? sizeof *result : result->size);
  return HEDDLE_OK;
}

/* Where the back end puts what it found: device memory of the caller's, nowhere, or `found`, whose
 * content is then handed over. A CPU back end always gives it. */
static heddle_histogram_result *result_place(heddle_context *ctx, heddle_histogram_result *result,
                                             heddle_histogram_result *found) {
  if (hd_on_device(ctx, result)) return result;
  return result || !ctx->backend->device ? found : NULL;
}

void hd_histogram_deliver(heddle_histogram_result *out, const heddle_histogram_result *from,
                          size_t channels) {
  if (!out) return;
  size_t size = out->size, known = size < sizeof *from ? size : sizeof *from;
  for (size_t c = 0; c < channels; c++) {
    unsigned char *to = (unsigned char *)out + c * size;
    memcpy(to + sizeof size, (const unsigned char *)&from[c] + sizeof size, known - sizeof size);
  }
}

static heddle_status check_inputs_apart(const char *entry, const struct hd_histogram *job,
                                        const void *in, const void *weights, size_t count,
                                        const struct hd_span *outs) {
  const heddle_bins *bins = &job->bins;
  const bool edges = bins->kind == HEDDLE_BINS_EDGES;
  const struct hd_span ins[] = {
      {"in", in, count * heddle_type_size(job->type)},
      {"options->weights", weights, count * heddle_type_size(job->weights_type)},
      {"bins->edges", edges ? bins->edges : NULL, (bins->count + 1) * sizeof *bins->edges}};
  return hd_check_apart(entry, outs, 3, ins, sizeof ins / sizeof *ins);
}

/* ---- whole arrays ------------------------------------------------------------------------ */

heddle_status heddle_histogram(heddle_context *ctx, heddle_type type, const void *in, size_t count,
                               const heddle_bins *bins, uint64_t *counts,
                               heddle_histogram_result *result,
                               const heddle_histogram_options *options) {
  const char *entry = "heddle_histogram";
  struct hd_histogram job;
  heddle_histogram_options copy;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_histogram_job(entry, type, bins, options, &job, &copy));
  if (!copy.weights && (count || !copy.sums)) job.weights_type = HEDDLE_TYPE_DEFAULT;
  bool weighted = job.weights_type != HEDDLE_TYPE_DEFAULT;
  HD_TRY(check_input(entry, in, count, heddle_type_size(type), job.channels, copy.weights,
                     heddle_type_size(job.weights_type)));
  struct hd_span outs[3];
  HD_TRY(hd_histogram_check_output(entry, ctx, counts, result, copy.sums, weighted, job.channels,
                                   job.bins.count, outs));
  if (copy.weights && !copy.sums)
    return hd_fail(
        HEDDLE_BAD_ARGUMENT,
        "%s: `options->weights` is given, but `options->sums`, which their sums go to, is "
        "NULL; `counts` counts elements, whatever their weights",
        entry);
  HD_TRY(check_inputs_apart(entry, &job, in, copy.weights, count, outs));
  heddle_histogram_result found[MOST_CHANNELS], *place = result_place(ctx, result, found);
  unsigned long saved = hd_float_enter();
  heddle_status status =
      ctx->backend->histogram(ctx, &job, in, copy.weights, count, counts, place, copy.sums);
  hd_float_leave(saved);
  if (!status && place == found && !ctx->preparing)
    hd_histogram_deliver(result, found, job.channels);
  return status;
}

/* ---- in pieces --------------------------------------------------------------------------- */

/* The state's own job, with a copy of the caller's edges. */
static heddle_status keep_job(heddle_state *state, const struct hd_histogram *job) {
  const size_t bytes = (job->bins.count + 1) * sizeof *state->edges;
  state->histogram = *job;
  state->histogram.bins.edges = NULL;
  if (job->bins.kind != HEDDLE_BINS_EDGES) return HEDDLE_OK;
  state->edges = hd_allocate(state->ctx, bytes);
  if (!state->edges) return HEDDLE_OUT_OF_MEMORY;
  state->histogram.bins.edges = memcpy(state->edges, job->bins.edges, bytes);
  return HEDDLE_OK;
}

heddle_status heddle_histogram_begin(heddle_context *ctx, heddle_type type, const heddle_bins *bins,
                                     const heddle_histogram_options *options, heddle_state **out) {
  const char *entry = "heddle_histogram_begin";
  struct hd_histogram job;
  heddle_histogram_options copy;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_histogram_job(entry, type, bins, options, &job, &copy));
  if (!out) return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `out` is NULL", entry);
  if (job.bins.auto_range)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `bins->auto_range` needs the whole array; give lo and hi", entry);
  bool weighted = job.weights_type != HEDDLE_TYPE_DEFAULT;
  if (weighted && !job.exact && job.weight_exponent == HEDDLE_FIND_EXPONENT)
    return hd_fail(
        HEDDLE_BAD_ARGUMENT,
        "%s: `options->weight_exponent` must be given for a state: the least E with every "
        "|weight| < 2^E",
        entry);
  heddle_state *state;
  HD_TRY(hd_state_new(ctx, HD_STATE_HISTOGRAM, &state));
  unsigned long saved = hd_float_enter();
  heddle_status status = keep_job(state, &job);
  if (!status) status = ctx->backend->histogram_begin(ctx, &state->histogram, &state->inner);
  hd_float_leave(saved);
  if (status)
    heddle_state_free(state);
  else
    *out = state;
  return status;
}

heddle_status heddle_histogram_update(heddle_state *state, const void *in, const void *weights,
                                      size_t count) {
  const char *entry = "heddle_histogram_update";
  HD_TRY(hd_check_state(entry, state, HD_STATE_HISTOGRAM));
  const struct hd_histogram *job = &state->histogram;
  HD_TRY(check_input(entry, in, count, heddle_type_size(job->type), job->channels, weights,
                     heddle_type_size(job->weights_type)));
  unsigned long saved = hd_float_enter();
  heddle_status status = state->ctx->backend->histogram_update(state->inner, in, weights, count);
  hd_float_leave(saved);
  state->failed = status != HEDDLE_OK;
  if (!status) state->count += count;
  return status;
}

heddle_status heddle_histogram_finish(heddle_state *state, uint64_t *counts,
                                      heddle_histogram_result *result, double *sums) {
  const char *entry = "heddle_histogram_finish";
  HD_TRY(hd_check_state(entry, state, HD_STATE_HISTOGRAM));
  struct hd_span outs[3];
  const struct hd_histogram *job = &state->histogram;
  HD_TRY(hd_histogram_check_output(entry, state->ctx, counts, result, sums,
                                   job->weights_type != HEDDLE_TYPE_DEFAULT, job->channels,
                                   job->bins.count, outs));
  HD_TRY(hd_check_apart(entry, outs, 3, NULL, 0));
  heddle_histogram_result found[MOST_CHANNELS], *place = result_place(state->ctx, result, found);
  unsigned long saved = hd_float_enter();
  heddle_status status = state->ctx->backend->histogram_finish(state->inner, counts, place, sums);
  hd_float_leave(saved);
  if (!status && place == found && !state->ctx->preparing)
    hd_histogram_deliver(result, found, job->channels);
  return status;
}

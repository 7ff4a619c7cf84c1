/* histogram_nd.c - histograms of several dimensions: every check of arguments */
#include <stdio.h>
#include <string.h>

#include "histogram.h"
#include "host/status.h"

static const char entry[] = "heddle_histogram_nd";

/* ---- the job ----------------------------------------------------------------------------- */

/* Bins of all axes lie one after the other, each as long as the first says. */
static heddle_status check_axes(heddle_type type, const heddle_bins *bins,
                                struct hd_histogram_nd *job) {
  HD_TRY(hd_check_size(entry, "bins", bins, sizeof *bins));
  job->slots = 1;
  for (size_t d = 0; d < job->dims; d++) {
    const heddle_bins *of =
        (const heddle_bins *)(const void *)((const char *)bins + d * bins->size);
    char axis[64];
    size_t size;
    memcpy(&size, of, sizeof size);
    if (size != bins->size)
      return hd_fail(
          HEDDLE_BAD_ARGUMENT,
          "%s: `bins[%zu].size` is %zu and bins[0].size %zu; %zu axes need an array of %zu "
          "bins, each with its size set by HEDDLE_BINS_INIT",
          entry, d, size, bins->size, job->dims, job->dims);
    (void)snprintf(axis, sizeof axis, "%s: axis %zu", entry, d);
    HD_TRY(hd_histogram_check_bins(axis, type, of, &job->bins[d]));
    const size_t slots = job->bins[d].count + (job->flow ? 2 : 0); /* both factors <= 2^28 + 2 */
    job->slots *= slots;
    if (job->slots > HD_MOST_BINS)
      return hd_fail(HEDDLE_BAD_ARGUMENT,
                     "%s: the axes up to %zu have %zu bins together; use at most %d in all", entry,
                     d, job->slots, HD_MOST_BINS);
  }
  return HEDDLE_OK;
}

static heddle_status check_flag(const char *name, int flag) {
  if (flag == 0 || flag == 1) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `options->%s` is %d; use 0 or 1", entry, name, flag);
}

heddle_status hd_histogram_nd_job(heddle_type type, size_t dims, const heddle_bins *bins,
                                  const heddle_histogram_nd_options *options,
                                  struct hd_histogram_nd *job, heddle_histogram_nd_options *copy) {
  static const heddle_histogram_nd_options defaults = HEDDLE_HISTOGRAM_ND_OPTIONS_INIT;
  HD_TRY(hd_check_type(entry, type));
  if (dims < 1 || dims > HD_MOST_DIMS)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `dims` is %zu; use 1 to %d", entry, dims,
                   HD_MOST_DIMS);
  *copy = defaults;
  if (options) {
    HD_TRY(hd_check_size(entry, "options", options, sizeof *copy));
    hd_copy_sized(copy, options, &defaults, sizeof *copy);
  }
  HD_TRY(check_flag("flow", copy->flow));
  HD_TRY(check_flag("exact", copy->exact));
  if (copy->weights_type != HEDDLE_TYPE_DEFAULT && !hd_is_type(copy->weights_type))
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `options->weights_type` %d is not an element type",
                   entry, (int)copy->weights_type);
  memset(job, 0, sizeof *job);
  job->type = type;
  job->dims = dims;
  job->flow = copy->flow != 0;
  job->exact = copy->exact != 0;
  job->weights_type = copy->weights_type;
  for (size_t d = 0; d < dims; d++) job->strides[d] = copy->strides ? copy->strides[d] : 1;
  return check_axes(type, bins, job);
}

/* ---- arrays ------------------------------------------------------------------------------ */

/* The bytes from a column's first element in memory to its last, which *span tells of. */
static heddle_status check_column(const struct hd_histogram_nd *job, const void *column, size_t d,
                                  size_t count, struct hd_span *span) {
  const size_t element = heddle_type_size(job->type);
  const ptrdiff_t stride = job->strides[d];
  const size_t apart = stride < 0 ? 0 - (size_t)stride : (size_t)stride;
  char name[32];
  size_t reach = 0, bytes = 0;
  (void)snprintf(name, sizeof name, "columns[%zu]", d);
  HD_TRY(hd_check_array(entry, name, column, count, element));
  *span = (struct hd_span){"columns", column, 0};
  if (!count) return HEDDLE_OK;
  if (!hd_product(count - 1, apart, &reach) || !hd_product(reach, element, &bytes) ||
      bytes > PTRDIFF_MAX - element)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `%s` has %zu elements, each %td from the one before, which is more than "
                   "memory can hold; options->strides are in elements",
                   entry, name, count, stride);
  span->bytes = bytes + element;
  if (stride < 0) span->start = (const char *)column - bytes;
  return HEDDLE_OK;
}

static heddle_status check_weights(const heddle_histogram_nd_options *options, size_t count,
                                   const u64 *counts) {
  const bool sums = options->sums || options->squares;
  if (options->weights && options->weights_type == HEDDLE_TYPE_DEFAULT)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `options->weights` is given, but options->weights_type is not; set it",
                   entry);
  if (options->weights && !sums)
    return hd_fail(
        HEDDLE_BAD_ARGUMENT,
        "%s: `options->weights` is given, but `options->sums` and `options->squares`, "
        "which their sums go to, are NULL; `counts` counts elements, whatever their weights",
        entry);
  if (sums && options->weights_type == HEDDLE_TYPE_DEFAULT)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `options->sums` or `options->squares` is given, but there are no weights; "
                   "give weights and their type",
                   entry);
  if (sums)
    HD_TRY(hd_check_array(entry, "options->weights", options->weights, count,
                          heddle_type_size(options->weights_type)));
  if (!counts && !sums)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `counts` is NULL, and no sums are asked for; give room for one of them",
                   entry);
  return HEDDLE_OK;
}

/* No output overlaps anything that is read, or another output. */
static heddle_status check_apart(const struct hd_histogram_nd *job, const struct hd_span *columns,
                                 size_t count, const heddle_histogram_nd_options *options,
                                 const struct hd_histogram_nd_out *out, size_t result_bytes) {
  const size_t counters = job->slots * sizeof *out->counts, sums = job->slots * sizeof *out->sums;
  struct hd_span ins[2 * HD_MOST_DIMS + 1];
  const struct hd_span outs[] = {{"counts", out->counts, counters},
                                 {"options->sums", out->sums, sums},
                                 {"options->squares", out->squares, sums},
                                 {"results", out->results, result_bytes}};
  size_t n = 0;
  for (size_t d = 0; d < job->dims; d++) {
    const heddle_bins *bins = &job->bins[d];
    ins[n++] = columns[d];
    if (bins->kind == HEDDLE_BINS_EDGES)
      ins[n++] =
          (struct hd_span){"bins->edges", bins->edges, (bins->count + 1) * sizeof *bins->edges};
  }
  if (options->weights)
    ins[n++] = (struct hd_span){"options->weights", options->weights,
                                count * heddle_type_size(options->weights_type)};
  return hd_check_apart(entry, outs, sizeof outs / sizeof *outs, ins, n);
}

static heddle_status check_outputs(struct hd_histogram_nd *job, size_t count,
                                   const heddle_histogram_nd_options *options,
                                   const struct hd_histogram_nd_out *out,
                                   const struct hd_span *columns) {
  HD_TRY(check_weights(options, count, out->counts));
  if (!out->sums && !out->squares) job->weights_type = HEDDLE_TYPE_DEFAULT;
  if (out->counts)
    HD_TRY(hd_check_array(entry, "counts", out->counts, job->slots, sizeof *out->counts));
  if (out->results) HD_TRY(hd_histogram_check_results(entry, "axes", out->results, job->dims));
  return check_apart(job, columns, count, options, out,
                     out->results ? job->dims * out->results->size : 0);
}

/* ---- the entry --------------------------------------------------------------------------- */

heddle_status heddle_histogram_nd(heddle_context *ctx, heddle_type type, size_t dims,
                                  const void *const *columns, size_t count, const heddle_bins *bins,
                                  uint64_t *counts, heddle_histogram_result *results,
                                  const heddle_histogram_nd_options *options) {
  struct hd_histogram_nd job;
  heddle_histogram_nd_options copy;
  struct hd_span spans[HD_MOST_DIMS];
  heddle_histogram_result found[HD_MOST_DIMS];
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_histogram_nd_job(type, dims, bins, options, &job, &copy));
  if (!columns) return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `columns` is NULL", entry);
  for (size_t d = 0; d < dims; d++) HD_TRY(check_column(&job, columns[d], d, count, &spans[d]));
  struct hd_histogram_nd_out out = {counts, results, copy.sums, copy.squares};
  if (hd_on_device(ctx, results))
    return hd_fail(HEDDLE_UNSUPPORTED, "%s: `results` is device memory; give host memory, or NULL",
                   entry);
  HD_TRY(check_outputs(&job, count, &copy, &out, spans));
  if (results) out.results = found;
  unsigned long saved = hd_float_enter();
  heddle_status status = ctx->backend->histogram_nd(ctx, &job, columns, copy.weights, count, out);
  hd_float_leave(saved);
  if (!status && !ctx->preparing) hd_histogram_deliver(results, found, dims);
  return status;
}

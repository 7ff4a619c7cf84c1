/* histogram_parts.c - the histogram of an array in parts: the checks, then src/parts */
#include "histogram.h"
#include "parts.h"

/* Channels are told by an element's index: a part begins with the first. */
static heddle_status check_groups(const char *entry, const heddle_parts *in, size_t channels) {
  for (size_t i = 0; i < in->parts; i++)
    if (in->part[i].count % channels)
      return hd_fail(HEDDLE_BAD_ARGUMENT,
                     "%s: part %zu of `in` has %zu elements, no multiple of the %zu channels; cut "
                     "between whole groups",
                     entry, i, in->part[i].count, channels);
  return HEDDLE_OK;
}

static heddle_status check_weights(const char *entry, heddle_context *ctx, const heddle_parts *in,
                                   const heddle_parts *weights, heddle_type type,
                                   heddle_parts *known) {
  size_t count;
  if (type == HEDDLE_TYPE_DEFAULT)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `weights` is given, but options->weights_type is not; set it", entry);
  HD_TRY(hd_parts_read(entry, ctx, "weights", weights, heddle_type_size(type), known, &count));
  return hd_parts_check_alike(entry, "in", in, "weights", known);
}

/* What is written: host memory, all of it. */
static heddle_status check_outputs(const char *entry, heddle_context *ctx,
                                   const struct hd_histogram *job, u64 *counts,
                                   heddle_histogram_result *result, double *sums) {
  const bool weighted = job->weights_type != HEDDLE_TYPE_DEFAULT;
  struct hd_span outs[3];
  if (counts) HD_TRY(hd_parts_check_on_host(entry, ctx, "counts", counts));
  if (sums) HD_TRY(hd_parts_check_on_host(entry, ctx, "options->sums", sums));
  if (result) HD_TRY(hd_parts_check_on_host(entry, ctx, "result", result));
  if (weighted && !sums)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `weights` is given, but `options->sums`, which their sums go to, is NULL",
                   entry);
  HD_TRY(hd_histogram_check_output(entry, ctx, counts, result, sums, weighted, job->channels,
                                   job->bins.count, outs));
  return hd_check_apart(entry, outs, 3, NULL, 0);
}

heddle_status heddle_histogram_parts(heddle_context *ctx, heddle_type type, const heddle_parts *in,
                                     const heddle_parts *weights, const heddle_bins *bins,
                                     uint64_t *counts, heddle_histogram_result *result,
                                     const heddle_histogram_options *options) {
  const char *entry = "heddle_histogram_parts";
  heddle_histogram_result found[HD_MOST_CHANNELS];
  heddle_histogram_options copy;
  struct hd_histogram job;
  heddle_parts x, y;
  struct hd_part *part;
  size_t count, bytes;
  HD_TRY(hd_parts_check_ready(entry, ctx));
  HD_TRY(hd_histogram_job(entry, type, bins, options, &job, &copy));
  HD_TRY(hd_parts_read(entry, ctx, "in", in, heddle_type_size(type), &x, &count));
  HD_TRY(check_groups(entry, &x, job.channels));
  if (weights)
    HD_TRY(check_weights(entry, ctx, &x, weights, job.weights_type, &y));
  else
    job.weights_type = HEDDLE_TYPE_DEFAULT, job.exact = false;
  HD_TRY(check_outputs(entry, ctx, &job, counts, result, copy.sums));
  HD_TRY(hd_parts_gather(ctx, &x, weights ? &y : NULL, NULL, &part, &bytes));
  const struct hd_parts parts = {x.parts, part, count};
  unsigned long saved = hd_float_enter();
  heddle_status status = hd_parts_histogram(ctx, &job, &parts, counts, found, copy.sums);
  hd_float_leave(saved);
  hd_release(ctx, part, bytes);
  if (!status) hd_histogram_deliver(result, found, job.channels);
  return status;
}

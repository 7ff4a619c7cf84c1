/* rank.c - nth, partial_sort and quantiles of an array */
#include "rank.h"

#include "api/overlap.h"
#include "host/status.h"
#include "order/quantile.h"

_Static_assert(HEDDLE_QUANTILE_LINEAR == HD_QUANTILE_LINEAR &&
                   HEDDLE_QUANTILE_INVERTED_CDF == HD_QUANTILE_INVERTED_CDF &&
                   HEDDLE_QUANTILE_AVERAGED_INVERTED_CDF == HD_QUANTILE_AVERAGED_INVERTED_CDF &&
                   HEDDLE_QUANTILE_CLOSEST_OBSERVATION == HD_QUANTILE_CLOSEST_OBSERVATION,
               "methods of kernels");
_Static_assert(HEDDLE_QUANTILE_INTERPOLATED_INVERTED_CDF == HD_QUANTILE_INTERPOLATED_INVERTED_CDF &&
                   HEDDLE_QUANTILE_HAZEN == HD_QUANTILE_HAZEN &&
                   HEDDLE_QUANTILE_WEIBULL == HD_QUANTILE_WEIBULL &&
                   HEDDLE_QUANTILE_MEDIAN_UNBIASED == HD_QUANTILE_MEDIAN_UNBIASED &&
                   HEDDLE_QUANTILE_NORMAL_UNBIASED == HD_QUANTILE_NORMAL_UNBIASED,
               "methods of kernels");
_Static_assert(HEDDLE_QUANTILE_LOWER == HD_QUANTILE_LOWER &&
                   HEDDLE_QUANTILE_HIGHER == HD_QUANTILE_HIGHER &&
                   HEDDLE_QUANTILE_MIDPOINT == HD_QUANTILE_MIDPOINT &&
                   HEDDLE_QUANTILE_NEAREST == HD_QUANTILE_NEAREST,
               "methods of kernels");

/* ---- jobs ---------------------------------------------------------------------------------- */

/* The options that order statistics read. */
static heddle_status read_options(const char *entry, const heddle_sort_options *options,
                                  heddle_sort_options *known) {
  static const heddle_sort_options defaults = HEDDLE_SORT_OPTIONS_INIT;
  *known = defaults;
  if (!options) return HEDDLE_OK;
  heddle_sort_options given;
  HD_TRY(hd_check_size(entry, "options", options, sizeof given));
  hd_copy_sized(&given, options, &defaults, sizeof given);
  known->descending = given.descending;
  known->nan_first = given.nan_first;
  return HEDDLE_OK;
}

heddle_status hd_rank_job(const char *entry, heddle_type type, const heddle_sort_options *options,
                          struct hd_sort *sort) {
  heddle_sort_options known;
  HD_TRY(read_options(entry, options, &known));
  return hd_sort_job(entry, HEDDLE_SORT_KEYS, type, 0, 0, &known, sort);
}

heddle_status hd_partial_job(const char *entry, heddle_type type, heddle_type index_type,
                             const void *index, u64 longest, const heddle_sort_options *options,
                             struct hd_sort *sort) {
  heddle_sort_options known;
  size_t bytes = sizeof(u64);
  HD_TRY(read_options(entry, options, &known));
  if (index) {
    bytes = heddle_type_size(index_type);
    if (index_type != HEDDLE_U32 && index_type != HEDDLE_U64)
      return hd_fail(HEDDLE_BAD_ARGUMENT,
                     "%s: `index_type` %d is neither HEDDLE_U32 nor HEDDLE_U64", entry,
                     (int)index_type);
  }
  return hd_sort_job(entry, HEDDLE_ARGSORT, type, bytes, longest, &known, sort);
}

static bool is_method(heddle_quantile_method method) {
  switch (method) {
  case HEDDLE_QUANTILE_LINEAR:
  case HEDDLE_QUANTILE_INVERTED_CDF:
  case HEDDLE_QUANTILE_AVERAGED_INVERTED_CDF:
  case HEDDLE_QUANTILE_CLOSEST_OBSERVATION:
  case HEDDLE_QUANTILE_INTERPOLATED_INVERTED_CDF:
  case HEDDLE_QUANTILE_HAZEN:
  case HEDDLE_QUANTILE_WEIBULL:
  case HEDDLE_QUANTILE_MEDIAN_UNBIASED:
  case HEDDLE_QUANTILE_NORMAL_UNBIASED:
  case HEDDLE_QUANTILE_LOWER:
  case HEDDLE_QUANTILE_HIGHER:
  case HEDDLE_QUANTILE_MIDPOINT:
  case HEDDLE_QUANTILE_NEAREST: return true;
  default: return false;
  }
}

static heddle_status check_weights(const char *entry, const heddle_quantile_options *options) {
  if (options->weights_type != HEDDLE_F32 && options->weights_type != HEDDLE_F64)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `options->weights_type` %d is neither HEDDLE_F32 nor HEDDLE_F64", entry,
                   (int)options->weights_type);
  if (options->method == HEDDLE_QUANTILE_INVERTED_CDF) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT,
                 "%s: `options->weights` is given with method %d; only "
                 "HEDDLE_QUANTILE_INVERTED_CDF has weights",
                 entry, (int)options->method);
}

heddle_status hd_quantile_job(const char *entry, heddle_type type,
                              const heddle_quantile_options *options, struct hd_quantiles *job,
                              const void **weights) {
  static const heddle_quantile_options defaults = HEDDLE_QUANTILE_OPTIONS_INIT;
  heddle_quantile_options known = defaults;
  HD_TRY(hd_check_type(entry, type));
  if (options) {
    HD_TRY(hd_check_size(entry, "options", options, sizeof known));
    hd_copy_sized(&known, options, &defaults, sizeof known);
  }
  if (!is_method(known.method))
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `options->method` %d is no heddle_quantile_method",
                   entry, (int)known.method);
  if (known.nan != HEDDLE_NAN_PROPAGATE && known.nan != HEDDLE_NAN_SKIP)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `options->nan` %d is no heddle_nan", entry,
                   (int)known.nan);
  if (known.weights) HD_TRY(check_weights(entry, &known));
  *weights = known.weights;
  *job = (struct hd_quantiles){.method = known.method,
                               .nan = known.nan,
                               .type = type,
                               .weights_type =
                                   known.weights ? known.weights_type : HEDDLE_TYPE_DEFAULT};
  return hd_sort_job(entry, HEDDLE_SORT_KEYS, type, 0, 0, NULL, &job->sort);
}

/* ---- what is asked for --------------------------------------------------------------------- */

heddle_status hd_check_wanted(const char *entry, heddle_context *ctx, const char *what,
                              const void *wanted, size_t count, size_t bytes) {
  HD_TRY(hd_check_array(entry, what, wanted, count, bytes));
  if (!hd_on_device(ctx, wanted)) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `%s` is device memory; give memory of the host", entry,
                 what);
}

heddle_status hd_check_shares(const char *entry, const f64 *q, size_t q_count) {
  for (size_t i = 0; i < q_count; i++)
    if (!(q[i] >= 0 && q[i] <= 1))
      return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `q[%zu]` is %g; a share is 0 to 1", entry, i, q[i]);
  return HEDDLE_OK;
}

heddle_status hd_check_ranks(const char *entry, const u64 *ranks, size_t rank_count, u64 count,
                             const char *where) {
  for (size_t i = 0; i < rank_count; i++)
    if (ranks[i] >= count)
      return hd_fail(HEDDLE_BAD_ARGUMENT,
                     "%s: `ranks[%zu]` is %llu, but %s has %llu elements, of ranks from 0 on",
                     entry, i, (unsigned long long)ranks[i], where, (unsigned long long)count);
  return HEDDLE_OK;
}

/* ---- calls --------------------------------------------------------------------------------- */

heddle_status heddle_nth(heddle_context *ctx, heddle_type type, const void *in, size_t count,
                         const uint64_t *ranks, size_t rank_count, void *out,
                         const heddle_sort_options *options) {
  static const char entry[] = "heddle_nth";
  const size_t size = heddle_type_size(type);
  struct hd_sort sort;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_rank_job(entry, type, options, &sort));
  HD_TRY(hd_check_array(entry, "in", in, count, size));
  HD_TRY(hd_check_wanted(entry, ctx, "ranks", ranks, rank_count, sizeof *ranks));
  HD_TRY(hd_check_ranks(entry, ranks, rank_count, count, "the array"));
  HD_TRY(hd_check_array(entry, "out", out, rank_count, size));
  const struct hd_span outs[] = {{"out", out, rank_count * size}};
  const struct hd_span ins[] = {{"in", in, count * size}, {"ranks", ranks, rank_count * 8}};
  HD_TRY(hd_check_apart(entry, outs, 1, ins, 2));
  if (!rank_count) return HEDDLE_OK;
  unsigned long saved = hd_float_enter();
  heddle_status status = ctx->backend->nth(ctx, &sort, in, count, ranks, rank_count, out);
  hd_float_leave(saved);
  return status;
}

heddle_status heddle_partial_sort(heddle_context *ctx, heddle_type type, const void *in,
                                  size_t count, size_t k, void *out, heddle_type index_type,
                                  void *index, const heddle_sort_options *options) {
  static const char entry[] = "heddle_partial_sort";
  const size_t size = heddle_type_size(type);
  struct hd_sort sort;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_partial_job(entry, type, index_type, index, count, options, &sort));
  HD_TRY(hd_check_array(entry, "in", in, count, size));
  if (k > count)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `k` is %zu, but the array has %zu elements", entry, k,
                   count);
  if (index) HD_TRY(hd_check_array(entry, "index", index, k, sort.value_bytes));
  const struct hd_span outs[] = {{"out", out, k * size},
                                 {"index", index, index ? k * sort.value_bytes : 0}};
  const struct hd_span ins[] = {{"in", in, count * size}};
  HD_TRY(hd_check_apart(entry, outs, 2, ins, 1));
  if (!k || (!out && !index)) return HEDDLE_OK;
  unsigned long saved = hd_float_enter();
  heddle_status status = ctx->backend->partial_sort(ctx, &sort, in, count, k, out, index);
  hd_float_leave(saved);
  return status;
}

heddle_status heddle_quantiles(heddle_context *ctx, heddle_type type, const void *in, size_t count,
                               const double *q, size_t q_count, double *out,
                               const heddle_quantile_options *options) {
  static const char entry[] = "heddle_quantiles";
  struct hd_quantiles job;
  const void *weights;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_quantile_job(entry, type, options, &job, &weights));
  const size_t size = heddle_type_size(type), weight = heddle_type_size(job.weights_type);
  HD_TRY(hd_check_array(entry, "in", in, count, size));
  if (weights) HD_TRY(hd_check_array(entry, "options->weights", weights, count, weight));
  HD_TRY(hd_check_wanted(entry, ctx, "q", q, q_count, sizeof *q));
  HD_TRY(hd_check_shares(entry, q, q_count));
  HD_TRY(hd_check_array(entry, "out", out, q_count, sizeof *out));
  const struct hd_span outs[] = {{"out", out, q_count * sizeof *out}};
  const struct hd_span ins[] = {{"in", in, count * size},
                                {"q", q, q_count * sizeof *q},
                                {"options->weights", weights, weights ? count * weight : 0}};
  HD_TRY(hd_check_apart(entry, outs, 1, ins, 3));
  if (!q_count) return HEDDLE_OK;
  if (!count)
    return hd_fail(HEDDLE_EMPTY, "%s: `count` is 0; a quantile takes at least one element", entry);
  unsigned long saved = hd_float_enter();
  heddle_status status = ctx->backend->quantiles(ctx, &job, in, weights, count, q, q_count, out);
  hd_float_leave(saved);
  return status;
}

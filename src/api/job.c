/* job.c - from what a public entry was given to a checked job with its defaults filled in */
#include <string.h>

#include "api.h"
#include "host/status.h"

static const heddle_options default_options = HEDDLE_OPTIONS_INIT;

enum { MOST_DEVICE_BYTES = 256 }; /* a custom element on a GPU */

/* The form of the operator that the back end runs is there. */
static heddle_status check_form(const char *entry, bool device, const heddle_custom *custom) {
  const char *missing = !custom->identity                ? "identity"
                        : device && !custom->cuda_source ? "cuda_source"
                        : !device && !custom->combine    ? "combine"
                        : !device && !custom->pairs      ? "pairs"
                                                         : NULL;
  if (missing)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `options->custom->%s` is NULL", entry, missing);
  if (device && custom->element_bytes > MOST_DEVICE_BYTES)
    return hd_fail(HEDDLE_UNSUPPORTED,
                   "%s: `options->custom->element_bytes` is %zu; elements have at most %d bytes on "
                   "a GPU",
                   entry, custom->element_bytes, MOST_DEVICE_BYTES);
  return HEDDLE_OK;
}

static heddle_status check_custom(const char *entry, const heddle_options *options,
                                  struct hd_fold *fold) {
  static const heddle_custom defaults = HEDDLE_CUSTOM_INIT;
  HD_TRY(hd_check_size(entry, "options->custom", options->custom, sizeof defaults));
  hd_copy_sized(&fold->custom_copy, options->custom, &defaults, sizeof defaults);
  const heddle_custom *custom = fold->custom = &fold->custom_copy;
  if (custom->element_bytes < 1 || custom->element_bytes > 4096)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `options->custom->element_bytes` is %zu; elements have 1 to 4096 bytes",
                   entry, custom->element_bytes);
  return HEDDLE_OK;
}

static bool is_figures(heddle_figures figures) {
  return figures == HEDDLE_FIGURES_ALL || figures == HEDDLE_FIGURES_MEAN ||
         figures == HEDDLE_FIGURES_VARIANCE;
}

static heddle_status check_meaning(const char *entry, heddle_verb verb, heddle_op op,
                                   const heddle_options *options) {
  if (options->nan != HEDDLE_NAN_PROPAGATE && options->nan != HEDDLE_NAN_SKIP)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `options->nan` %d is not a NaN policy", entry,
                   (int)options->nan);
  if (!is_figures(options->figures) && options->figures != HEDDLE_FIGURES_DEVIATION)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `options->figures` %d is none of heddle_figures",
                   entry, (int)options->figures);
  if (op != HEDDLE_OP_CUSTOM && options->custom)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `options->custom` is set, but `op` is %s; use HEDDLE_OP_CUSTOM", entry,
                   hd_op_name(op));
  if (options->init && (verb == HEDDLE_ARGREDUCE || verb == HEDDLE_DESCRIBE))
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `options->init` has no meaning here; leave it NULL",
                   entry);
  return HEDDLE_OK;
}

/* A divisor makes a figure of a sum, which is a float. */
static heddle_status check_divisor(const char *entry, const heddle_context *ctx, heddle_verb verb,
                                   heddle_op op, const heddle_options *options,
                                   heddle_type out_type) {
  const char *why = verb != HEDDLE_REDUCE || !hd_is_sum(op) ? "only a sum has one; set it to 0"
                    : options->init ? "`options->init` has no meaning beside it; leave it NULL"
                    : !hd_is_float(out_type) ? "the result is a fraction; set a float `out_type`"
                                             : NULL;
  if (why)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `options->divisor` is %g, but %s", entry,
                   options->divisor, why);
  if (ctx->backend->device || options->exact) return HEDDLE_OK;
  return hd_fail(
      HEDDLE_UNSUPPORTED,
      "%s: `options->divisor` is for GPUs; divide the results, or sum into f64 and divide", entry);
}

enum { MOST_DIVISOR_BITS = 53 };

/* The real sum is one of floats; no order-free meaning exists for what else folds. */
static heddle_status check_exact(const char *entry, heddle_verb verb, heddle_op op,
                                 heddle_type type, const heddle_options *options) {
  const f64 divisor = options->divisor;
  if (options->exact != 1)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `options->exact` is %d, not 0 or 1", entry,
                   options->exact);
  if ((verb != HEDDLE_REDUCE && verb != HEDDLE_DOT) || !hd_is_sum(op))
    return hd_fail(
        HEDDLE_UNSUPPORTED,
        "%s: `options->exact` is set, but only a sum, a sum of squares and a dot have an "
        "exact result; set it to 0",
        entry);
  if (!hd_is_float(type))
    return hd_fail(HEDDLE_UNSUPPORTED,
                   "%s: `options->exact` is set, but `type` is %s; integers sum without rounding, "
                   "modulo 2^64: set it to 0",
                   entry, heddle_type_name(type));
  if (divisor != 0 && divisor == divisor &&
      !(divisor >= 1 && divisor <= (f64)((u64)1 << MOST_DIVISOR_BITS) &&
        divisor == (f64)(u64)divisor))
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `options->divisor` is %g; that of an exact sum is a whole number from 1 to "
                   "2^%d",
                   entry, divisor, (int)MOST_DIVISOR_BITS);
  return HEDDLE_OK;
}

/* A scan runs the fold of its operator. */
static const enum hd_verb fold_verbs[] = {[HEDDLE_REDUCE] = HD_REDUCE,
                                          [HEDDLE_ARGREDUCE] = HD_ARGREDUCE,
                                          [HEDDLE_DOT] = HD_DOT,
                                          [HEDDLE_DESCRIBE] = HD_DESCRIBE,
                                          [HEDDLE_SCAN] = HD_REDUCE};

/* Options as this version knows them; known is room for them. */
static heddle_status known_options(const char *entry, const heddle_options *given,
                                   heddle_options *known, const heddle_options **options) {
  *options = &default_options;
  if (!given) return HEDDLE_OK;
  HD_TRY(hd_check_size(entry, "options", given, sizeof *known));
  hd_copy_sized(known, given, &default_options, sizeof *known);
  *options = known;
  return HEDDLE_OK;
}

/* Where a piece is in its array: hd_placed_job takes it out where it has a meaning. */
static heddle_status check_place(const char *entry, const heddle_options *options) {
  if (options->start)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `options->start` is %llu, but only a state of reduce, argreduce, dot or "
                   "describe has one; set it to 0",
                   entry, (unsigned long long)options->start);
  if (options->prefix)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `options->prefix` is set, but only heddle_scan and heddle_scan_begin have "
                   "one; leave it NULL",
                   entry);
  return HEDDLE_OK;
}

static heddle_status fill_job(const char *entry, heddle_context *ctx, heddle_verb verb,
                              heddle_op op, heddle_type type, const heddle_options *options,
                              struct hd_fold *fold) {
  fold->entry = entry;
  fold->verb = fold_verbs[verb];
  fold->op = op;
  fold->type = type;
  fold->nan = options->nan;
  fold->figures = options->figures;
  fold->exact = options->exact != 0;
  fold->divisor = options->divisor;
  fold->init = options->init;
  fold->custom = NULL;
  HD_TRY(hd_check_op(entry, verb, op, type));
  HD_TRY(check_meaning(entry, verb, op, options));
  HD_TRY(check_place(entry, options));
  if (op == HEDDLE_OP_CUSTOM) HD_TRY(check_custom(entry, options, fold));
  HD_TRY(hd_result_types(entry, verb, op, type, options, &fold->out_type, &fold->acc_type));
  if (options->exact) HD_TRY(check_exact(entry, verb, op, type, options));
  if (options->divisor != 0) HD_TRY(check_divisor(entry, ctx, verb, op, options, fold->out_type));
  return fold->custom ? check_form(entry, ctx->backend->device, fold->custom) : HEDDLE_OK;
}

heddle_status hd_fold_job(const char *entry, heddle_context *ctx, heddle_verb verb, heddle_op op,
                          heddle_type type, const heddle_options *given, struct hd_fold *fold) {
  const heddle_options *options;
  heddle_options known;
  HD_TRY(known_options(entry, given, &known, &options));
  if (verb == HEDDLE_DESCRIBE && !is_figures(options->figures))
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `options->figures` %d is not HEDDLE_FIGURES_ALL, _MEAN or _VARIANCE", entry,
                   (int)options->figures);
  return fill_job(entry, ctx, verb, op, type, options, fold);
}

heddle_status hd_placed_job(const char *entry, heddle_context *ctx, heddle_verb verb, heddle_op op,
                            heddle_type type, const heddle_options *given, struct hd_fold *fold,
                            struct hd_place *place) {
  const heddle_options *options;
  heddle_options known = default_options;
  HD_TRY(known_options(entry, given, &known, &options));
  if (verb == HEDDLE_SCAN)
    place->prefix = known.prefix, known.prefix = NULL;
  else
    place->start = known.start, known.start = 0;
  return hd_fold_job(entry, ctx, verb, op, type, &known, fold);
}

heddle_status hd_figure_job(const char *entry, heddle_context *ctx, heddle_type type,
                            const heddle_options *given, struct hd_fold *fold,
                            heddle_figures *asked) {
  const heddle_options *options;
  heddle_options known;
  HD_TRY(known_options(entry, given, &known, &options));
  if (options->figures == HEDDLE_FIGURES_ALL)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `options->figures` asks for all, but there is one number; set "
                   "HEDDLE_FIGURES_MEAN, _VARIANCE or _DEVIATION",
                   entry);
  HD_TRY(fill_job(entry, ctx, HEDDLE_DESCRIBE, HEDDLE_SUM, type, options, fold));
  *asked = fold->figures;
  if (options->out_type != HEDDLE_TYPE_DEFAULT) fold->out_type = options->out_type;
  fold->divisor = options->ddof;
  if (ctx->backend->device)
    fold->verb = HD_FIGURE;
  else if (*asked == HEDDLE_FIGURES_DEVIATION)
    fold->figures = HEDDLE_FIGURES_VARIANCE;
  return HEDDLE_OK;
}

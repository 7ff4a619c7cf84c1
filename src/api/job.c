/* job.c - from what a public entry was given to a checked job with its defaults filled in */
#include <string.h>

#include "api.h"
#include "host/status.h"

static const heddle_options default_options = HEDDLE_OPTIONS_INIT;

enum { MOST_DEVICE_BYTES = 256 }; /* a custom element on a GPU */

static bool is_bits(heddle_op op) { return op >= HEDDLE_AND && op <= HEDDLE_XOR; }
static bool is_truth(heddle_op op) { return op == HEDDLE_ANY || op == HEDDLE_ALL; }
static bool is_arithmetic(heddle_op op) { return op == HEDDLE_SUM || op == HEDDLE_PROD; }

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

static heddle_status check_custom(const char *entry, const heddle_context *ctx,
                                  const heddle_options *options, struct hd_fold *fold) {
  static const heddle_custom defaults = HEDDLE_CUSTOM_INIT;
  if (fold->type != HEDDLE_CUSTOM)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `type` is %s; a custom operator takes HEDDLE_CUSTOM elements", entry,
                   heddle_type_name(fold->type));
  HD_TRY(hd_check_size(entry, "options->custom", options->custom, sizeof defaults));
  hd_copy_sized(&fold->custom_copy, options->custom, &defaults, sizeof defaults);
  const heddle_custom *custom = fold->custom = &fold->custom_copy;
  if (custom->element_bytes < 1 || custom->element_bytes > 4096)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `options->custom->element_bytes` is %zu; elements have 1 to 4096 bytes",
                   entry, custom->element_bytes);
  if (options->acc_type || options->out_type)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `options->%s` has no meaning for a custom operator; leave it at "
                   "HEDDLE_TYPE_DEFAULT",
                   entry, options->acc_type ? "acc_type" : "out_type");
  HD_TRY(check_form(entry, ctx->backend->device, custom));
  fold->acc_type = fold->out_type = HEDDLE_CUSTOM;
  return HEDDLE_OK;
}

static heddle_type natural_accumulator(const struct hd_fold *fold) {
  if (is_truth(fold->op)) return HEDDLE_U8;
  if (fold->verb == HD_DESCRIBE) return HEDDLE_F64;
  if (!is_arithmetic(fold->op)) return fold->type;
  if (hd_is_float(fold->type)) return fold->type == HEDDLE_F64 ? HEDDLE_F64 : HEDDLE_F32;
  return hd_is_signed(fold->type) ? HEDDLE_I64 : HEDDLE_U64;
}

static heddle_status set_types(const char *entry, const heddle_options *options,
                               struct hd_fold *fold) {
  heddle_type natural = natural_accumulator(fold), acc = options->acc_type;
  fold->acc_type = natural;
  if (acc != HEDDLE_TYPE_DEFAULT && acc != natural) {
    bool in_f64 = hd_is_float(fold->type) && acc == HEDDLE_F64;
    bool exact = !is_arithmetic(fold->op) && hd_is_type(acc);
    if (!in_f64 && !exact)
      return hd_fail(
          HEDDLE_BAD_ARGUMENT, "%s: `options->acc_type` is %s; %s of %s accumulates in %s%s", entry,
          heddle_type_name(acc), hd_op_name(fold->op), heddle_type_name(fold->type),
          heddle_type_name(natural), natural == HEDDLE_F32 ? ", or in f64 on request" : "");
    if (in_f64 && is_arithmetic(fold->op)) fold->acc_type = HEDDLE_F64;
  }
  heddle_type out = options->out_type;
  if (out == HEDDLE_TYPE_DEFAULT) out = fold->acc_type;
  if (!hd_is_type(out))
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `options->out_type` %d is not an element type", entry,
                   (int)out);
  if (hd_is_float(fold->acc_type) && !hd_is_float(out))
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `options->out_type` is %s; a float result needs a float type", entry,
                   heddle_type_name(out));
  fold->out_type = out;
  return HEDDLE_OK;
}

static heddle_status check_op(const char *entry, struct hd_fold *fold) {
  if (fold->op < HEDDLE_SUM || fold->op > HEDDLE_OP_CUSTOM)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `op` %d is not an operator", entry, (int)fold->op);
  if (fold->op == HEDDLE_OP_CUSTOM) return HEDDLE_OK;
  HD_TRY(hd_check_type(entry, fold->type));
  if (is_bits(fold->op) && hd_is_float(fold->type))
    return hd_fail(HEDDLE_UNSUPPORTED,
                   "%s: %s is not defined for %s; reinterpret the array as integers of its size",
                   entry, hd_op_name(fold->op), heddle_type_name(fold->type));
  return HEDDLE_OK;
}

heddle_status hd_fold_job(const char *entry, heddle_context *ctx, enum hd_verb verb, heddle_op op,
                          heddle_type type, const heddle_options *given, struct hd_fold *fold) {
  heddle_options options = default_options;
  if (given) {
    HD_TRY(hd_check_size(entry, "options", given, sizeof options));
    hd_copy_sized(&options, given, &default_options, sizeof options);
  }
  fold->entry = entry;
  fold->verb = verb;
  fold->op = op;
  fold->type = type;
  fold->nan = options.nan;
  fold->init = options.init;
  fold->custom = NULL;
  HD_TRY(check_op(entry, fold));
  if (options.nan != HEDDLE_NAN_PROPAGATE && options.nan != HEDDLE_NAN_SKIP)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `options->nan` %d is not a NaN policy", entry,
                   (int)options.nan);
  if (op != HEDDLE_OP_CUSTOM && options.custom)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `options->custom` is set, but `op` is %s; use HEDDLE_OP_CUSTOM", entry,
                   hd_op_name(op));
  if (op == HEDDLE_OP_CUSTOM) return check_custom(entry, ctx, &options, fold);
  if (options.init && (verb == HD_ARGREDUCE || verb == HD_DESCRIBE))
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `options->init` has no meaning here; leave it NULL",
                   entry);
  return set_types(entry, &options, fold);
}

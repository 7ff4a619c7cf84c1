/* result_type.c - which types a call accumulates in and writes: one rule for entries and for
 * callers
 *
 * Method  The accumulator follows from verb, operator and type; options may ask for f64 in its
 *         place. The result follows from the accumulator, but a scan's is its input's type. */
#include "api.h"
#include "host/status.h"

heddle_status hd_check_op(const char *entry, heddle_verb verb, heddle_op op, heddle_type type) {
  if (!hd_is_op(op) && op != HEDDLE_OP_CUSTOM)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `op` %d is not an operator", entry, (int)op);
  if (verb == HEDDLE_SCAN && hd_is_logical(op))
    return hd_fail(HEDDLE_UNSUPPORTED,
                   "%s: %s has no running form; scan HEDDLE_OR or HEDDLE_AND of integers", entry,
                   hd_op_name(op));
  if (op == HEDDLE_OP_CUSTOM && type != HEDDLE_CUSTOM)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `type` is %s; a custom operator takes HEDDLE_CUSTOM elements", entry,
                   heddle_type_name(type));
  if (op == HEDDLE_OP_CUSTOM) return HEDDLE_OK;
  if (!hd_is_type(type)) return hd_check_type(entry, type);
  if (hd_is_bitwise(op) && hd_is_float(type))
    return hd_fail(HEDDLE_UNSUPPORTED,
                   "%s: %s is not defined for %s; reinterpret the array as integers of its size",
                   entry, hd_op_name(op), heddle_type_name(type));
  return HEDDLE_OK;
}

static heddle_status custom_types(const char *entry, const heddle_options *options,
                                  heddle_type *out, heddle_type *acc) {
  if (options->acc_type || options->out_type)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `options->%s` has no meaning for a custom operator; leave it at "
                   "HEDDLE_TYPE_DEFAULT",
                   entry, options->acc_type ? "acc_type" : "out_type");
  *out = *acc = HEDDLE_CUSTOM;
  return HEDDLE_OK;
}

static heddle_type natural_accumulator(heddle_verb verb, heddle_op op, heddle_type type) {
  if (hd_is_logical(op)) return HEDDLE_U8;
  if (verb == HEDDLE_DESCRIBE) return HEDDLE_F64;
  return hd_is_arithmetic(op) ? hd_sum_type(type) : type;
}

static heddle_status set_accumulator(const char *entry, heddle_verb verb, heddle_op op,
                                     heddle_type type, heddle_type asked, heddle_type *acc) {
  const heddle_type natural = natural_accumulator(verb, op, type);
  *acc = natural;
  if (asked == HEDDLE_TYPE_DEFAULT || asked == natural) return HEDDLE_OK;
  const bool in_f64 = hd_is_float(type) && asked == HEDDLE_F64;
  const bool is_exact = !hd_is_arithmetic(op) && hd_is_type(asked);
  if (!in_f64 && !is_exact)
    return hd_fail(
        HEDDLE_BAD_ARGUMENT, "%s: `options->acc_type` is %s; %s of %s accumulates in %s%s", entry,
        heddle_type_name(asked), hd_op_name(op), heddle_type_name(type), heddle_type_name(natural),
        natural == HEDDLE_F32 ? ", or in f64 on request" : "");
  if (in_f64 && hd_is_arithmetic(op)) *acc = HEDDLE_F64;
  return HEDDLE_OK;
}

/* The same where options name a type. Apart, so that a call by default pays for none of it. */
static __attribute__((noinline)) heddle_status asked_types(const char *entry, heddle_verb verb,
                                                           heddle_op op, heddle_type type,
                                                           const heddle_options *options,
                                                           heddle_type *out, heddle_type *acc) {
  HD_TRY(set_accumulator(entry, verb, op, type, options->acc_type, acc));
  const heddle_type asked = options->out_type;
  *out = verb == HEDDLE_SCAN ? type : *acc;
  if (asked == HEDDLE_TYPE_DEFAULT) return HEDDLE_OK;
  if (!hd_is_type(asked))
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `options->out_type` %d is not an element type", entry,
                   (int)asked);
  if (hd_is_float(*acc) && !hd_is_float(asked))
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `options->out_type` is %s; a float result needs a float type", entry,
                   heddle_type_name(asked));
  if (verb != HEDDLE_ARGREDUCE && verb != HEDDLE_DESCRIBE) *out = asked;
  return HEDDLE_OK;
}

heddle_status hd_result_types(const char *entry, heddle_verb verb, heddle_op op, heddle_type type,
                              const heddle_options *options, heddle_type *out, heddle_type *acc) {
  if (op == HEDDLE_OP_CUSTOM) return custom_types(entry, options, out, acc);
  if (options->acc_type != HEDDLE_TYPE_DEFAULT || options->out_type != HEDDLE_TYPE_DEFAULT) {
    HD_TRY(asked_types(entry, verb, op, type, options, out, acc));
  } else {
    *acc = natural_accumulator(verb, op, type);
    *out = verb == HEDDLE_SCAN ? type : *acc;
  }
  const bool is_quotient = options->divisor != 0 && options->out_type == HEDDLE_TYPE_DEFAULT;
  if (is_quotient && verb == HEDDLE_REDUCE && !hd_is_float(type)) *out = HEDDLE_F64;
  return HEDDLE_OK;
}

heddle_status hd_check_verb(const char *entry, const char *what, heddle_verb verb) {
  if (verb == HEDDLE_REDUCE || verb == HEDDLE_ARGREDUCE || verb == HEDDLE_DOT ||
      verb == HEDDLE_DESCRIBE || verb == HEDDLE_SCAN)
    return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `%s` %d is none of heddle_verb", entry, what, (int)verb);
}

heddle_op hd_verb_op(heddle_verb verb, heddle_op op) {
  if (verb == HEDDLE_ARGREDUCE) return HEDDLE_MIN;
  return verb == HEDDLE_DOT || verb == HEDDLE_DESCRIBE ? HEDDLE_SUM : op;
}

heddle_status heddle_result_type(heddle_verb verb, heddle_op op, heddle_type type,
                                 const heddle_options *options, heddle_type *out,
                                 heddle_type *acc) {
  static const heddle_options defaults = HEDDLE_OPTIONS_INIT;
  const char *entry = "heddle_result_type";
  heddle_options known = defaults;
  heddle_type result, accumulator;
  HD_TRY(hd_check_verb(entry, "verb", verb));
  if (options) {
    HD_TRY(hd_check_size(entry, "options", options, sizeof known));
    hd_copy_sized(&known, options, &defaults, sizeof known);
  }
  op = hd_verb_op(verb, op);
  HD_TRY(hd_check_op(entry, verb, op, type));
  HD_TRY(hd_result_types(entry, verb, op, type, &known, &result, &accumulator));
  if (out) *out = result;
  if (acc) *acc = accumulator;
  return HEDDLE_OK;
}

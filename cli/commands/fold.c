/* fold.c - the type of a result asked of the library, --init parsed as that type
 *
 * Method  The library says which type a call writes (heddle_result_type). Of a call that it refuses
 *         any type will do here: the call itself says why. */
#include "fold.h"

#include "command.h"
#include "show_values.h"
#include "text/element.h"
#include "text/types.h"

heddle_type fold_result_type(const struct settings *s, heddle_verb verb, heddle_type type) {
  heddle_options options;
  heddle_type result;
  const heddle_op op = fold_is_indexed(s->op) ? HEDDLE_MIN : (heddle_op)s->op;
  if (fold_is_indexed(s->op)) verb = HEDDLE_ARGREDUCE;
  command_options(s, &options);
  if (heddle_result_type(verb, op, type, &options, &result, NULL) == HEDDLE_OK) return result;
  return options.out_type != HEDDLE_TYPE_DEFAULT ? options.out_type : type;
}

int fold_check_exact(const struct settings *s, heddle_type type, const char *path,
                     struct failure *why) {
  if (!s->exact) return 0;
  if (s->op != HEDDLE_SUM && s->op != HEDDLE_SUM_SQUARES)
    return fail(why, EXIT_USAGE,
                "--exact is for sum, dot and reduce --op sum_squares; leave it out for %s",
                operator_name(s->op));
  if (type_is_float(type)) return 0;
  return fail(
      why, EXIT_USAGE,
      "%s: --exact is for floats, and this holds %s; integers add up without rounding, modulo "
      "2^64: leave it out",
      command_file_label(path), heddle_type_name(type));
}

int fold_options(const struct settings *s, heddle_type type, heddle_options *options,
                 uint64_t *init, struct failure *why) {
  command_options(s, options);
  options->out_type = type;
  if (!s->init) return 0;
  if (!element_parse(s->init, type, init))
    return fail(why, EXIT_USAGE,
                "--init '%s' is no %s, the type of the result; --out-type changes it", s->init,
                heddle_type_name(type));
  options->init = init;
  return 0;
}

int fold_store_exact(const char *path, const char *op, const char *text, heddle_type type,
                     struct value_row *row, struct failure *why) {
  const bool any = type == HEDDLE_TYPE_DEFAULT;
  row->type = any ? HEDDLE_I64 : type;
  if (element_parse(text, row->type, row->value)) return 0;
  if (any) row->type = HEDDLE_U64;
  if (any && element_parse(text, row->type, row->value)) return 0;
  return fail(why, EXIT_DATA,
              "%s: the %s of its integers is %s, which does not fit %s; --out-type f64 rounds it",
              command_file_label(path), op, text, any ? "64 bits" : heddle_type_name(type));
}

/* cmd_reduce.c - heddle sum, min, max, reduce: a file's elements folded into one
 *
 * Method  A state for each column, fed block by block: the bits of the call on the whole.
 * Limits  argmin and argmax give the place and the value; --axis is in cmd_axis.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axis.h"
#include "command.h"
#include "fold.h"
#include "show_number.h"
#include "show_values.h"
#include "source.h"

const char *fold_name(int op) {
  static const struct {
    int op;
    const char *name;
  } names[] = {{HEDDLE_SUM, "sum"},   {HEDDLE_PROD, "prod"}, {HEDDLE_MIN, "min"},
               {HEDDLE_MAX, "max"},   {HEDDLE_AND, "and"},   {HEDDLE_OR, "or"},
               {HEDDLE_XOR, "xor"},   {HEDDLE_ANY, "any"},   {HEDDLE_ALL, "all"},
               {OP_ARGMIN, "argmin"}, {OP_ARGMAX, "argmax"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].op == op) return names[i].name;
  return "";
}

heddle_type fold_accumulator(heddle_type type, int acc) {
  if (type_is_float(type)) {
    if (acc == HEDDLE_F64 || type == HEDDLE_F64) return HEDDLE_F64;
    return HEDDLE_F32;
  }
  return type >= HEDDLE_I8 ? HEDDLE_I64 : HEDDLE_U64;
}

heddle_type fold_result_type(const struct settings *s, heddle_type type) {
  if (fold_is_indexed(s->op)) return type;
  if (s->out_type != HEDDLE_TYPE_DEFAULT) return (heddle_type)s->out_type;
  if (s->op == HEDDLE_SUM || s->op == HEDDLE_PROD) return fold_accumulator(type, s->acc);
  if (s->op == HEDDLE_ANY || s->op == HEDDLE_ALL) return HEDDLE_U8;
  return type;
}

int fold_options(const struct settings *s, heddle_type type, heddle_options *options,
                 uint64_t *init, struct failure *why) {
  command_options(s, options);
  options->out_type = type;
  if (s->init == NULL) return 0;
  if (!element_parse(s->init, type, init))
    return fail(why, EXIT_USAGE,
                "--init '%s' is no %s, the type of the result; --out-type changes it", s->init,
                heddle_type_name(type));
  options->init = init;
  return 0;
}

struct column_fold {
  heddle_state *state;
  uint64_t count;
};

static int begin(const struct settings *s, heddle_context *ctx, const struct source *src,
                 heddle_state **state, struct failure *why) {
  heddle_type type = input_type(src->in);
  heddle_options options;
  uint64_t init = 0;
  if (fold_is_indexed(s->op)) {
    if (s->init != NULL || s->out_type != HEDDLE_TYPE_DEFAULT)
      return fail(why, EXIT_USAGE,
                  "--init and --out-type are not for %s: it gives a place and the "
                  "value there",
                  fold_name(s->op));
    command_options(s, &options);
    return command_check(heddle_argreduce_begin(ctx, fold_extreme(s->op), type, &options, state),
                         src->path, why);
  }
  if (fold_options(s, fold_result_type(s, type), &options, &init, why) != 0) return -1;
  return command_check(heddle_reduce_begin(ctx, (heddle_op)s->op, type, &options, state), src->path,
                       why);
}

static int feed(const struct settings *s, struct source *src, struct column_fold *folds,
                size_t columns, struct failure *why) {
  for (;;) {
    const void *data[INPUT_MAX_COLUMNS];
    size_t n = 0;
    if (source_next(src, data, &n, why) != 0) return -1;
    if (n == 0) return 0;
    for (size_t c = 0; c < columns; c++) {
      heddle_status status = fold_is_indexed(s->op)
                                 ? heddle_argreduce_update(folds[c].state, data[c], n)
                                 : heddle_reduce_update(folds[c].state, data[c], n);
      if (command_check(status, src->path, why) != 0) return -1;
      folds[c].count += n;
    }
  }
}

static int finish(const struct settings *s, const struct source *src, struct column_fold *folds,
                  size_t columns, struct values *v, struct failure *why) {
  for (size_t c = 0; c < columns; c++) {
    struct value_row *row = values_add(v, why);
    if (row == NULL) return -1;
    row->file = src->path;
    row->type = fold_result_type(s, input_type(src->in));
    row->count = folds[c].count;
    if (columns > 1) {
      const char *label = input_label(src->in, c);
      v->columns = true;
      if (*label == '\0' && c < s->column_count) label = s->columns[c];
      if (value_name(row, label, why) != 0) return -1;
    }
    heddle_status status = fold_is_indexed(s->op)
                               ? heddle_argreduce_finish(folds[c].state, row->value, &row->index)
                               : heddle_reduce_finish(folds[c].state, row->value);
    if (status == HEDDLE_EMPTY)
      return fail(why, EXIT_DATA, "%s: the %s of no values is not defined%s",
                  command_file_label(src->path), fold_name(s->op),
                  folds[c].count > 0 ? " (all are NaN, which --nan skip leaves out)" : "");
    if (command_check(status, src->path, why) != 0) return -1;
  }
  return 0;
}

static int fold_file(const struct settings *s, heddle_context *ctx, const char *path,
                     struct values *v, struct failure *why) {
  struct column_fold folds[INPUT_MAX_COLUMNS] = {{NULL, 0}};
  struct source src;
  if (source_open(s, path, false, &src, why) != 0) return -1;
  size_t columns = input_columns(src.in);
  int status = 0;
  for (size_t c = 0; c < columns && status == 0; c++)
    status = begin(s, ctx, &src, &folds[c].state, why);
  if (status == 0) status = feed(s, &src, folds, columns, why);
  if (status == 0) status = finish(s, &src, folds, columns, v, why);
  for (size_t c = 0; c < columns; c++) heddle_state_free(folds[c].state);
  source_close(&src);
  return status;
}

int command_reduce(const struct settings *s, struct failure *why) {
  struct values v = {
      fold_name(s->op), fold_is_indexed(s->op), s->file_count > 1, false, NULL, 0, 0};
  heddle_context *ctx;
  if (command_context(s, &ctx, why) != 0) return -1;
  int status = 0;
  if (s->axis != NULL) {
    status = axis_reduce(s, ctx, why);
  } else {
    for (size_t i = 0; i < s->file_count && status == 0; i++)
      status = fold_file(s, ctx, s->files[i], &v, why);
    if (status == 0) status = show_values(s, &v, why);
  }
  values_free(&v);
  heddle_close(ctx);
  return status;
}

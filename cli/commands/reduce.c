/* reduce.c - heddle sum, min, max, reduce: a file's elements folded into one
 *
 * Method  A state for each column, fed block by block: the bits of the call on the whole. Integers
 *         of text are folded exactly beside it (whole.h); if nothing else comes, that is the
 *         result.
 * Limits  argmin and argmax give the place and the value; --axis is in axis.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axis.h"
#include "command.h"
#include "fold.h"
#include "options/commands.h"
#include "show_values.h"
#include "source.h"
#include "text/types.h"
#include "whole.h"

struct column_fold {
  heddle_state *state; /* NULL: only integers can be folded so, and *why_none tells why */
  struct failure why_none;
  struct whole whole;
  bool exact; /* nothing but integers so far */
  uint64_t count;
};

/* --acc asks for floats; an --init that is no integer makes the result none. */
static bool is_exact(const struct settings *s, heddle_context *ctx, const struct source *src,
                     struct whole *whole) {
  struct failure ignored;
  if (!input_has_integers(src->in) || !whole_takes(s->op) || s->acc != HEDDLE_TYPE_DEFAULT)
    return false;
  whole_start(whole, s->op);
  return !s->init || whole_init(ctx, whole, s->init, &ignored);
}

static int begin_state(const struct settings *s, heddle_context *ctx, const struct source *src,
                       heddle_state **state, struct failure *why) {
  heddle_type type = input_type(src->in);
  heddle_options options;
  uint64_t init = 0;
  if (fold_check_exact(s, type, src->path, why) != 0) return -1;
  if (fold_is_indexed(s->op)) {
    if (s->init || s->out_type != HEDDLE_TYPE_DEFAULT)
      return fail(why, EXIT_USAGE,
                  "--init and --out-type are not for %s: it gives a place and the "
                  "value there",
                  operator_name(s->op));
    command_options(s, &options);
    options.start = src->first;
    return command_check(heddle_argreduce_begin(ctx, fold_extreme(s->op), type, &options, state),
                         src->path, why);
  }
  if (fold_options(s, fold_result_type(s, HEDDLE_REDUCE, type), &options, &init, why) != 0)
    return -1;
  options.start = src->first;
  return command_check(heddle_reduce_begin(ctx, (heddle_op)s->op, type, &options, state), src->path,
                       why);
}

static int begin(const struct settings *s, heddle_context *ctx, const struct source *src,
                 struct column_fold *fold, struct failure *why) {
  fold->exact = is_exact(s, ctx, src, &fold->whole);
  if (begin_state(s, ctx, src, &fold->state, &fold->why_none) == 0) return 0;
  fold->state = NULL;
  if (!fold->exact || fold_is_indexed(s->op)) {
    *why = fold->why_none;
    return -1;
  }
  return 0;
}

static int feed_integers(heddle_context *ctx, const struct source *src, struct column_fold *fold,
                         size_t column, size_t n, struct failure *why) {
  size_t rows;
  heddle_type type;
  if (!fold->exact) return 0;
  const void *const integers = input_integers(src->in, column, &rows, &type);
  fold->exact = rows == n;
  if (fold->exact) return whole_add(ctx, &fold->whole, type, integers, n, why);
  if (fold->state) return 0;
  *why = fold->why_none;
  return -1;
}

static int feed(const struct settings *s, heddle_context *ctx, struct source *src,
                struct column_fold *folds, size_t columns, struct failure *why) {
  for (;;) {
    const void *data[INPUT_MAX_COLUMNS];
    size_t n = 0;
    if (source_next(src, data, &n, why) != 0) return -1;
    if (n == 0) return 0;
    for (size_t c = 0; c < columns; c++) {
      if (feed_integers(ctx, src, &folds[c], c, n, why) != 0) return -1;
      folds[c].count += n;
      if (!folds[c].state) continue;
      heddle_status status = fold_is_indexed(s->op)
                                 ? heddle_argreduce_update(folds[c].state, data[c], n)
                                 : heddle_reduce_update(folds[c].state, data[c], n);
      if (command_check(status, src->path, why) != 0) return -1;
    }
  }
}

/* 1: there is an exact result; 0: the state has it. */
static int finish_exact(const struct settings *s, const struct source *src,
                        const struct column_fold *fold, struct value_row *row,
                        struct failure *why) {
  char text[WHOLE_TEXT];
  const bool wide = whole_is_total(s->op);
  if (!fold->exact || (fold->count == 0 && fold->state)) return 0;
  if (!whole_text(&fold->whole, text)) {
    if (!fold->state || !type_is_float(row->type))
      return fail(why, EXIT_DATA, "%s: the %s of its integers does not fit 64 bits",
                  command_file_label(src->path), operator_name(s->op));
    command_note(s, "%s: the %s of its integers does not fit 64 bits: it is rounded to f64",
                 command_file_label(src->path), operator_name(s->op));
    return 0;
  }
  row->index = fold->whole.index;
  const bool typed = s->out_type != HEDDLE_TYPE_DEFAULT && !fold_is_indexed(s->op);
  const int type = typed ? s->out_type : wide ? HEDDLE_TYPE_DEFAULT : (int)fold->whole.type;
  return fold_store_exact(src->path, operator_name(s->op), text, (heddle_type)type, row, why) == 0
             ? 1
             : -1;
}

static int name_row(const struct settings *s, const struct source *src, size_t c,
                    struct value_row *row, struct failure *why) {
  const char *label = input_label(src->in, c);
  return value_name(row, *label != '\0' || c >= s->column_count ? label : s->columns[c], why);
}

static int finish_column(const struct settings *s, const struct source *src,
                         struct column_fold *fold, struct value_row *row, struct failure *why) {
  row->file = src->path;
  row->type = fold_result_type(s, HEDDLE_REDUCE, input_type(src->in));
  row->count = fold->count;
  const int exact = finish_exact(s, src, fold, row, why);
  if (exact != 0) return exact < 0 ? -1 : 0;
  heddle_status status = fold_is_indexed(s->op)
                             ? heddle_argreduce_finish(fold->state, row->value, &row->index)
                             : heddle_reduce_finish(fold->state, row->value);
  if (status == HEDDLE_EMPTY)
    return fail(why, EXIT_DATA, "%s: the %s of no values is not defined%s",
                command_file_label(src->path), operator_name(s->op),
                fold->count > 0 ? " (all are NaN, which --nan skip leaves out)" : "");
  return command_check(status, src->path, why);
}

static int finish(const struct settings *s, const struct source *src, struct column_fold *folds,
                  size_t columns, struct values *v, struct failure *why) {
  const size_t before = v->count;
  for (size_t c = 0; c < columns; c++) {
    struct value_row *row = values_add(v, why);
    if (!row) return -1;
    if (columns > 1) {
      v->columns = true;
      if (name_row(s, src, c, row, why) != 0) return -1;
    }
    if (finish_column(s, src, &folds[c], row, why) == 0) continue;
    values_cut(v, before); /* of one file all columns or none */
    return -1;
  }
  return 0;
}

struct folding {
  heddle_context *ctx;
  struct values *v;
};

static int fold_file(const struct settings *s, const char *path, void *user, struct failure *why) {
  const struct folding *const f = user;
  heddle_context *const ctx = f->ctx;
  struct source src;
  if (source_open(s, path, ONE_PASS, &src, why) != 0) return -1;
  size_t columns = input_columns(src.in);
  struct column_fold *const folds = command_allocate(columns, sizeof *folds, "columns", why);
  int status = folds ? 0 : -1;
  src.integers = whole_takes(s->op) && s->acc == HEDDLE_TYPE_DEFAULT;
  for (size_t c = 0; c < columns && status == 0; c++) status = begin(s, ctx, &src, &folds[c], why);
  if (status == 0) status = feed(s, ctx, &src, folds, columns, why);
  for (size_t c = 0; c < columns && status == 0; c++) {
    status = command_merge(s, ctx, &folds[c].state, why);
    if (s->part) folds[c].count = src.all;
  }
  if (status == 0) status = finish(s, &src, folds, columns, f->v, why);
  for (size_t c = 0; c < columns && folds; c++) heddle_state_free(folds[c].state);
  free(folds);
  source_close(&src);
  return status < 0 ? -1 : 0;
}

int command_reduce(const struct settings *s, struct failure *why) {
  struct values v = {
      .op = operator_name(s->op), .indexed = fold_is_indexed(s->op), .files = s->file_count > 1};
  heddle_context *ctx;
  if (command_context(s, &ctx, why) != 0) return -1;
  int status = 0;
  if (s->axis) {
    status = axis_reduce(s, ctx, why);
  } else {
    struct folding f = {ctx, &v};
    bool missing;
    status = command_each_file(s, fold_file, &f, &missing, why);
    if (status == 0 && v.count > 0) status = show_values(s, &v, why);
    status = command_missing(status, missing, why);
  }
  values_free(&v);
  heddle_close(ctx);
  return status;
}

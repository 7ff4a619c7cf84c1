/* minmax.c - heddle minmax: the least and the greatest element of each column, in one pass
 *
 * Method  Two states a column, fed block by block. Integers of text are folded exactly beside them
 *         (commands/whole.h); if nothing else comes, that is the result. */
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "commands/fold.h"
#include "commands/source.h"
#include "commands/whole.h"
#include "options/commands.h"
#include "pairs.h"

struct extremes {
  heddle_context *ctx;
  heddle_state *state[2];
  struct whole whole[2];
  bool exact; /* nothing but integers so far */
  uint64_t count;
};

struct work {
  heddle_context *ctx;
  struct values v;
};

static const heddle_op ops[2] = {HEDDLE_MIN, HEDDLE_MAX};

static int begin(const struct settings *s, heddle_context *ctx, const struct source *src,
                 struct extremes *x, struct failure *why) {
  heddle_options options;
  command_options(s, &options);
  x->ctx = ctx;
  x->exact = input_has_integers(src->in);
  for (size_t i = 0; i < 2; i++) {
    whole_start(&x->whole[i], (int)ops[i]);
    if (command_check(heddle_reduce_begin(ctx, ops[i], input_type(src->in), &options, &x->state[i]),
                      src->path, why) != 0)
      return -1;
  }
  return 0;
}

static int take(struct source *src, size_t column, const void *data, size_t n, void *user,
                struct failure *why) {
  struct extremes *const x = (struct extremes *)user + column;
  size_t rows;
  heddle_type type;
  const void *const integers = input_integers(src->in, column, &rows, &type);
  x->exact = x->exact && rows == n;
  x->count += n;
  for (size_t i = 0; i < 2; i++) {
    if (x->exact && whole_add(x->ctx, &x->whole[i], type, integers, n, why) != 0) return -1;
    if (command_check(heddle_reduce_update(x->state[i], data, n), src->path, why) != 0) return -1;
  }
  return 0;
}

static int finish(const struct source *src, struct extremes *x, size_t column, struct values *v,
                  struct failure *why) {
  for (size_t i = 0; i < 2; i++) {
    struct value_row *const row = pair_add(src, v, column, why);
    char text[WHOLE_TEXT];
    if (!row) return -1;
    row->type = input_type(src->in);
    row->count = x->count;
    if (x->exact && x->count > 0 && whole_text(&x->whole[i], text)) {
      if (fold_store_exact(src->path, "minmax", text, x->whole[i].type, row, why) != 0) return -1;
      continue;
    }
    const heddle_status status = heddle_reduce_finish(x->state[i], row->value);
    if (status == HEDDLE_EMPTY)
      return fail(why, EXIT_DATA, "%s: the minmax of no values is not defined%s",
                  command_file_label(src->path),
                  x->count > 0 ? " (all are NaN, which --nan skip leaves out)" : "");
    if (command_check(status, src->path, why) != 0) return -1;
  }
  return 0;
}

static int minmax_file(const struct settings *s, const char *path, void *user,
                       struct failure *why) {
  struct work *const w = user;
  const size_t before = w->v.count;
  struct source src;
  if (source_open(s, path, ONE_PASS, &src, why) != 0) return -1;
  const size_t columns = input_columns(src.in);
  struct extremes *const x = command_allocate(columns, sizeof *x, "columns", why);
  int status = x ? 0 : -1;
  src.integers = true;
  for (size_t c = 0; c < columns && status == 0; c++) status = begin(s, w->ctx, &src, &x[c], why);
  if (status == 0) status = source_each(&src, take, x, why);
  for (size_t c = 0; c < columns && status == 0; c++) status = finish(&src, &x[c], c, &w->v, why);
  for (size_t c = 0; c < columns && x; c++)
    for (size_t i = 0; i < 2; i++) heddle_state_free(x[c].state[i]);
  free(x);
  source_close(&src);
  if (status != 0) values_cut(&w->v, before); /* of one file all columns or none */
  return status;
}

int command_minmax(const struct settings *s, struct failure *why) {
  static const char *const names[2] = {"min", "max"};
  struct work w = {.v = {.op = "minmax", .files = s->file_count > 1}};
  bool missing = false;
  if (command_context(s, &w.ctx, why) != 0) return -1;
  int status = command_each_file(s, minmax_file, &w, &missing, why);
  if (status == 0 && w.v.count > 0) status = show_pairs(s, &w.v, names, why);
  status = command_missing(status, missing, why);
  values_free(&w.v);
  heddle_close(w.ctx);
  return status;
}

/* cmd_dot.c - heddle dot: the sum of products of two files, or of two columns of a table */
#include <string.h>

#include "command.h"
#include "fold.h"
#include "show_values.h"
#include "source.h"

static int begin(const struct settings *s, heddle_context *ctx, heddle_type type,
                 struct value_row *row, heddle_state **state, const char *path,
                 struct failure *why) {
  heddle_options options;
  command_options(s, &options);
  row->type = fold_result_type(s, type);
  options.out_type = row->type;
  return command_check(heddle_dot_begin(ctx, type, &options, state), path, why);
}

static int dot_columns(heddle_state *state, struct source *src, struct value_row *row,
                       struct failure *why) {
  for (;;) {
    const void *data[INPUT_MAX_COLUMNS];
    size_t n = 0;
    if (source_next(src, data, &n, why) != 0) return -1;
    if (n == 0) return 0;
    if (command_check(heddle_dot_update(state, data[0], data[1], n), src->path, why) != 0)
      return -1;
    row->count += n;
  }
}

static int dot_files(heddle_state *state, struct source *a, struct source *b, struct value_row *row,
                     struct failure *why) {
  struct pair pair;
  pair_start(&pair, a, b);
  for (;;) {
    const void *x, *y;
    size_t n = 0;
    if (pair_next(&pair, &x, &y, &n, why) != 0) return -1;
    if (n == 0) return 0;
    if (command_check(heddle_dot_update(state, x, y, n), a->path, why) != 0) return -1;
    row->count += n;
  }
}

static int one_file(const struct settings *s, heddle_context *ctx, struct value_row *row,
                    heddle_state **state, struct failure *why) {
  struct source src;
  if (s->column_count != 2)
    return fail(why, EXIT_USAGE,
                "dot takes two files, or one table and two of its columns: "
                "heddle dot -c X,Y FILE");
  if (source_open(s, s->files[0], ONE_PASS, &src, why) != 0) return -1;
  int status = 0;
  if (input_columns(src.in) != 2)
    status = fail(why, EXIT_USAGE, "%s has no columns to choose two of; dot takes two files",
                  command_file_label(src.path));
  if (status == 0) status = begin(s, ctx, input_type(src.in), row, state, src.path, why);
  if (status == 0) status = dot_columns(*state, &src, row, why);
  source_close(&src);
  return status;
}

static int two_files(const struct settings *s, heddle_context *ctx, struct value_row *row,
                     heddle_state **state, struct failure *why) {
  struct source a, b;
  if (source_open(s, s->files[0], ONE_PASS, &a, why) != 0) return -1;
  if (source_open(s, s->files[1], ONE_PASS, &b, why) != 0) {
    source_close(&a);
    return -1;
  }
  b.progress.on = false; /* one line for both */
  heddle_type x = input_type(a.in), y = input_type(b.in);
  int status = 0;
  if (x != y)
    status = fail(why, EXIT_DATA,
                  "%s holds %s, but %s holds %s; convert one: heddle convert "
                  "--out-type",
                  command_file_label(a.path), heddle_type_name(x), command_file_label(b.path),
                  heddle_type_name(y));
  if (status == 0) status = source_single(&a, why);
  if (status == 0) status = source_single(&b, why);
  if (status == 0) status = begin(s, ctx, x, row, state, a.path, why);
  if (status == 0) status = dot_files(*state, &a, &b, row, why);
  source_close(&b);
  source_close(&a);
  return status;
}

int command_dot(const struct settings *s, struct failure *why) {
  struct values v = {"dot", false, false, false, NULL, 0, 0};
  heddle_state *state = NULL;
  heddle_context *ctx;
  struct value_row *row = values_add(&v, why);
  if (row == NULL) return -1;
  int status = command_context(s, &ctx, why);
  if (status == 0) {
    row->file = s->files[0];
    status = s->file_count == 2 ? two_files(s, ctx, row, &state, why)
                                : one_file(s, ctx, row, &state, why);
    if (status == 0) status = command_check(heddle_dot_finish(state, row->value), row->file, why);
    heddle_state_free(state);
    heddle_close(ctx);
  }
  if (status == 0) status = show_values(s, &v, why);
  values_free(&v);
  return status;
}

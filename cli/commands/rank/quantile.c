/* quantile.c - heddle median and heddle quantile: the values below which shares of the elements lie
 *
 * Method  A column is held whole: where its file is mapped, there. One row a column and share.
 * Limits  The first word of heddle quantile is the list of shares, not a file (options/args.c). */
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "commands/command.h"
#include "commands/show_values.h"
#include "commands/source.h"
#include "options/commands.h"

struct work {
  heddle_context *ctx;
  struct values values;
};

static int take_column(const struct settings *s, struct work *w, const struct source *src,
                       const struct columns *c, size_t column, size_t columns,
                       struct failure *why) {
  double found[SHARES_MOST];
  heddle_quantile_options options = HEDDLE_QUANTILE_OPTIONS_INIT;
  const void *const data = columns_at(c, columns, column);
  options.method = (heddle_quantile_method)s->method;
  options.nan = (heddle_nan)s->nan;
  const heddle_status status = heddle_quantiles(w->ctx, input_type(src->in), data, c->count,
                                                s->shares, s->share_count, found, &options);
  if (command_check(status, src->path, why) != 0) return -1;
  for (size_t i = 0; i < s->share_count; i++) {
    struct value_row *row = values_add(&w->values, why);
    if (!row) return -1;
    row->file = src->path;
    row->type = HEDDLE_F64;
    row->count = c->count;
    row->share = s->shares[i];
    memcpy(row->value, &found[i], sizeof found[i]);
    if (columns < 2) continue;
    const char *label = input_label(src->in, column);
    if (*label == '\0' && column < s->column_count) label = s->columns[column];
    if (value_name(row, label, why) != 0) return -1;
    w->values.columns = true;
  }
  return 0;
}

static int take_file(const struct settings *s, const char *path, void *user, struct failure *why) {
  struct work *const w = user;
  const size_t before = w->values.count;
  struct columns c = {{NULL}, NULL, NULL, 0};
  struct source src;
  if (source_open(s, path, ONE_PASS, &src, why) != 0) return -1;
  const size_t columns = input_columns(src.in);
  int status = columns_read(&src, columns, &c, why);
  for (size_t i = 0; i < columns && status == 0; i++)
    status = take_column(s, w, &src, &c, i, columns, why);
  columns_free(&c);
  source_close(&src);
  if (status != 0) values_cut(&w->values, before); /* of one file all columns or none */
  return status < 0 ? -1 : 0;
}

int command_quantile(const struct settings *s, struct failure *why) {
  struct work w = {.values = {.op = s->shares_given ? "quantile" : "median"}};
  bool missing = false;
  w.values.files = s->file_count > 1;
  w.values.shares = s->shares_given;
  if (command_context(s, &w.ctx, why) != 0) return -1;
  int status = command_each_file(s, take_file, &w, &missing, why);
  if (status == 0 && w.values.count > 0) status = show_values(s, &w.values, why);
  status = command_missing(status, missing, why);
  values_free(&w.values);
  heddle_close(w.ctx);
  return status;
}

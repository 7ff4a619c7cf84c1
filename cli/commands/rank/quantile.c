/* quantile.c - heddle median and heddle quantile: the values below which shares of the elements lie
 *
 * Method  A column is held whole: where its file is mapped, there. What takes more than --memory is read again instead
 *         (passes.h). One row a column and share.
 * Limits  The first word of heddle quantile is the list of shares, not a file (options/args.c). */
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "commands/command.h"
#include "commands/part.h"
#include "commands/show_values.h"
#include "commands/sort/sort.h"
#include "commands/source.h"
#include "options/commands.h"
#include "passes.h"

struct work {
  heddle_context *ctx;
  struct values values;
  size_t memory;
};

/* The rows of a column: one a share. */
static int add_column(const struct settings *s, struct work *w, const struct source *src,
                      size_t column, size_t columns, uint64_t count, const double *found,
                      struct failure *why) {
  for (size_t i = 0; i < s->share_count; i++) {
    struct value_row *row = values_add(&w->values, why);
    if (!row) return -1;
    row->file = src->path;
    row->type = HEDDLE_F64;
    row->count = count;
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

static int take_held(const struct settings *s, struct work *w, struct source *src, size_t columns,
                     struct failure *why) {
  double found[SHARES_MOST];
  heddle_quantile_options options = HEDDLE_QUANTILE_OPTIONS_INIT;
  struct columns c = {{NULL}, NULL, NULL, 0};
  options.method = (heddle_quantile_method)s->method;
  options.nan = (heddle_nan)s->nan;
  int status = columns_read(src, columns, &c, why);
  for (size_t i = 0; i < columns && status == 0; i++) {
    status = command_check(heddle_quantiles(w->ctx, input_type(src->in), columns_at(&c, columns, i),
                                            c.count, s->shares, s->share_count, found, &options),
                           src->path, why);
    if (status == 0) status = add_column(s, w, src, i, columns, c.count, found, why);
  }
  columns_free(&c);
  return status;
}

static int take_passes(const struct settings *s, struct work *w, struct source *src, size_t columns,
                       struct failure *why) {
  uint64_t count;
  double *found =
      command_allocate(columns * s->share_count, sizeof *found, "the quantiles of a file", why);
  if (!found) return -1;
  int status = passes_quantiles(s, w->ctx, src, columns, found, &count, why);
  const bool shown = !s->part || s->part->rank == 0;
  for (size_t i = 0; i < columns && status == 0 && shown; i++)
    status = add_column(s, w, src, i, columns, count, found + i * s->share_count, why);
  free(found);
  return status;
}

static int take_file(const struct settings *s, const char *path, void *user, struct failure *why) {
  struct work *const w = user;
  const size_t before = w->values.count;
  struct source src;
  const int passes = passes_are_needed(s, path, w->memory, why);
  if (passes < 0) return -1;
  if (source_open(s, path, passes ? TWO_PASSES : ONE_PASS, &src, why) != 0) return -1;
  const size_t columns = input_columns(src.in);
  const int status =
      passes ? take_passes(s, w, &src, columns, why) : take_held(s, w, &src, columns, why);
  source_close(&src);
  if (status != 0) values_cut(&w->values, before); /* of one file all columns or none */
  return status < 0 ? -1 : 0;
}

int command_quantile(const struct settings *s, struct failure *why) {
  struct work w = {.values = {.op = s->shares_given ? "quantile" : "median"}};
  bool missing = false;
  w.values.files = s->file_count > 1;
  w.values.shares = s->shares_given;
  if (sort_memory(s->memory, &w.memory, why) != 0 || command_context(s, &w.ctx, why) != 0)
    return -1;
  int status = command_each_file(s, take_file, &w, &missing, why);
  if (status == 0 && w.values.count > 0) status = show_values(s, &w.values, why);
  status = command_missing(status, missing, why);
  values_free(&w.values);
  heddle_close(w.ctx);
  return status;
}

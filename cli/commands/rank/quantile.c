/* quantile.c - heddle median, quantile and nth: the values below which shares of the elements lie, elements by rank
 *
 * Method  A column is held whole: where its file is mapped, there. What takes more than --memory is read again instead
 *         (passes.h). One row a column and share, or rank.
 * Limits  The first word of heddle quantile is the list of shares, of heddle nth that of ranks, not a file
 *         (options/args.c). */
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

static bool is_nth(const struct settings *s) { return s->command == COMMAND_NTH; }
/* Results of a column. */
static size_t results_of(const struct settings *s) {
  return is_nth(s) ? s->rank_count : s->share_count;
}
static heddle_type type_of(const struct settings *s, const struct source *src) {
  return is_nth(s) ? input_type(src->in) : HEDDLE_F64;
}

/* The rows of a column: one a share, or rank. */
static int add_column(const struct settings *s, struct work *w, const struct source *src,
                      size_t column, size_t columns, uint64_t count, const void *found,
                      struct failure *why) {
  const heddle_type type = type_of(s, src);
  const size_t bytes = heddle_type_size(type);
  for (size_t i = 0; i < results_of(s); i++) {
    struct value_row *row = values_add(&w->values, why);
    if (!row) return -1;
    row->file = src->path;
    row->type = type;
    row->count = count;
    row->share = s->shares[i];
    row->index = s->ranks[i];
    memcpy(row->value, (const unsigned char *)found + i * bytes, bytes);
    if (columns < 2) continue;
    const char *label = input_label(src->in, column);
    if (*label == '\0' && column < s->column_count) label = s->columns[column];
    if (value_name(row, label, why) != 0) return -1;
    w->values.columns = true;
  }
  return 0;
}

static heddle_status find(const struct settings *s, heddle_context *ctx, heddle_type type,
                          const void *x, size_t count, void *found) {
  heddle_quantile_options options = HEDDLE_QUANTILE_OPTIONS_INIT;
  options.method = (heddle_quantile_method)s->method;
  options.nan = (heddle_nan)s->nan;
  return is_nth(s)
             ? heddle_nth(ctx, type, x, count, s->ranks, s->rank_count, found, NULL)
             : heddle_quantiles(ctx, type, x, count, s->shares, s->share_count, found, &options);
}

static int take_held(const struct settings *s, struct work *w, struct source *src, size_t columns,
                     struct failure *why) {
  uint64_t found[SHARES_MOST];
  struct columns c = {{NULL}, NULL, NULL, 0};
  int status = columns_read(src, columns, &c, why);
  for (size_t i = 0; i < columns && status == 0; i++) {
    status = command_check(
        find(s, w->ctx, input_type(src->in), columns_at(&c, columns, i), c.count, found), src->path,
        why);
    if (status == 0) status = add_column(s, w, src, i, columns, c.count, found, why);
  }
  columns_free(&c);
  return status;
}

static int take_passes(const struct settings *s, struct work *w, struct source *src, size_t columns,
                       struct failure *why) {
  const size_t each = results_of(s) * heddle_type_size(type_of(s, src));
  uint64_t count;
  unsigned char *found = command_allocate(columns, each, "the results of a file", why);
  if (!found) return -1;
  int status = passes_find(s, w->ctx, src, columns, found, &count, why);
  const bool shown = !s->part || s->part->rank == 0;
  for (size_t i = 0; i < columns && status == 0 && shown; i++)
    status = add_column(s, w, src, i, columns, count, found + i * each, why);
  free(found);
  return status;
}

static int take_file(const struct settings *s, const char *path, void *user, struct failure *why) {
  struct work *const w = user;
  const size_t before = w->values.count;
  struct source src;
  const int passes = passes_are_needed(s, path, w->memory, why);
  if (passes < 0) return -1;
  /* Elements by rank have their own type. */
  const enum passes once = is_nth(s) ? SETTLED : ONE_PASS;
  const enum passes twice = is_nth(s) ? SETTLED_TWO_PASSES : TWO_PASSES;
  if (source_open(s, path, passes ? twice : once, &src, why) != 0) return -1;
  const size_t columns = input_columns(src.in);
  const int status =
      passes ? take_passes(s, w, &src, columns, why) : take_held(s, w, &src, columns, why);
  source_close(&src);
  if (status != 0) values_cut(&w->values, before); /* of one file all columns or none */
  return status < 0 ? -1 : 0;
}

/* Of each file, under the operator's name. */
static int run(const struct settings *s, const char *op, struct failure *why) {
  struct work w = {.values = {.op = op}};
  bool missing = false;
  w.values.files = s->file_count > 1;
  w.values.shares = s->shares_given;
  w.values.ranked = is_nth(s);
  if (sort_memory(s->memory, &w.memory, why) != 0 || command_context(s, &w.ctx, why) != 0)
    return -1;
  int status = command_each_file(s, take_file, &w, &missing, why);
  if (status == 0 && w.values.count > 0) status = show_values(s, &w.values, why);
  status = command_missing(status, missing, why);
  values_free(&w.values);
  heddle_close(w.ctx);
  return status;
}

int command_quantile(const struct settings *s, struct failure *why) {
  return run(s, s->shares_given ? "quantile" : "median", why);
}

int command_nth(const struct settings *s, struct failure *why) { return run(s, "nth", why); }

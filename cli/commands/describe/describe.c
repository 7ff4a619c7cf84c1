/* describe.c - heddle describe: count, range, mean, spread, shape of columns, in one pass
 *
 * Method  A table none of whose columns is chosen is described whole (columns.c); all else column by column. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/axis.h"
#include "commands/command.h"
#include "commands/show_describe.h"
#include "commands/source.h"
#include "describing.h"
#include "options/commands.h"

struct list {
  heddle_context *ctx;
  struct description_row *rows;
  size_t count;
  struct column_rows columns; /* of whole tables */
};

/* A name of any length, in memory of its own. */
static int name_row(const struct settings *s, const struct source *src, size_t column,
                    size_t columns, struct description_row *row, struct failure *why) {
  const char *label = input_label(src->in, column), *file = command_file_label(src->path);
  if (*label == '\0' && column < s->column_count) label = s->columns[column];
  const bool both = columns > 1 && s->file_count > 1;
  const char *first = both || columns == 1 ? file : label, *rest = both ? label : "";
  const size_t size = strlen(first) + strlen(rest) + 2;
  row->name = command_allocate(size, 1, "the name of a row", why);
  if (!row->name) return -1;
  (void)snprintf(row->name, size, both ? "%s:%s" : "%s%s", first, rest);
  return 0;
}

/* Whether a file that is a table is described whole. */
static bool takes_tables(const struct settings *s) {
  return s->column_count == 0 && s->type == HEDDLE_TYPE_DEFAULT && !s->bytes && s->offset == 0 &&
         s->count == UINT64_MAX && !s->part;
}

/* The variance of a sample. */
static void divide_by_less(const struct settings *s, heddle_description *d) {
  const uint64_t values = d->count - (s->nan == HEDDLE_NAN_SKIP ? d->nan : 0);
  const double n = (double)values, left = n - (double)s->ddof;
  if (s->ddof > 0) d->variance = left > 0 ? d->variance * (n / left) : NAN;
}

static int describe_source(const struct settings *s, struct list *list, struct source *src,
                           struct failure *why) {
  const size_t before = list->count;
  const heddle_description none = HEDDLE_DESCRIPTION_INIT;
  heddle_state *states[INPUT_MAX_COLUMNS] = {NULL};
  heddle_options options;
  const char *const path = src->path;
  int status = 0;
  const size_t columns = input_columns(src->in);
  command_options(s, &options);
  options.start = src->first;
  for (size_t c = 0; c < columns && status == 0; c++)
    status = command_check(
        heddle_describe_begin(list->ctx, input_type(src->in), &options, &states[c]), path, why);
  if (status == 0) status = source_describe(src, states, why);
  for (size_t c = 0; c < columns && status == 0; c++)
    status = command_merge(s, list->ctx, &states[c], why);
  for (size_t c = 0; c < columns && status == 0; c++) {
    struct description_row *row = &list->rows[list->count++];
    row->figures = none;
    status = name_row(s, src, c, columns, row, why);
    if (status != 0) break;
    status = command_check(heddle_describe_finish(states[c], &row->figures), path, why);
    divide_by_less(s, &row->figures);
  }
  for (size_t c = 0; c < columns; c++) heddle_state_free(states[c]);
  while (status != 0 && list->count > before) /* of one file all columns or none */
    free(list->rows[--list->count].name);
  return status < 0 ? -1 : 0;
}

static int describe_file(const struct settings *s, const char *path, void *user,
                         struct failure *why) {
  struct list *const list = user;
  struct input_options options;
  struct source src;
  if (args_input_options(s, path, &options, why) != 0) return -1;
  options.spans = true;
  if (takes_tables(s)) {
    options.records = options.two_passes = true;
    options.every_count = DESCRIBE_COLUMNS;
  }
  if (source_open_where(s, &options, &src, why) != 0) return -1;
  int status = 1;
  if (input_has_records(src.in))
    status = columns_describe(s, list->ctx, &src, &options, &list->columns, why);
  if (status == 1 && input_has_records(src.in)) {
    input_every(src.in, 0, 0);
    if (input_as_numbers(src.in, why) != 0) status = -1;
  }
  if (status == 1) status = describe_source(s, list, &src, why);
  source_close(&src);
  return status;
}

static int show(const struct settings *s, const struct list *list, struct failure *why) {
  const char *const what = s->file_count > 1 ? "file" : list->count > 1 ? "column" : NULL;
  if (list->count > 0 && list->columns.count > 0)
    return fail(why, EXIT_USAGE,
                "some of these files are tables, and others have one column: describe them apart, "
                "or choose columns of tables by -c");
  if (list->columns.count > 0) return columns_show(s, &list->columns, why);
  return list->count == 0 ? 0 : show_descriptions(s, what, list->rows, list->count, why);
}

int command_describe(const struct settings *s, struct failure *why) {
  heddle_context *ctx;
  struct list list = {0};
  if (s->axis && s->ddof > 0)
    return fail(why, EXIT_USAGE, "--ddof does not go with --axis; heddle var --axis has both");
  if (command_context(s, &ctx, why) != 0) return -1;
  int status = -1;
  if (s->axis) {
    status = axis_describe(s, ctx, why);
  } else {
    bool missing = false;
    list.ctx = ctx;
    list.rows =
        command_allocate(s->file_count * INPUT_MAX_COLUMNS, sizeof *list.rows, "descriptions", why);
    if (list.rows) status = 0;
    if (status == 0) status = command_each_file(s, describe_file, &list, &missing, why);
    if (status == 0) status = show(s, &list, why);
    status = command_missing(status, missing, why);
  }
  for (size_t i = 0; i < list.count; i++) free(list.rows[i].name);
  free(list.rows);
  column_rows_cut(&list.columns, 0);
  heddle_close(ctx);
  return status;
}

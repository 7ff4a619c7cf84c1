/* describe.c - heddle describe: count, range, mean, spread, shape of columns, in one pass */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axis.h"
#include "command.h"
#include "options/commands.h"
#include "show_describe.h"
#include "source.h"

struct list {
  heddle_context *ctx;
  struct description_row *rows;
  size_t count;
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

static int describe_file(const struct settings *s, const char *path, void *user,
                         struct failure *why) {
  struct list *const list = user;
  const size_t before = list->count;
  const heddle_description none = HEDDLE_DESCRIPTION_INIT;
  heddle_state *states[INPUT_MAX_COLUMNS] = {NULL};
  heddle_options options;
  struct source src;
  if (source_open(s, path, ONE_PASS, &src, why) != 0) return -1;
  int status = 0;
  const size_t columns = input_columns(src.in);
  command_options(s, &options);
  options.start = src.first;
  for (size_t c = 0; c < columns && status == 0; c++)
    status = command_check(
        heddle_describe_begin(list->ctx, input_type(src.in), &options, &states[c]), path, why);
  if (status == 0) status = source_describe(&src, states, why);
  for (size_t c = 0; c < columns && status == 0; c++)
    status = command_merge(s, list->ctx, &states[c], why);
  for (size_t c = 0; c < columns && status == 0; c++) {
    struct description_row *row = &list->rows[list->count++];
    row->figures = none;
    status = name_row(s, &src, c, columns, row, why);
    if (status != 0) break;
    status = command_check(heddle_describe_finish(states[c], &row->figures), path, why);
  }
  for (size_t c = 0; c < columns; c++) heddle_state_free(states[c]);
  source_close(&src);
  while (status != 0 && list->count > before) /* of one file all columns or none */
    free(list->rows[--list->count].name);
  return status < 0 ? -1 : 0;
}

int command_describe(const struct settings *s, struct failure *why) {
  heddle_context *ctx;
  struct list list = {NULL, NULL, 0};
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
    const char *what = s->file_count > 1 ? "file" : list.count > 1 ? "column" : NULL;
    if (status == 0 && list.count > 0)
      status = show_descriptions(s, what, list.rows, list.count, why);
    status = command_missing(status, missing, why);
  }
  for (size_t i = 0; i < list.count; i++) free(list.rows[i].name);
  free(list.rows);
  heddle_close(ctx);
  return status;
}

/* distinct.c - heddle count --distinct: how many different texts each column of a table has
 *
 * Limits  The texts are in memory; heddle group -k COLUMN count has them on disk, and names them. */
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "commands/group/reader.h"
#include "commands/show_values.h"
#include "options/commands.h"
#include "texts.h"

struct counting {
  heddle_context *ctx;
  struct values v;
  struct asked q;
  struct texts texts[INPUT_MAX_COLUMNS];
  uint64_t rows;
};

static int take(void *user, struct batch *b, struct failure *why) {
  struct counting *const g = user;
  g->rows += b->rows;
  for (size_t c = 0; c < g->q.columns; c++)
    if (texts_add(&g->texts[c], &b->column[c].texts, b->rows, SIZE_MAX, why) != 0) return -1;
  return 0;
}

static int read_rows(struct counting *g, struct source *src, const struct input_options *options,
                     struct failure *why) {
  const char *names[INPUT_MAX_COLUMNS];
  struct reader reader = {.src = src,
                          .options = options,
                          .q = &g->q,
                          .threads = reader_threads(g->ctx),
                          .take = take,
                          .user = g};
  const size_t count = asked_names(&g->q, names);
  int status = records_open(src->in, names, count, false, &reader.records, why);
  const size_t columns = status == 0 ? records_layout(reader.records)->columns : 0;
  if (status == 0 && g->q.s->column_count == 0 && columns > 1)
    status = fail(why, EXIT_USAGE, "%s has %zu columns: choose some by -c",
                  command_file_label(src->path), columns);
  if (status == 0) status = reader_read(&reader, why);
  records_close(reader.records);
  return status;
}

static int add_rows(struct counting *g, const char *path, const struct input_options *options,
                    struct failure *why) {
  for (size_t c = 0; c < g->q.columns; c++) {
    struct texts_summary sum;
    struct value_row *const row = values_add(&g->v, why);
    if (!row) return -1;
    texts_sum_up(&g->texts[c], options->missing.count > 0 ? &options->missing : NULL, &sum);
    row->file = path;
    row->type = HEDDLE_U64;
    row->count = g->rows;
    memcpy(row->value, &sum.distinct, sizeof sum.distinct);
    g->v.columns = g->q.columns > 1;
    if (g->v.columns && value_name(row, g->q.column[c].name, why) != 0) return -1;
  }
  return 0;
}

static int count_file(const struct settings *s, const char *path, void *user, struct failure *why) {
  struct counting *const g = user;
  const size_t before = g->v.count;
  struct input_options options;
  struct source src;
  if (args_input_options(s, path, &options, why) != 0) return -1;
  options.records = true;
  if (source_open_options(s, &options, &src, why) != 0) return -1;
  g->q.path = path;
  g->rows = 0;
  int status = 0;
  if (!input_has_records(src.in))
    status =
        fail(why, EXIT_USAGE, "%s is no text; heddle uniq has the distinct elements of an array",
             command_file_label(path));
  if (status == 0) status = read_rows(g, &src, &options, why);
  if (status == 0) status = add_rows(g, path, &options, why);
  source_close(&src);
  for (size_t c = 0; c < INPUT_MAX_COLUMNS; c++) {
    texts_free(&g->texts[c]);
    memset(&g->texts[c], 0, sizeof g->texts[c]);
  }
  if (status != 0) values_cut(&g->v, before); /* of one file all columns or none */
  return status;
}

static int prepare(struct counting *g, const struct settings *s, struct failure *why) {
  if (s->axis || s->type != HEDDLE_TYPE_DEFAULT || s->offset > 0 || s->count != UINT64_MAX)
    return fail(why, EXIT_USAGE, "--axis, --type, --offset and --count do not go with --distinct");
  g->q.columns = s->column_count > 0 ? s->column_count : 1;
  for (size_t c = 0; c < g->q.columns; c++) {
    g->q.column[c].name = s->column_count > 0 ? s->columns[c] : "1";
    g->q.column[c].text = true;
  }
  return asked_condition(&g->q, why);
}

int command_distinct(const struct settings *s, struct failure *why) {
  struct counting *const g = command_allocate(1, sizeof *g, "counts", why);
  bool missing = false;
  if (!g) return -1;
  g->v.op = "count";
  g->v.files = s->file_count > 1;
  g->q.s = s;
  int status = prepare(g, s, why);
  if (status == 0) status = command_context(s, &g->ctx, why);
  if (status == 0) {
    status = command_each_file(s, count_file, g, &missing, why);
    if (status == 0 && g->v.count > 0) status = show_values(s, &g->v, why);
    status = command_missing(status, missing, why);
    heddle_close(g->ctx);
  }
  asked_free(&g->q);
  values_free(&g->v);
  free(g);
  return status;
}

/* grouped.c - a box of each group of rows
 *
 * Method  Rows into a table of heddle group's, which orders them group after group; quartiles of all groups at once.
 * Limits  All rows are held: where they do not fit --memory, that is a failure. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "box.h"
#include "commands/command.h"
#include "commands/group/ordered.h"
#include "commands/group/reader.h"
#include "commands/group/results.h"
#include "commands/sort/sort.h"
#include "commands/source.h"

struct grouped {
  struct asked q;
  struct group_table t;
  struct ordered o;
  double *quantiles; /* BOX_SHARES a group */
  struct boxes *out;
};

static int add_batch(void *user, struct batch *b, struct failure *why) {
  struct grouped *const g = user;
  if (table_add(&g->t, b, why) != 0) return -1;
  if (!g->t.spill.open) return 0;
  return fail(why, EXIT_DATA,
              "%s: the rows do not fit the memory; give more by --memory, or fewer by --where",
              command_file_label(g->q.path));
}

static int read_rows(struct grouped *g, heddle_context *ctx, struct failure *why) {
  struct input_options options;
  struct source src;
  if (reader_open(&g->q, &options, &src, why) != 0) return -1;
  struct reader reader = {
      .src = &src, .options = &options, .q = &g->q, .take = add_batch, .user = g};
  int status = reader_records(&g->q, &src, &reader.records, why);
  reader.threads = reader_threads(ctx);
  if (status == 0) status = reader_read(&reader, why);
  records_close(reader.records);
  source_close(&src);
  return status;
}

/* "Oslo, 2020", to be freed; a zero byte, which no label has, is U+FFFD. */
static char *label_of(const struct grouped *g, const struct group_row *row, struct failure *why) {
  char *const label =
      command_allocate(3 * row->key_bytes + 2 * g->q.keys + 1, 1, "the name of a group", why);
  const char *at = row->key, *const end = row->key + row->key_bytes;
  size_t used = 0;
  for (size_t k = 0; label && k < g->q.keys; k++) {
    size_t bytes;
    const char *const field = key_field(&at, end, g->q.keys - k, &bytes);
    if (k > 0) memcpy(label + used, ", ", 2);
    used += k > 0 ? 2 : 0;
    for (size_t i = 0; i < bytes; i++) {
      const size_t wide = field[i] == '\0' ? 3 : 1;
      memcpy(label + used, wide > 1 ? "\xef\xbf\xbd" : field + i, wide);
      used += wide;
    }
  }
  if (label) label[used] = '\0';
  return label;
}

/* A group_take: the value is the group's number. */
static int add_group(void *user, const struct group_row *row, struct failure *why) {
  struct grouped *const g = user;
  const size_t id = (size_t)row->value[0];
  const size_t first = (size_t)g->o.offsets[id], end = (size_t)g->o.offsets[id + 1];
  char *const label = label_of(g, row, why);
  if (!label) return -1;
  const int status = boxes_add(g->out, label, HEDDLE_F64, g->o.column[0].real + first, end - first,
                               g->quantiles + BOX_SHARES * id, why);
  free(label);
  return status;
}

static int find(struct grouped *g, heddle_context *ctx, struct failure *why) {
  const size_t groups = g->t.keys.count;
  heddle_quantile_options options = HEDDLE_QUANTILE_OPTIONS_INIT;
  heddle_rows rows = HEDDLE_ROWS_INIT;
  struct key_order order = {.keys = g->q.keys};
  struct results ids = {.groups = groups};
  if (groups == 0)
    return fail(why, EXIT_DATA, "%s: of no rows there are no quartiles",
                command_file_label(g->q.path));
  if (ordered_rows(&g->t, &g->o, why) != 0 || ordered_column(&g->t, &g->o, 0, why) != 0) return -1;
  g->quantiles = command_allocate(groups, BOX_SHARES * sizeof *g->quantiles, "quartiles", why);
  ids.value[0] = g->quantiles ? command_allocate(groups, sizeof **ids.value, "groups", why) : NULL;
  if (!ids.value[0]) return -1;
  for (size_t i = 0; i < groups; i++) ids.value[0][i] = i;
  memcpy(order.numbers, g->t.numbers, sizeof order.numbers);
  options.nan = HEDDLE_NAN_SKIP;
  rows.offsets = g->o.offsets;
  rows.segments = groups;
  int status = command_check(heddle_quantiles_rows(ctx, HEDDLE_F64, g->o.column[0].real, &rows,
                                                   box_shares, BOX_SHARES, g->quantiles, &options),
                             g->q.path, why);
  if (status == 0) status = results_each(&g->t, &ids, &order, add_group, g, why);
  free(ids.value[0]);
  return status;
}

int boxes_by(const struct settings *s, heddle_context *ctx, struct boxes *out,
             struct failure *why) {
  struct settings of = *s;
  size_t memory = 0;
  if (s->column_count != 1)
    return fail(why, EXIT_USAGE, "--by needs the one column that the boxes are of: -c COLUMN");
  struct grouped *const g = calloc(1, sizeof *g);
  char *const word =
      g ? command_allocate(strlen(s->columns[0]) + sizeof "median:", 1, "a name", why) : NULL;
  if (!word) {
    free(g);
    return g ? -1 : fail(why, EXIT_DATA, "out of memory for the groups");
  }
  (void)snprintf(word, strlen(s->columns[0]) + sizeof "median:", "median:%s", s->columns[0]);
  const char *words[] = {word, NULL};
  of.files = words;
  of.file_count = 1;
  g->q.path = s->files[0];
  g->out = out;
  int status = sort_memory(s->memory, &memory, why);
  if (status == 0) status = asked_read(&of, &g->q, why);
  if (status == 0) {
    table_start(&g->t, &g->q, ctx, memory, 0);
    status = read_rows(g, ctx, why);
    if (status == 0) status = find(g, ctx, why);
    ordered_free(&g->o);
    table_free(&g->t);
  }
  free(g->quantiles);
  asked_free(&g->q);
  free(word);
  free(g);
  return status;
}

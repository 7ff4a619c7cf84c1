/* group.c - heddle group: figures of the rows that have one key
 *
 * Method  ids by the key's text, then each figure by heddle_groups_reduce: order v1 over a group's rows as they stand
 *         in the file, or the real sum. A mean is a sum in f64 divided by how many there are. */
#include "group.h"

#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "options/commands.h"

/* ---- what is asked for -------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  enum figure figure;
} figures[] = {{"sum", FIGURE_SUM},
               {"mean", FIGURE_MEAN},
               {"min", FIGURE_MIN},
               {"max", FIGURE_MAX},
               {"prod", FIGURE_PROD}};

static int add_column(struct grouping *g, const char *name, size_t *column, struct failure *why) {
  for (*column = 0; *column < g->columns; ++*column)
    if (strcmp(g->column[*column].name, name) == 0) return 0;
  if (g->columns + 1 == INPUT_MAX_COLUMNS)
    return fail(why, EXIT_USAGE, "more than %d columns", INPUT_MAX_COLUMNS - 1);
  g->column[g->columns].name = name;
  g->column[g->columns++].type = HEDDLE_I64;
  return 0;
}

/* An operand that is a figure; 1: it is a file. */
static int add_figure(struct grouping *g, const char *text, struct failure *why) {
  const char *const colon = strchr(text, ':');
  size_t column = 0, f = 0;
  enum figure figure = FIGURE_COUNT;
  if (strcmp(text, "count") != 0) {
    const size_t length = colon ? (size_t)(colon - text) : 0;
    while (f < sizeof figures / sizeof *figures &&
           (strlen(figures[f].name) != length || memcmp(figures[f].name, text, length) != 0))
      f++;
    if (!colon || !colon[1] || f == sizeof figures / sizeof *figures) return 1;
    if (add_column(g, colon + 1, &column, why) != 0) return -1;
    figure = figures[f].figure;
  }
  if (g->figures == GROUP_FIGURES)
    return fail(why, EXIT_USAGE, "more than %d figures", GROUP_FIGURES);
  g->of[g->figures].figure = figure;
  g->of[g->figures].name = text;
  g->of[g->figures++].column = column;
  return 0;
}

static int ask(struct grouping *g, struct failure *why) {
  const struct settings *const s = g->s;
  if (s->key_count != 1)
    return fail(why, EXIT_USAGE, "name the one column that rows are grouped by: -k COLUMN");
  if (s->key_reversed[0]) return fail(why, EXIT_USAGE, "-k: groups come in rising order alone");
  for (size_t i = 0; i < s->file_count; i++) {
    const int status = add_figure(g, s->files[i], why);
    if (status < 0) return -1;
    if (status == 0) continue;
    if (g->path)
      return fail(why, EXIT_USAGE,
                  "'%s' is a second file; a figure is count, or sum, mean, min, max or prod with a "
                  "column behind it: sum:price",
                  s->files[i]);
    g->path = s->files[i];
  }
  if (!g->path) g->path = "-";
  if (g->figures > 0) return 0;
  return fail(
      why, EXIT_USAGE,
      "say what is wanted of each group: count, or sum, mean, min, max or prod of a column: "
      "heddle group -k %s sum:COLUMN FILE",
      s->keys[0]);
}

/* ---- figures -------------------------------------------------------------------------------------------- */

static int reduce(const struct grouping *g, heddle_groups *groups, size_t f, heddle_op op,
                  heddle_type out, struct failure *why) {
  const size_t c = g->of[f].column;
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.nan = (heddle_nan)g->s->nan;
  options.exact = g->s->exact && op == HEDDLE_SUM && g->column[c].type == HEDDLE_F64;
  options.out_type = out;
  return command_check(heddle_groups_reduce(groups, op, g->column[c].type, g->column[c].values, 1,
                                            g->of[f].result, &options),
                       command_file_label(g->path), why);
}

/* How many rows each group has, or of a column how many that are no NaN. */
static void count(const struct grouping *g, size_t column, bool numbers, uint64_t *counts) {
  memset(counts, 0, g->keys.count * sizeof *counts);
  for (size_t i = 0; i < g->rows; i++) {
    double value = 0;
    if (numbers && g->column[column].type == HEDDLE_F64)
      memcpy(&value, &g->column[column].values[i], sizeof value);
    counts[g->ids[i]] += value == value;
  }
}

static int mean(const struct grouping *g, heddle_groups *groups, size_t f, struct failure *why) {
  double *const means = g->of[f].result;
  uint64_t *const counts = command_allocate(g->keys.count, sizeof *counts, "counts", why);
  if (!counts) return -1;
  count(g, g->of[f].column, g->s->nan == HEDDLE_NAN_SKIP, counts);
  const int status = reduce(g, groups, f, HEDDLE_SUM, HEDDLE_F64, why);
  for (size_t i = 0; i < g->keys.count && status == 0; i++) means[i] /= (double)counts[i];
  free(counts);
  return status;
}

static int find(struct grouping *g, heddle_groups *groups, size_t f, struct failure *why) {
  static const heddle_op ops[] = {[FIGURE_SUM] = HEDDLE_SUM,
                                  [FIGURE_MIN] = HEDDLE_MIN,
                                  [FIGURE_MAX] = HEDDLE_MAX,
                                  [FIGURE_PROD] = HEDDLE_PROD};
  g->of[f].result = command_allocate(g->keys.count + 1, sizeof(uint64_t), "results", why);
  if (!g->of[f].result) return -1;
  switch (g->of[f].figure) {
  case FIGURE_COUNT:
    g->of[f].type = HEDDLE_U64;
    count(g, 0, false, g->of[f].result);
    return 0;
  case FIGURE_MEAN: g->of[f].type = HEDDLE_F64; return mean(g, groups, f, why);
  default:
    g->of[f].type = g->column[g->of[f].column].type;
    return reduce(g, groups, f, ops[g->of[f].figure], g->of[f].type, why);
  }
}

static int find_all(struct grouping *g, struct failure *why) {
  heddle_context *ctx;
  heddle_groups *groups = NULL;
  if (command_context(g->s, &ctx, why) != 0) return -1;
  int status = command_check(
      heddle_groups_make(ctx, HEDDLE_U32, g->ids, g->rows, g->keys.count, &groups), NULL, why);
  for (size_t f = 0; f < g->figures && status == 0; f++) status = find(g, groups, f, why);
  heddle_groups_free(groups);
  heddle_close(ctx);
  return status;
}

int command_group(const struct settings *s, struct failure *why) {
  struct grouping g = {.s = s};
  int status = ask(&g, why);
  if (status == 0) status = group_read(&g, why);
  if (status == 0) {
    g.order = command_allocate(g.keys.count + 1, sizeof *g.order, "groups", why);
    status = g.order ? keys_order(&g.keys, g.order, why) : -1;
  }
  if (status == 0) status = find_all(&g, why);
  if (status == 0) status = group_show(&g, why);
  for (size_t f = 0; f < g.figures; f++) free(g.of[f].result);
  for (size_t c = 0; c < g.columns; c++) free(g.column[c].values);
  keys_free(&g.keys);
  free(g.key_label);
  free(g.ids);
  free(g.order);
  return status;
}

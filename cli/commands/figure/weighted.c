/* weighted.c - heddle mean --weights: the sum of products with a column of weights, divided by that of the weights
 *
 * Method  A dot and a sum a column, fed block by block: the bits of heddle_dot and heddle_reduce on the whole. With
 *         --nan skip a row counts that has both the value and its weight.
 * Limits  In f64. */
#include "weighted.h"

#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "pairs.h"

struct weighing {
  heddle_context *ctx;
  const struct settings *s;
  heddle_state *products[INPUT_MAX_COLUMNS], *weights[INPUT_MAX_COLUMNS];
  uint64_t rows[INPUT_MAX_COLUMNS];
  size_t columns; /* behind them the weights */
  double *x, *w;  /* a block's, as f64 */
  size_t room;
};

static int make_room(struct weighing *g, size_t rows, struct failure *why) {
  if (rows <= g->room) return 0;
  free(g->x);
  free(g->w);
  g->room = 0;
  g->x = command_allocate(rows, sizeof *g->x, "values", why);
  g->w = g->x ? command_allocate(rows, sizeof *g->w, "weights", why) : NULL;
  if (!g->w) return -1;
  g->room = rows;
  return 0;
}

static size_t keep_whole(struct weighing *g, size_t rows) {
  size_t n = 0;
  for (size_t i = 0; i < rows; i++) {
    const double x = g->x[i], w = g->w[i];
    g->x[n] = x;
    g->w[n] = w;
    n += x == x && w == w;
  }
  return n;
}

static int add(struct weighing *g, const struct source *src, size_t c, const void *const *data,
               size_t rows, struct failure *why) {
  const heddle_type type = input_type(src->in);
  if (command_check(heddle_convert(type, data[c], HEDDLE_F64, g->x, rows), src->path, why) != 0 ||
      command_check(heddle_convert(type, data[g->columns], HEDDLE_F64, g->w, rows), src->path,
                    why) != 0)
    return -1;
  if (g->s->nan == HEDDLE_NAN_SKIP) rows = keep_whole(g, rows);
  g->rows[c] += rows;
  if (rows == 0) return 0;
  if (command_check(heddle_dot_update(g->products[c], g->x, g->w, rows), src->path, why) != 0)
    return -1;
  return command_check(heddle_reduce_update(g->weights[c], g->w, rows), src->path, why);
}

static int read_rows(struct weighing *g, struct source *src, struct failure *why) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.out_type = HEDDLE_F64;
  for (size_t c = 0; c < g->columns; c++)
    if (command_check(heddle_dot_begin(g->ctx, HEDDLE_F64, &options, &g->products[c]), src->path,
                      why) != 0 ||
        command_check(heddle_reduce_begin(g->ctx, HEDDLE_SUM, HEDDLE_F64, &options, &g->weights[c]),
                      src->path, why) != 0)
      return -1;
  for (;;) {
    const void *data[INPUT_MAX_COLUMNS];
    size_t rows = 0;
    if (source_next(src, data, &rows, why) != 0) return -1;
    if (rows == 0) return 0;
    if (make_room(g, rows, why) != 0) return -1;
    for (size_t c = 0; c < g->columns; c++)
      if (add(g, src, c, data, rows, why) != 0) return -1;
  }
}

static int finish(struct weighing *g, const struct source *src, size_t c, struct values *v,
                  struct failure *why) {
  double product, weight;
  if (command_check(heddle_dot_finish(g->products[c], &product), src->path, why) != 0 ||
      command_check(heddle_reduce_finish(g->weights[c], &weight), src->path, why) != 0)
    return -1;
  if (weight == 0)
    return fail(why, EXIT_DATA,
                "%s: the weights of %llu values add up to 0: the mean is not defined",
                command_file_label(src->path), (unsigned long long)g->rows[c]);
  struct value_row *const row = pair_add(src, v, c, why);
  if (!row) return -1;
  v->columns = g->columns > 1;
  row->type = HEDDLE_F64;
  row->count = g->rows[c];
  const double mean = product / weight;
  memcpy(row->value, &mean, sizeof mean);
  return 0;
}

static int open(const struct settings *s, const char *path, struct source *src,
                struct failure *why) {
  struct input_options options;
  if (args_input_options(s, path, &options, why) != 0) return -1;
  options.spans = true;
  if (s->column_count == 0)
    return fail(why, EXIT_USAGE, "--weights needs the values' column, too: -c NAME --weights %s",
                s->weights);
  if (options.column_count == INPUT_MAX_COLUMNS)
    return fail(why, EXIT_USAGE, "--weights takes at most %d columns beside it",
                INPUT_MAX_COLUMNS - 1);
  options.columns[options.column_count++] = s->weights;
  return source_open_where(s, &options, src, why);
}

int weighted_file(const struct settings *s, heddle_context *ctx, const char *path, struct values *v,
                  struct failure *why) {
  struct weighing g = {.ctx = ctx, .s = s};
  struct source src;
  if (open(s, path, &src, why) != 0) return -1;
  int status = 0;
  if (!input_is_text(src.in))
    status = fail(why, EXIT_USAGE, "%s is no table: --weights is one of its columns",
                  command_file_label(path));
  g.columns = input_columns(src.in) - (status == 0);
  if (status == 0) status = read_rows(&g, &src, why);
  for (size_t c = 0; c < g.columns && status == 0; c++) status = finish(&g, &src, c, v, why);
  for (size_t c = 0; c < INPUT_MAX_COLUMNS; c++) {
    heddle_state_free(g.products[c]);
    heddle_state_free(g.weights[c]);
  }
  free(g.x);
  free(g.w);
  source_close(&src);
  return status;
}

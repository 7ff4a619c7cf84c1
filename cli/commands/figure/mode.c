/* mode.c - heddle mode: the most frequent element of each column, and how often it is there
 *
 * Method  The column is held whole; heddle_unique counts its values, in rising order, so that of those
 *         equally frequent the least is the first. Without --nan skip a NaN makes the result NaN, as often as
 *         there are such.
 * Limits  Memory for the column, its values and 8 bytes a value. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "commands/rank/columns.h"
#include "commands/source.h"
#include "options/commands.h"
#include "pairs.h"
#include "text/types.h"

struct work {
  heddle_context *ctx;
  struct values v;
};

static bool is_nan(heddle_type type, const void *element) {
  double value;
  return type_is_float(type) && heddle_convert(type, element, HEDDLE_F64, &value, 1) == HEDDLE_OK &&
         isnan(value);
}

struct counted {
  unsigned char *values;
  uint64_t *counts, found;
};

static int choose(const struct settings *s, const struct source *src, heddle_type type,
                  struct counted *u, struct value_row *value, struct value_row *count,
                  struct failure *why) {
  const size_t size = heddle_type_size(type);
  const bool nan =
      u->found > 0 && is_nan(type, u->values + (u->found - 1) * size); /* they are last */
  if (nan && s->nan == HEDDLE_NAN_SKIP) u->found -= 1;
  if (u->found == 0)
    return fail(why, EXIT_DATA, "%s: the mode of no values is not defined%s",
                command_file_label(src->path),
                nan ? " (all are NaN, which --nan skip leaves out)" : "");
  size_t best = nan && s->nan != HEDDLE_NAN_SKIP ? u->found - 1 : 0;
  for (size_t i = best; i < u->found; i++)
    if (u->counts[i] > u->counts[best]) best = i;
  value->type = type;
  count->type = HEDDLE_U64;
  memcpy(value->value, u->values + best * size, size);
  memcpy(count->value, &u->counts[best], sizeof *u->counts);
  return 0;
}

static int mode_column(const struct settings *s, struct work *w, const struct source *src,
                       const struct columns *c, size_t columns, size_t k, struct failure *why) {
  const heddle_type type = input_type(src->in);
  struct counted u = {NULL, NULL, 0};
  if (!pair_add(src, &w->v, k, why) || !pair_add(src, &w->v, k, why)) return -1;
  struct value_row *const rows = &w->v.rows[w->v.count - 2];
  rows[0].count = rows[1].count = c->count;
  u.values = command_allocate(c->count, heddle_type_size(type), "elements", why);
  u.counts = u.values ? command_allocate(c->count, sizeof *u.counts, "counts", why) : NULL;
  int status = u.counts ? 0 : -1;
  if (status == 0)
    status = command_check(heddle_unique(w->ctx, type, columns_at(c, columns, k), c->count,
                                         u.values, u.counts, NULL, HEDDLE_U64, NULL, &u.found),
                           src->path, why);
  if (status == 0) status = choose(s, src, type, &u, &rows[0], &rows[1], why);
  free(u.values);
  free(u.counts);
  return status;
}

static int mode_file(const struct settings *s, const char *path, void *user, struct failure *why) {
  struct work *const w = user;
  const size_t before = w->v.count;
  struct columns c = {{NULL}, NULL, NULL, 0};
  struct source src;
  if (source_open(s, path, SETTLED, &src, why) != 0) return -1;
  const size_t columns = input_columns(src.in);
  int status = columns_read(&src, columns, &c, why);
  for (size_t k = 0; k < columns && status == 0; k++)
    status = mode_column(s, w, &src, &c, columns, k, why);
  columns_free(&c);
  source_close(&src);
  if (status != 0) values_cut(&w->v, before); /* of one file all columns or none */
  return status;
}

int command_mode(const struct settings *s, struct failure *why) {
  static const char *const names[2] = {"value", "count"};
  struct work w = {.v = {.op = "mode", .files = s->file_count > 1}};
  bool missing = false;
  if (command_context(s, &w.ctx, why) != 0) return -1;
  int status = command_each_file(s, mode_file, &w, &missing, why);
  if (status == 0 && w.v.count > 0) status = show_pairs(s, &w.v, names, why);
  status = command_missing(status, missing, why);
  values_free(&w.v);
  heddle_close(w.ctx);
  return status;
}

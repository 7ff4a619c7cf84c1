/* figures.c - folds, descriptions and quantiles of each group's rows
 *
 * Method  Folds of f64 by heddle_groups_reduce where the rows lie, of integers in 128 bits; the others of rows that are
 *         gathered group after group.
 *         A mean is a sum in f64 divided by how many there are.
 * Order   v1 over a group's rows as they stand in the file, or the real sum. */
#include "figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/large_memory.h"
#include "commands/command.h"
#include "text/record.h"

struct figure_way figure_way_of(const struct asked *q, size_t f) {
  switch (q->of[f].spec.figure) {
  case FIGURE_SUM: return (struct figure_way){.reduce = true, .op = HEDDLE_SUM};
  case FIGURE_MIN: return (struct figure_way){.reduce = true, .op = HEDDLE_MIN};
  case FIGURE_MAX: return (struct figure_way){.reduce = true, .op = HEDDLE_MAX};
  case FIGURE_PROD: return (struct figure_way){.reduce = true, .op = HEDDLE_PROD};
  case FIGURE_SUM_SQUARES: return (struct figure_way){.reduce = true, .op = HEDDLE_SUM_SQUARES};
  case FIGURE_MEAN: return (struct figure_way){.reduce = true, .real = true, .op = HEDDLE_SUM};
  case FIGURE_VAR:
  case FIGURE_STD:
  case FIGURE_SKEWNESS: return (struct figure_way){.describe = true, .real = true};
  default: return (struct figure_way){.real = true};
  }
}

void figure_options(const struct asked *q, size_t f, heddle_options *options) {
  const heddle_options defaults = HEDDLE_OPTIONS_INIT;
  const enum figure figure = q->of[f].spec.figure;
  *options = defaults;
  options->nan = (heddle_nan)q->s->nan;
  options->exact = q->s->exact &&
                   (figure == FIGURE_SUM || figure == FIGURE_MEAN || figure == FIGURE_SUM_SQUARES);
  if (figure == FIGURE_VAR || figure == FIGURE_STD) options->figures = HEDDLE_FIGURES_VARIANCE;
  if (figure_way_of(q, f).reduce) options->out_type = HEDDLE_F64;
}

uint64_t figure_count(const double *values, size_t count) {
  uint64_t there = 0;
  for (size_t i = 0; i < count; i++) there += values[i] == values[i];
  return there;
}

static double spread(const struct asked *q, enum figure figure, const heddle_description *d) {
  const uint64_t values = d->count - (q->s->nan == HEDDLE_NAN_SKIP ? d->nan : 0);
  const double n = (double)values, left = n - (double)q->s->ddof;
  if (figure == FIGURE_SKEWNESS) return d->skewness;
  const double variance = left > 0 && d->infinite == 0 ? d->variance * (n / left) : NAN;
  return figure == FIGURE_STD ? sqrt(variance) : variance;
}

void figure_settle(const struct asked *q, size_t f, heddle_type type, uint64_t count,
                   const heddle_description *d, uint64_t *value) {
  const enum figure figure = q->of[f].spec.figure;
  double real;
  memcpy(&real, value, sizeof real);
  switch (figure) {
  case FIGURE_ROWS:
  case FIGURE_COUNT: *value = count; return;
  case FIGURE_MEAN: real /= (double)count; break;
  case FIGURE_VAR:
  case FIGURE_STD:
  case FIGURE_SKEWNESS: real = spread(q, figure, d); break;
  case FIGURE_MIN:
  case FIGURE_MAX:
    if (type != HEDDLE_F64 || count > 0) return;
    real = NAN; /* of nothing but missing values */
    break;
  default: return;
  }
  memcpy(value, &real, sizeof real);
}

/* ---- figures ----------------------------------------------------------------------------------------- */

struct finding {
  struct group_table *t;
  heddle_groups *groups; /* made when it is needed, */
  struct ordered o;      /* as its columns are */
  struct results *r;
};

static double *real_column(struct finding *f, size_t c, struct failure *why) {
  struct ordered_column *const column = &f->o.column[c];
  if (!column->values && ordered_column(f->t, &f->o, c, why) != 0) return NULL;
  return column->real;
}

/* "Oslo, 2020" */
static void show_key(const struct group_table *t, size_t group, char shown[60]) {
  char text[200];
  size_t bytes, used = 0;
  const char *at = keys_text(&t->keys, (uint32_t)group, &bytes);
  const char *const end = at + bytes;
  for (size_t k = 0; k < t->q->keys && used < sizeof text; k++) {
    const char *const field = key_field(&at, end, t->q->keys - k, &bytes);
    const int wrote = snprintf(text + used, sizeof text - used, "%s%.*s", k > 0 ? ", " : "",
                               bytes < 60 ? (int)bytes : 60, field);
    used += wrote > 0 ? (size_t)wrote : 0;
  }
  text_show(text, used < sizeof text ? used : sizeof text - 1, shown, 60);
}

static int does_not_fit(const struct group_table *t, size_t figure, size_t group,
                        struct failure *why) {
  char key[60], name[60];
  const char *const asked = t->q->of[figure].name;
  show_key(t, group, key);
  text_show(asked, strlen(asked), name, sizeof name);
  return fail(why, EXIT_DATA,
              "%s: %s of the group '%s' does not fit 64 bits; with a point in one of its numbers "
              "(1.0) the column "
              "is one of f64",
              command_file_label(t->q->path), name, key);
}

/* Of several that do not fit the one with the least key is told of, whatever the order of ids. */
static bool key_before(const struct group_table *t, size_t a, size_t b) {
  size_t n, m;
  const char *const x = keys_text(&t->keys, (uint32_t)a, &n);
  const char *const y = keys_text(&t->keys, (uint32_t)b, &m);
  const int order = memcmp(x, y, n < m ? n : m);
  return order != 0 ? order < 0 : n < m;
}

/* A column of integers, exactly. */
static int fold_whole(struct finding *f, size_t figure, struct failure *why) {
  struct group_table *const t = f->t;
  const heddle_op op = figure_way_of(t->q, figure).op;
  const uint64_t *const values = t->column[t->q->of[figure].column].values;
  struct wide *const all = command_allocate(t->keys.count, sizeof *all, "results", why);
  size_t over = SIZE_MAX;
  if (!all) return -1;
  if (t->held.groups > 0) memcpy(all, t->held.of[figure].whole, t->held.groups * sizeof *all);
  for (size_t i = 0; i < t->rows; i++) /* held groups have theirs already */
    if (t->ids[i] >= t->held.groups) wide_add(&all[t->ids[i]], op, (int64_t)values[i]);
  for (size_t g = 0; g < t->keys.count; g++) {
    int64_t result;
    if (!wide_result(&all[g], &result) && (over == SIZE_MAX || key_before(t, g, over))) over = g;
    memcpy(&f->r->value[figure][g], &result, sizeof result);
  }
  free(all);
  return over == SIZE_MAX ? 0 : does_not_fit(t, figure, over, why);
}

static int fold(struct finding *f, size_t figure, struct failure *why) {
  struct group_table *const t = f->t;
  const struct figure_way way = figure_way_of(t->q, figure);
  const size_t c = t->q->of[figure].column;
  const void *values = t->column[c].values;
  double *real = NULL;
  heddle_options options;
  figure_options(t->q, figure, &options);
  if (!f->groups && command_check(heddle_groups_make(t->ctx, HEDDLE_U32, t->ids, t->rows,
                                                     t->keys.count, &f->groups),
                                  command_file_label(t->q->path), why) != 0)
    return -1;
  if (t->column[c].type == HEDDLE_I64) {
    values = real = command_allocate(t->rows, sizeof *real, "values", why);
    if (!real ||
        command_check(heddle_convert(HEDDLE_I64, t->column[c].values, HEDDLE_F64, real, t->rows),
                      NULL, why) != 0) {
      free(real);
      return -1;
    }
  }
  const int status = command_check(
      heddle_groups_reduce(f->groups, way.op, HEDDLE_F64, values, 1, f->r->value[figure], &options),
      command_file_label(t->q->path), why);
  free(real);
  return status;
}

static int describe(struct finding *f, size_t figure, struct failure *why) {
  struct group_table *const t = f->t;
  const double *const values = real_column(f, t->q->of[figure].column, why);
  heddle_rows rows = HEDDLE_ROWS_INIT;
  heddle_options options;
  if (!values) return -1;
  heddle_description *const all = command_allocate(t->keys.count, sizeof *all, "descriptions", why);
  if (!all) return -1;
  all->size = sizeof *all;
  rows.offsets = f->o.offsets;
  rows.segments = t->keys.count;
  figure_options(t->q, figure, &options);
  const int status =
      command_check(heddle_describe_rows(t->ctx, HEDDLE_F64, values, &rows, all, &options),
                    command_file_label(t->q->path), why);
  for (size_t g = 0; g < t->keys.count && status == 0; g++)
    figure_settle(t->q, figure, HEDDLE_F64, 0, &all[g], &f->r->value[figure][g]);
  free(all);
  return status;
}

/* All quantiles of one column at once. */
static int quantiles(struct finding *f, size_t figure, struct failure *why) {
  struct group_table *const t = f->t;
  const struct asked *const q = t->q;
  const size_t c = q->of[figure].column, groups = t->keys.count;
  size_t which[GROUP_FIGURES], n = 0;
  double share[GROUP_FIGURES];
  heddle_quantile_options options = HEDDLE_QUANTILE_OPTIONS_INIT;
  heddle_rows rows = HEDDLE_ROWS_INIT;
  for (size_t i = 0; i < q->figures; i++) {
    if (q->of[i].spec.figure != FIGURE_QUANTILE || q->of[i].column != c) continue;
    if (i < figure) return 0; /* it was found with that one */
    share[n] = q->of[i].spec.share;
    which[n++] = i;
  }
  const double *const values = real_column(f, c, why);
  double *const all = values ? command_allocate(groups * n, sizeof *all, "quantiles", why) : NULL;
  if (!all) return -1;
  options.method = (heddle_quantile_method)q->s->method;
  options.nan = (heddle_nan)q->s->nan;
  rows.offsets = f->o.offsets;
  rows.segments = groups;
  const int status = command_check(
      heddle_quantiles_rows(t->ctx, HEDDLE_F64, values, &rows, share, n, all, &options),
      command_file_label(q->path), why);
  for (size_t i = 0; i < n && status == 0; i++)
    for (size_t g = 0; g < groups; g++)
      memcpy(&f->r->value[which[i]][g], &all[g * n + i], sizeof(double));
  free(all);
  return status;
}

/* Of sorted values the most frequent one, of several the least; NaN are last. */
static double mode_of(const double *values, size_t count, bool skip) {
  size_t best = 0, most = 0;
  while (skip && count > 0 && isnan(values[count - 1])) count--;
  if (count == 0 || isnan(values[count - 1])) return NAN;
  for (size_t i = 0, n = 0; i < count; i++) {
    n = i > 0 && values[i] == values[i - 1] ? n + 1 : 1;
    if (n <= most) continue;
    most = n;
    best = i;
  }
  return values[best];
}

static int modes(struct finding *f, size_t figure, struct failure *why) {
  struct group_table *const t = f->t;
  const bool skip = t->q->s->nan == HEDDLE_NAN_SKIP;
  const double *const values = real_column(f, t->q->of[figure].column, why);
  double *const sorted = values ? command_allocate(t->rows, sizeof *sorted, "values", why) : NULL;
  if (!sorted) return -1;
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.offsets = f->o.offsets;
  rows.segments = t->keys.count;
  const int status =
      command_check(heddle_sort_rows(t->ctx, HEDDLE_F64, values, &rows, sorted, NULL),
                    command_file_label(t->q->path), why);
  for (size_t g = 0; g < t->keys.count && status == 0; g++) {
    const double mode =
        mode_of(sorted + f->o.offsets[g], (size_t)(f->o.offsets[g + 1] - f->o.offsets[g]), skip);
    memcpy(&f->r->value[figure][g], &mode, sizeof mode);
  }
  free(sorted);
  return status;
}

static int distinct(struct finding *f, size_t figure, struct failure *why) {
  struct group_table *const t = f->t;
  const size_t c = t->q->of[figure].column;
  const struct keys *const texts = &t->column[c].texts;
  uint32_t *const seen =
      command_allocate(texts->count, sizeof *seen, "texts", why); /* by group and 1 */
  if (!seen || ordered_rows(t, &f->o, why) != 0) {
    free(seen);
    return -1;
  }
  for (size_t g = 0; g < t->keys.count; g++) {
    uint64_t count = 0;
    for (size_t i = (size_t)f->o.offsets[g]; i < f->o.offsets[g + 1]; i++) {
      const uint32_t id = ordered_text(t, &f->o, c, i);
      size_t length;
      if (seen[id] == g + 1) continue;
      seen[id] = (uint32_t)g + 1;
      (void)keys_text(texts, id, &length);
      count += length > 0;
    }
    f->r->value[figure][g] = count;
  }
  free(seen);
  return 0;
}

static void texts(struct finding *f, size_t figure) {
  for (size_t g = f->t->held.groups; g < f->t->keys.count; g++) {
    struct held_text *const to = &f->r->text[figure][g];
    to->text = (char *)(uintptr_t)figure_text(f->t, &f->o, figure, g, &to->length);
  }
}

/* Values that are there, by group; and the fold by them. */
static int counts(struct finding *f, size_t figure, struct failure *why) {
  struct group_table *const t = f->t;
  const size_t c = t->q->of[figure].column;
  const enum figure kind = t->q->of[figure].spec.figure;
  uint64_t *const value = f->r->value[figure];
  const bool all = kind == FIGURE_ROWS || t->column[c].type == HEDDLE_I64 ||
                   (kind != FIGURE_COUNT && t->q->s->nan != HEDDLE_NAN_SKIP);
  uint64_t *const there = command_allocate(t->keys.count, sizeof *there, "counts", why);
  if (!there) return -1;
  for (size_t i = 0; i < t->rows && all; i++) there[t->ids[i]] += 1;
  for (size_t i = 0; i < t->rows && !all; i++) {
    double x;
    memcpy(&x, &t->column[c].values[i], sizeof x);
    there[t->ids[i]] += x == x;
  }
  for (size_t g = 0; g < t->keys.count; g++)
    figure_settle(t->q, figure, f->r->type[figure], there[g], NULL, &value[g]);
  free(there);
  return 0;
}

static int find(struct finding *f, size_t figure, struct failure *why) {
  const struct figure_way way = figure_way_of(f->t->q, figure);
  const enum figure kind = f->t->q->of[figure].spec.figure;
  if (way.describe) return describe(f, figure, why);
  if (kind == FIGURE_QUANTILE) return quantiles(f, figure, why);
  if (kind == FIGURE_MODE) return modes(f, figure, why);
  if (kind == FIGURE_DISTINCT) return distinct(f, figure, why);
  if (spec_is_text(kind)) {
    if (ordered_rows(f->t, &f->o, why) != 0) return -1;
    texts(f, figure);
    return 0;
  }
  if (f->r->type[figure] == HEDDLE_I64) return fold_whole(f, figure, why);
  if (way.reduce && fold(f, figure, why) != 0) return -1;
  return kind == FIGURE_SUM || kind == FIGURE_PROD || kind == FIGURE_SUM_SQUARES
             ? 0
             : counts(f, figure, why);
}

static int start(const struct group_table *t, struct results *r, struct failure *why) {
  memset(r, 0, sizeof *r);
  r->groups = t->keys.count;
  for (size_t f = 0; f < t->q->figures; f++) {
    const enum figure kind = t->q->of[f].spec.figure;
    const struct figure_way way = figure_way_of(t->q, f);
    const bool count = kind == FIGURE_ROWS || kind == FIGURE_COUNT || kind == FIGURE_DISTINCT;
    r->type[f] = count ? HEDDLE_U64 : way.real ? HEDDLE_F64 : t->column[t->q->of[f].column].type;
    if (spec_is_text(kind) && !count)
      r->text[f] = command_allocate(r->groups + 1, sizeof *r->text[f], "results", why);
    else
      r->value[f] = large_memory_zeroed((r->groups + 1) * sizeof *r->value[f]);
    if (!r->text[f] && !r->value[f])
      return fail(why, EXIT_DATA, "%s: out of memory for the results of %zu groups",
                  command_file_label(t->q->path), r->groups);
  }
  return 0;
}

int figures_find(struct group_table *t, struct results *r, struct failure *why) {
  struct finding f = {.t = t, .r = r};
  if (start(t, r, why) != 0) return -1;
  if (t->held.groups > 0 && held_take(t, t->held.groups, why) != 0) return -1;
  int status = 0;
  for (size_t i = 0; i < t->q->figures && status == 0; i++) status = find(&f, i, why);
  for (size_t i = 0; i < t->q->figures && t->held.groups > 0 && status == 0; i++) {
    if (r->text[i])
      memcpy(r->text[i], t->held.of[i].texts, t->held.groups * sizeof *r->text[i]);
    else if (r->type[i] != HEDDLE_I64)
      status = held_values(t, i, r->value[i], why);
  }
  ordered_free(&f.o);
  heddle_groups_free(f.groups);
  return status;
}

void figures_free(struct results *r) {
  for (size_t f = 0; f < GROUP_FIGURES; f++) {
    large_memory_free(r->value[f], (r->groups + 1) * sizeof *r->value[f]);
    free(r->text[f]);
  }
  memset(r, 0, sizeof *r);
}

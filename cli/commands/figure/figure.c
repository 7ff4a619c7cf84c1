/* figure.c - heddle mean, count, std, var: one figure of a description
 *
 * Method  A describing state for each column that finds no more than the figure needs, fed block by block:
 *         the bits of heddle_figure on the whole. NaN that are skipped do not count.
 * Limits  In f64: integers beyond 2^53 are rounded. */
#include <math.h>
#include <stdlib.h>

#include "commands/axis.h"
#include "commands/command.h"
#include "commands/show_values.h"
#include "commands/source.h"
#include "options/commands.h"
#include "pairs.h"
#include "weighted.h"

struct figuring {
  heddle_context *ctx;
  struct values v;
};

static void figure_options(const struct settings *s, heddle_options *options) {
  command_options(s, options);
  options->figures = s->op == OP_COUNT  ? HEDDLE_FIGURES_MEAN
                     : s->op == OP_MEAN ? HEDDLE_FIGURES_ALL /* the sign of infinities, too */
                                        : HEDDLE_FIGURES_VARIANCE;
}

static uint64_t values_of(const struct settings *s, const heddle_description *d) {
  return d->count - (s->nan == HEDDLE_NAN_SKIP ? d->nan : 0);
}

/* That of infinities of one sign is infinite, as numpy.mean has it. */
static double mean_of(const heddle_description *d) {
  if (d->infinite == 0 || d->min == -d->max) return d->mean;
  return isinf(d->max) ? d->max : d->min;
}

/* An axis_figure: a u64 of a count, else an f64. */
static void figure_of(const struct settings *s, const heddle_description *d, void *element) {
  const double n = (double)values_of(s, d), left = n - (double)s->ddof;
  double *const out = element;
  if (s->op == OP_COUNT) *(uint64_t *)element = values_of(s, d);
  if (s->op == OP_MEAN) *out = mean_of(d);
  if (s->op != OP_VAR && s->op != OP_STD) return;
  const double variance = left > 0 && d->infinite == 0 ? d->variance * (n / left) : NAN;
  *out = s->op == OP_STD ? sqrt(variance) : variance;
}

static int check_defined(const struct settings *s, const char *path, const heddle_description *d,
                         struct failure *why) {
  const uint64_t n = values_of(s, d);
  const bool spread = s->op == OP_VAR || s->op == OP_STD;
  if (s->op == OP_COUNT || n > (spread ? s->ddof : 0)) return 0;
  if (n == 0)
    return fail(why, EXIT_DATA, "%s: the %s of no values is not defined%s",
                command_file_label(path), operator_name(s->op),
                d->count > 0 ? " (all are NaN, which --nan skip leaves out)" : "");
  return fail(why, EXIT_DATA, "%s: the %s of %llu value%s with --ddof %llu is not defined",
              command_file_label(path), operator_name(s->op), (unsigned long long)n,
              n == 1 ? "" : "s", (unsigned long long)s->ddof);
}

static int finish(const struct settings *s, const struct source *src, heddle_state *state,
                  size_t column, struct values *v, struct failure *why) {
  heddle_description d = HEDDLE_DESCRIPTION_INIT;
  if (command_check(heddle_describe_finish(state, &d), src->path, why) != 0 ||
      check_defined(s, src->path, &d, why) != 0)
    return -1;
  struct value_row *const row = pair_add(src, v, column, why);
  if (!row) return -1;
  row->type = s->op == OP_COUNT ? HEDDLE_U64 : HEDDLE_F64;
  row->count = d.count;
  figure_of(s, &d, row->value);
  return 0;
}

static int figure_file(const struct settings *s, const char *path, void *user,
                       struct failure *why) {
  struct figuring *const f = user;
  const size_t before = f->v.count;
  if (s->weights) {
    const int status = weighted_file(s, f->ctx, path, &f->v, why);
    if (status != 0) values_cut(&f->v, before);
    return status;
  }
  heddle_state *states[INPUT_MAX_COLUMNS] = {NULL};
  heddle_options options;
  struct source src;
  if (source_open(s, path, ONE_PASS, &src, why) != 0) return -1;
  const size_t columns = input_columns(src.in);
  int status = 0;
  figure_options(s, &options);
  src.integers = s->op == OP_COUNT; /* what is counted is not rounded */
  for (size_t c = 0; c < columns && status == 0; c++)
    status = command_check(heddle_describe_begin(f->ctx, input_type(src.in), &options, &states[c]),
                           path, why);
  if (status == 0) status = source_describe(&src, states, why);
  for (size_t c = 0; c < columns && status == 0; c++)
    status = finish(s, &src, states[c], c, &f->v, why);
  for (size_t c = 0; c < columns; c++) heddle_state_free(states[c]);
  source_close(&src);
  if (status != 0) values_cut(&f->v, before); /* of one file all columns or none */
  return status;
}

int command_figure(const struct settings *s, struct failure *why) {
  struct figuring f = {.v = {.op = operator_name(s->op), .files = s->file_count > 1}};
  heddle_options options;
  bool missing = false;
  if (s->weights && s->axis) return fail(why, EXIT_USAGE, "--weights does not go with --axis");
  if (command_context(s, &f.ctx, why) != 0) return -1;
  int status;
  if (s->axis) {
    figure_options(s, &options);
    status = axis_figures(s, f.ctx, &options, s->op == OP_COUNT ? HEDDLE_U64 : HEDDLE_F64,
                          figure_of, why);
  } else {
    status = command_each_file(s, figure_file, &f, &missing, why);
    if (status == 0 && f.v.count > 0) status = show_values(s, &f.v, why);
    status = command_missing(status, missing, why);
  }
  values_free(&f.v);
  heddle_close(f.ctx);
  return status;
}

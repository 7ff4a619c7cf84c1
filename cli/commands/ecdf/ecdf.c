/* ecdf.c - heddle ecdf: which share of the elements is at or below each value
 *
 * Method  A pass counts n elements that are no NaN. Up to --points of them, all ranks are looked for, else those of
 *         k n / points, rounded up, by the passes of heddle_quantiles_begin: exact values in memory of a fixed size,
 *         however long the file. Equal values are one step, of the greatest of their ranks.
 * Limits  Where there are more elements than points, a value's share is told from below, by less than 1 / points where
 *         it is no step's. In f64: integers beyond 2^53 are rounded. */
#include "ecdf.h"

#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "commands/source.h"
#include "options/commands.h"
#include "show.h"

enum { USUAL_POINTS = 1000, MOST_POINTS = 1 << 16 };

static int feed_ranks(struct source *src, size_t column, const void *data, size_t n, void *user,
                      struct failure *why) {
  heddle_state *const state = user;
  (void)column;
  return command_check(heddle_quantiles_update(state, data, n), src->path, why);
}

static int count_elements(heddle_context *ctx, struct source *src, struct steps *out,
                          struct failure *why) {
  heddle_description d = HEDDLE_DESCRIPTION_INIT;
  heddle_options options = HEDDLE_OPTIONS_INIT;
  heddle_state *state = NULL;
  options.nan = HEDDLE_NAN_SKIP;
  options.figures = HEDDLE_FIGURES_MEAN;
  int status =
      command_check(heddle_describe_begin(ctx, input_type(src->in), &options, &state), NULL, why);
  if (status == 0) status = source_describe(src, &state, why);
  if (status == 0) status = command_check(heddle_describe_finish(state, &d), src->path, why);
  heddle_state_free(state);
  out->elements = d.count;
  out->nan = d.nan;
  if (status != 0 || d.count > d.nan) return status;
  return fail(why, EXIT_DATA, "%s: the distribution of no values is not defined%s",
              command_file_label(src->path), d.nan > 0 ? " (all are NaN)" : "");
}

/* The k-th of `points` ranks among n: k n / points, rounded up, without an overflow. */
static uint64_t rank_of(uint64_t k, uint64_t n, uint64_t points) {
  const uint64_t whole = n / points, rest = n % points;
  return k * whole + (k * rest + points - 1) / points;
}

/* The elements of these ranks, from 1 on. A share in the middle of its step is that of no neighbour, however it is
 * rounded. */
static int find(heddle_context *ctx, struct source *src, struct steps *out, double *shares,
                struct failure *why) {
  const double n = (double)(out->elements - out->nan);
  heddle_quantile_options options = HEDDLE_QUANTILE_OPTIONS_INIT;
  heddle_state *state = NULL;
  options.method = HEDDLE_QUANTILE_INVERTED_CDF;
  options.nan = HEDDLE_NAN_SKIP;
  for (size_t i = 0; i < out->count; i++) shares[i] = ((double)out->ranks[i] - 0.5) / n;
  int again = 1;
  int status = command_check(
      heddle_quantiles_begin(ctx, input_type(src->in), shares, out->count, &options, &state),
      src->path, why);
  while (status == 0 && again) {
    status = source_rewind(src, why);
    if (status == 0) status = source_each(src, feed_ranks, state, why);
    if (status == 0) status = command_check(heddle_quantiles_round(state, &again), src->path, why);
  }
  if (status == 0)
    status = command_check(heddle_quantiles_finish(state, out->values), src->path, why);
  heddle_state_free(state);
  return status;
}

/* Of equal values the last. */
static void join(struct steps *s) {
  size_t used = 0;
  for (size_t i = 0; i < s->count; i++) {
    if (i + 1 < s->count && s->values[i + 1] == s->values[i]) continue;
    s->values[used] = s->values[i] == 0 ? 0 : s->values[i]; /* of both zeros the plain one */
    s->ranks[used++] = s->ranks[i];
  }
  s->count = used;
}

static int find_steps(const struct settings *s, heddle_context *ctx, struct source *src,
                      struct steps *out, struct failure *why) {
  const uint64_t points = s->points == 0 ? USUAL_POINTS : s->points;
  if (source_single(src, why) != 0 || count_elements(ctx, src, out, why) != 0) return -1;
  const uint64_t n = out->elements - out->nan;
  out->count = (size_t)(n < points ? n : points);
  out->values = command_allocate(out->count, sizeof *out->values, "values", why);
  if (!out->values) return -1;
  out->ranks = command_allocate(out->count, sizeof *out->ranks, "ranks", why);
  if (!out->ranks) return -1;
  double *shares = command_allocate(out->count, sizeof *shares, "shares", why);
  if (!shares) return -1;
  for (size_t i = 0; i < out->count; i++) out->ranks[i] = rank_of(i + 1, n, out->count);
  const int status = find(ctx, src, out, shares, why);
  free(shares);
  if (status == 0) join(out);
  return status;
}

int command_ecdf(const struct settings *s, struct failure *why) {
  struct steps found = {NULL, NULL, 0, 0, 0};
  struct source src;
  heddle_context *ctx = NULL;
  if (s->points > MOST_POINTS)
    return fail(why, EXIT_USAGE, "--points takes up to %d, not %llu", MOST_POINTS,
                (unsigned long long)s->points);
  if (command_context(s, &ctx, why) != 0) return -1;
  int status = source_open(s, s->files[0], TWO_PASSES, &src, why);
  if (status == 0) {
    status = find_steps(s, ctx, &src, &found, why);
    source_close(&src);
  }
  if (status == 0) status = show_steps(s, &found, why);
  free(found.values);
  free(found.ranks);
  heddle_close(ctx);
  return status;
}

/* hist.h - the parts of heddle hist: input, choice of bins, counting; and what they result in */
#ifndef HEDDLE_CLI_COMMANDS_HIST_HIST_H
#define HEDDLE_CLI_COMMANDS_HIST_HIST_H

#include "commands/source.h"
#include "options/args.h"
#include "spec.h"

enum { HIST_CHANNELS = 4, HIST_COLUMNS = 8, HIST_TABLES = 8 /* the greater of both */ };

/* Values, and weights beside them: a column of the same table or a file of their own. Or the values
 * of several columns: all of a block's, column after column. */
struct hist_input {
  struct source values, weights;
  bool weight_column, weight_file;
  struct pair pair;
  size_t columns;                    /* of values */
  size_t column;                     /* that hist_input_next came to last */
  const void *of[INPUT_MAX_COLUMNS]; /* of several: the block */
  size_t rows;
};
int hist_input_open(const struct settings *s, bool two_passes, struct hist_input *in,
                    struct failure *why);
/* *w is NULL where there are no weights. *count 0 at the end. */
int hist_input_next(struct hist_input *in, const void **x, const void **w, size_t *count,
                    struct failure *why);
int hist_input_rewind(struct hist_input *in, struct failure *why);
void hist_input_close(struct hist_input *in);
/* Adds to *fractions how many of n finite elements are no whole numbers. */
int hist_count_fractions(heddle_type type, const void *elements, size_t n, uint64_t *fractions,
                         struct failure *why);
heddle_type hist_weights_type(const struct hist_input *in); /* DEFAULT: none */

/* A pass: how many values lie in [lo, hi], and the least and the greatest of them. */
struct survey {
  uint64_t count;
  double lo, hi;
};
int hist_survey(heddle_context *ctx, struct hist_input *in, bool of_weights, double lo, double hi,
                struct survey *out, struct failure *why);

/* The values of four ranks (0 is the least) among the n elements that lie in [lo, hi], exactly, in
 * a few passes. Ranks must not fall. */
enum { HIST_RANKS = 4 };
int hist_order_statistics(heddle_context *ctx, struct hist_input *in, double lo, double hi,
                          const uint64_t ranks[HIST_RANKS], double values[HIST_RANKS],
                          struct failure *why);

/* Bins that are settled: what to hand to the library, and the edges to show. */
struct hist_bins {
  heddle_bins bins;
  double *edges; /* bins.count + 1 */
  bool whole;    /* a bin for each integer */
};
/* Whether the values must be passed over before they can be counted. */
bool hist_needs_survey(const struct settings *s, const struct bins_spec *spec);
int hist_settle(const struct settings *s, heddle_context *ctx, struct hist_input *in,
                const struct bins_spec *spec, struct hist_bins *out, struct failure *why);
void hist_bins_free(struct hist_bins *b);

/* A histogram that is counted: tables of `channels` channels, or columns, after each other. */
struct histogram {
  size_t channels, bins;
  bool columns; /* several, by these names; not channels */
  const char *names[HIST_COLUMNS];
  const double *edges;
  bool whole, log, weighted;
  uint64_t fractions; /* values that are no whole numbers, where whole bins were asked for */
  uint64_t *counts;
  double *sums;
  heddle_histogram_result results[HIST_TABLES];
  const char *title;
};

#endif

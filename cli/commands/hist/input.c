/* input.c - the values of a histogram, and their weights
 *
 * Method  --weights names a file if there is one of that name, else a column of the table. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands/command.h"
#include "hist.h"
#include "text/element.h"
#include "text/types.h"

static int open_weights(const struct settings *s, struct hist_input *in, bool two_passes,
                        struct failure *why) {
  struct input_options options;
  input_options_init(&options, s->weights);
  options.count = s->count;
  options.two_passes = two_passes;
  options.no_map = s->no_map != 0;
  if (source_open_options(s, &options, &in->weights, why) != 0) return -1;
  in->weight_file = true;
  in->weights.progress.on = false;
  if (source_single(&in->weights, why) == 0) return 0;
  source_close(&in->weights);
  return -1;
}

/* What -c chose. */
static int take_columns(const struct settings *s, struct hist_input *in, struct failure *why) {
  const size_t columns = input_columns(in->values.in);
  if (columns == 1 || s->column_count == 0) return source_single(&in->values, why);
  if (columns > HIST_COLUMNS)
    return fail(why, EXIT_USAGE, "-c takes up to %d columns beside each other, not %zu",
                HIST_COLUMNS, columns);
  if (s->channels > 1)
    return fail(why, EXIT_USAGE, "--channels are of one column: choose one, or leave it out");
  in->columns = columns;
  return 0;
}

int hist_input_open(const struct settings *s, bool two_passes, struct hist_input *in,
                    struct failure *why) {
  struct input_options options;
  memset(in, 0, sizeof *in);
  in->columns = 1;
  if (s->weights && s->column_count > 1)
    return fail(why, EXIT_USAGE, "--weights takes one column of values, not %zu", s->column_count);
  if (args_input_options(s, s->files[0], &options, why) != 0) return -1;
  struct stat info;
  bool file = s->weights && stat(s->weights, &info) == 0 && !S_ISDIR(info.st_mode);
  in->weight_column = s->weights && !file;
  if (in->weight_column) {
    if (options.column_count != 1)
      return fail(why, EXIT_USAGE,
                  "there is no file '%s'; for --weights by column, choose the "
                  "values' column too: -c NAME --weights %s",
                  s->weights, s->weights);
    options.columns[options.column_count++] = s->weights;
  }
  options.spans = !in->weight_column;
  two_passes = two_passes || (s->weights && !s->exact); /* for the weights' exponent */
  options.two_passes = two_passes;
  if (source_open_where(s, &options, &in->values, why) != 0) return -1;
  int status = 0;
  if (!in->weight_column)
    status = take_columns(s, in, why);
  else if (input_columns(in->values.in) != 2)
    status =
        fail(why, EXIT_USAGE, "there is no file '%s', and %s has no columns to take as weights",
             s->weights, command_file_label(in->values.path));
  if (status == 0 && file) status = open_weights(s, in, two_passes, why);
  if (status == 0 && file) pair_start(&in->pair, &in->values, &in->weights);
  if (status != 0) source_close(&in->values);
  return status;
}

static int next_of_columns(struct hist_input *in, const void **x, size_t *count,
                           struct failure *why) {
  if (in->rows > 0 && in->column + 1 < in->columns) {
    in->column++;
  } else {
    in->column = 0;
    if (source_next(&in->values, in->of, &in->rows, why) != 0) return -1;
  }
  *x = in->of[in->column];
  *count = in->rows;
  return 0;
}

int hist_input_next(struct hist_input *in, const void **x, const void **w, size_t *count,
                    struct failure *why) {
  const void *columns[INPUT_MAX_COLUMNS];
  if (in->weight_file) return pair_next(&in->pair, x, w, NULL, count, why);
  if (in->columns > 1) {
    *w = NULL;
    return next_of_columns(in, x, count, why);
  }
  if (source_next(&in->values, columns, count, why) != 0) return -1;
  *x = columns[0];
  *w = in->weight_column ? columns[1] : NULL;
  return 0;
}

int hist_input_rewind(struct hist_input *in, struct failure *why) {
  in->rows = 0;
  if (source_rewind(&in->values, why) != 0) return -1;
  if (!in->weight_file) return 0;
  pair_start(&in->pair, &in->values, &in->weights);
  return source_rewind(&in->weights, why);
}

void hist_input_close(struct hist_input *in) {
  source_close(&in->values);
  if (in->weight_file) source_close(&in->weights);
}

heddle_type hist_weights_type(const struct hist_input *in) {
  if (in->weight_file) return input_type(in->weights.in);
  return in->weight_column ? input_type(in->values.in) : HEDDLE_TYPE_DEFAULT;
}

/* Comparisons with NaN are false, so that NaN falls out by itself. */
static void survey_block(struct survey *out, const double *x, size_t n, double lo, double hi) {
  for (size_t i = 0; i < n; i++) {
    if (!(x[i] >= lo && x[i] <= hi)) continue;
    out->count++;
    if (x[i] < out->lo) out->lo = x[i];
    if (x[i] > out->hi) out->hi = x[i];
  }
}

static int survey_by_value(struct hist_input *in, bool of_weights, double lo, double hi,
                           struct survey *out, struct failure *why) {
  enum { PIECE = 4096 };
  heddle_type type = of_weights ? hist_weights_type(in) : input_type(in->values.in);
  double piece[PIECE];
  if (hist_input_rewind(in, why) != 0) return -1;
  for (;;) {
    const void *x, *w;
    size_t n = 0;
    if (hist_input_next(in, &x, &w, &n, why) != 0) return -1;
    if (n == 0) return 0;
    const unsigned char *at = of_weights ? w : x;
    for (size_t done = 0; done < n; done += PIECE) {
      size_t some = n - done < PIECE ? n - done : PIECE;
      if (command_check(
              heddle_convert(type, at + done * heddle_type_size(type), HEDDLE_F64, piece, some),
              NULL, why) != 0)
        return -1;
      survey_block(out, piece, some, lo, hi);
    }
  }
}

int hist_count_fractions(heddle_type type, const void *elements, size_t n, uint64_t *fractions,
                         struct failure *why) {
  enum { PIECE = 4096 };
  const unsigned char *at = elements;
  double piece[PIECE];
  while (n > 0 && type_is_float(type)) {
    const size_t some = n < PIECE ? n : PIECE;
    if (command_check(heddle_convert(type, at, HEDDLE_F64, piece, some), NULL, why) != 0) return -1;
    for (size_t i = 0; i < some; i++)
      *fractions += isfinite(piece[i]) && piece[i] != floor(piece[i]);
    at += some * heddle_type_size(type);
    n -= some;
  }
  return 0;
}

/* The library's describe, at memory speed; enough where no infinity has to be left out. */
static int survey_by_describe(heddle_context *ctx, struct hist_input *in, bool of_weights,
                              heddle_description *out, struct failure *why) {
  const heddle_description none = HEDDLE_DESCRIPTION_INIT;
  heddle_type type = of_weights ? hist_weights_type(in) : input_type(in->values.in);
  heddle_options options = HEDDLE_OPTIONS_INIT;
  heddle_state *state = NULL;
  options.nan = HEDDLE_NAN_SKIP;
  *out = none;
  int status = hist_input_rewind(in, why);
  if (status == 0)
    status = command_check(heddle_describe_begin(ctx, type, &options, &state), NULL, why);
  while (status == 0) {
    const void *x, *w;
    size_t n = 0;
    status = hist_input_next(in, &x, &w, &n, why);
    if (status != 0 || n == 0) break;
    status = command_check(heddle_describe_update(state, of_weights ? w : x, n), NULL, why);
  }
  if (status == 0) status = command_check(heddle_describe_finish(state, out), NULL, why);
  heddle_state_free(state);
  return status;
}

int hist_survey(heddle_context *ctx, struct hist_input *in, bool of_weights, double lo, double hi,
                struct survey *out, struct failure *why) {
  heddle_description d;
  out->count = 0;
  out->lo = DBL_MAX;
  out->hi = -DBL_MAX;
  if (lo <= -DBL_MAX && hi >= DBL_MAX) {
    if (survey_by_describe(ctx, in, of_weights, &d, why) != 0) return -1;
    if (d.infinite == 0) {
      out->count = d.count - d.nan;
      if (out->count > 0) {
        out->lo = d.min;
        out->hi = d.max;
      }
      return 0;
    }
  }
  return survey_by_value(in, of_weights, lo, hi, out, why);
}

/* hist.c - heddle hist: how a file's values are distributed
 *
 * Method  Settle the bins (settle.c), count in one streaming pass, show. Weighted sums are
 *         fixed-point: a pass before finds the largest weight's exponent, which --exact needs not. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "hist.h"
#include "options/commands.h"
#include "show.h"
#include "text/types.h"

/* Whole groups of channels go to the library; what a block cuts off waits for the next. */
struct carry {
  unsigned char values[HIST_CHANNELS * 8], weights[HIST_CHANNELS * 8];
  size_t have;
};

static int parse(const struct settings *s, struct bins_spec *spec, struct failure *why) {
  char message[256];
  struct bins_text text = {s->bins,  s->range[0], s->range[1],    s->edges,
                           s->width, s->log != 0, s->integer != 0};
  if (s->channels > HIST_CHANNELS)
    return fail(why, EXIT_USAGE, "--channels takes 1 to %d, not %llu", HIST_CHANNELS,
                (unsigned long long)s->channels);
  if (s->channels > 1 && s->svg)
    return fail(why, EXIT_USAGE, "--svg draws one channel; leave out --channels");
  if (s->exact && !s->weights)
    return fail(why, EXIT_USAGE,
                "--exact is for sums of --weights; counts are exact: leave it out");
  if (bins_parse(&text, spec, message, sizeof message) == 0) return 0;
  return fail(why, EXIT_USAGE, "%s", message);
}

static int weight_exponent(heddle_context *ctx, struct hist_input *in, int *exponent,
                           struct failure *why) {
  struct survey sv;
  if (hist_survey(ctx, in, true, -DBL_MAX, DBL_MAX, &sv, why) != 0) return -1;
  double largest = sv.count == 0 ? 0 : fmax(fabs(sv.lo), fabs(sv.hi));
  (void)frexp(largest, exponent);
  /* Integers beyond 2^53 were rounded to double, maybe down. */
  if (largest >= 0x1p53 && !type_is_float(hist_weights_type(in))) (*exponent)++;
  return 0;
}

static int update(heddle_state *state, const void *x, const void *w, size_t count,
                  struct failure *why) {
  return command_check(heddle_histogram_update(state, x, w, count), NULL, why);
}

static int feed_block(heddle_state *state, struct carry *c, size_t channels, const size_t sizes[2],
                      const void *x, const void *w, size_t n, struct failure *why) {
  const unsigned char *values = x, *weights = w;
  if (c->have > 0) {
    size_t some = channels - c->have < n ? channels - c->have : n;
    memcpy(c->values + c->have * sizes[0], values, some * sizes[0]);
    if (weights) memcpy(c->weights + c->have * sizes[1], weights, some * sizes[1]);
    c->have += some;
    n -= some;
    values += some * sizes[0];
    if (weights) weights += some * sizes[1];
    if (c->have < channels) return 0;
    c->have = 0;
    if (update(state, c->values, weights ? c->weights : NULL, channels, why) != 0) return -1;
  }
  size_t whole = n - n % channels;
  if (whole > 0 && update(state, values, weights, whole, why) != 0) return -1;
  c->have = n - whole;
  memcpy(c->values, values + whole * sizes[0], c->have * sizes[0]);
  if (weights) memcpy(c->weights, weights + whole * sizes[1], c->have * sizes[1]);
  return 0;
}

/* A state, or one of each column. */
static int feed(heddle_state *const *states, struct hist_input *in, struct histogram *h,
                struct failure *why) {
  const size_t channels = h->columns ? 1 : h->channels;
  struct carry carry = {{0}, {0}, 0};
  const size_t sizes[2] = {heddle_type_size(input_type(in->values.in)),
                           heddle_type_size(hist_weights_type(in))};
  for (;;) {
    const void *x, *w;
    size_t n = 0;
    if (hist_input_next(in, &x, &w, &n, why) != 0) return -1;
    if (n == 0) break;
    if (h->whole && hist_count_fractions(input_type(in->values.in), x, n, &h->fractions, why) != 0)
      return -1;
    if (feed_block(states[in->column], &carry, channels, sizes, x, w, n, why) != 0) return -1;
  }
  if (carry.have == 0) return 0;
  return fail(why, EXIT_DATA, "%s: the elements do not come in groups of %zu: %zu are left over",
              command_file_label(in->values.path), channels, carry.have);
}

static int count_all(const struct settings *s, heddle_context *ctx, struct hist_input *in,
                     const struct hist_bins *bins, bool again, struct histogram *h,
                     struct failure *why) {
  heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  heddle_state *states[HIST_COLUMNS] = {NULL};
  options.channels = h->columns ? 1 : h->channels;
  options.weights_type = hist_weights_type(in);
  int status = 0;
  options.exact = s->exact;
  if (h->weighted && !s->exact) {
    status = weight_exponent(ctx, in, &options.weight_exponent, why);
    again = true;
  }
  if (status == 0 && again) status = hist_input_rewind(in, why);
  for (size_t c = 0; c < in->columns && status == 0; c++)
    status = command_check(
        heddle_histogram_begin(ctx, input_type(in->values.in), &bins->bins, &options, &states[c]),
        in->values.path, why);
  if (status == 0) status = feed(states, in, h, why);
  for (size_t c = 0; c < in->columns && status == 0; c++)
    status = command_check(
        heddle_histogram_finish(states[c], h->counts + c * h->bins, h->results + c, h->sums),
        in->values.path, why);
  for (size_t c = 0; c < in->columns; c++) heddle_state_free(states[c]);
  return status;
}

static int allocate(struct histogram *h, const struct hist_bins *bins, struct failure *why) {
  const heddle_histogram_result none = HEDDLE_HISTOGRAM_RESULT_INIT;
  h->bins = bins->bins.count;
  h->edges = bins->edges;
  h->whole = bins->whole;
  h->log = bins->bins.kind == HEDDLE_BINS_LOG;
  for (size_t c = 0; c < HIST_TABLES; c++) h->results[c] = none;
  h->counts = command_allocate(h->bins * h->channels, sizeof *h->counts, "counts", why);
  if (!h->counts) return -1;
  if (!h->weighted) return 0;
  h->sums = command_allocate(h->bins * h->channels, sizeof *h->sums, "sums", why);
  return h->sums ? 0 : -1;
}

static void name_columns(const struct settings *s, const struct hist_input *in,
                         struct histogram *h) {
  if (in->columns < 2) return;
  h->columns = true;
  h->channels = in->columns;
  for (size_t c = 0; c < in->columns; c++) {
    h->names[c] = input_label(in->values.in, c);
    if (*h->names[c] == '\0' && in->columns == s->column_count) h->names[c] = s->columns[c];
  }
}

static int histogram(const struct settings *s, heddle_context *ctx, struct hist_input *in,
                     const struct bins_spec *spec, struct failure *why) {
  struct hist_bins bins;
  struct histogram h;
  memset(&h, 0, sizeof h);
  h.channels = s->channels == 0 ? 1 : (size_t)s->channels;
  name_columns(s, in, &h);
  h.weighted = s->weights;
  h.title = s->title;
  int status = hist_settle(s, ctx, in, spec, &bins, why);
  if (status == 0) status = allocate(&h, &bins, why);
  if (status == 0) status = count_all(s, ctx, in, &bins, hist_needs_survey(s, spec), &h, why);
  progress_end(&in->values.progress);
  if (status == 0 && h.fractions > 0) {
    h.whole = false; /* "1" would not tell that 1.5 is there too */
    command_note(s, "%s: %llu value%s no whole number%s, each in the bin of the integer below",
                 command_file_label(in->values.path), (unsigned long long)h.fractions,
                 h.fractions == 1 ? " is" : "s are", h.fractions == 1 ? "" : "s");
  }
  if (status == 0) status = show_histogram(s, &h, why);
  free(h.sums);
  free(h.counts);
  hist_bins_free(&bins);
  return status;
}

int command_hist(const struct settings *s, struct failure *why) {
  struct bins_spec spec = {.rule = BINS_AUTO};
  struct hist_input in;
  heddle_context *ctx = NULL;
  int status = parse(s, &spec, why);
  if (status == 0) status = command_context(s, &ctx, why);
  if (status == 0) {
    status = hist_input_open(s, hist_needs_survey(s, &spec), &in, why);
    if (status == 0) {
      status = histogram(s, ctx, &in, &spec, why);
      hist_input_close(&in);
    }
  }
  heddle_close(ctx);
  bins_free(&spec);
  return status;
}

/* staged_state.c - states, with device memory; see staged.h
 *
 * Method    a list says of each state which context it is of and how large its elements are */
#include "staging.h"

enum { STATES = 32 };

static struct note {
  heddle_state *state;
  heddle_context *ctx;
  size_t in, out; /* bytes an element, of a result or a scan's output; histograms: bins in all */
  size_t value, weight; /* bytes of argreduce's value, a histogram's channels; of a weight */
} notes[STATES];

static struct note *note_of(const heddle_state *state) {
  for (size_t i = 0; i < STATES; i++)
    if (notes[i].state == state) return &notes[i];
  return NULL;
}

/* The call's note if its context keeps arrays on the device, and a new call begun; else NULL. */
static const struct note *begin(const heddle_state *state) {
  const struct note *n = state ? note_of(state) : NULL;
  return n && staging_begin(n->ctx) ? n : NULL;
}

static heddle_status remember(heddle_status status, struct note note, heddle_state **out) {
  if (status != HEDDLE_OK) return status;
  note.state = *out;
  struct note *unused = note_of(NULL);
  assert_non_null(unused);
  *unused = note;
  return status;
}

void staged_state_free(heddle_state *state) {
  struct note *n = state ? note_of(state) : NULL;
  if (n) *n = (struct note){NULL, NULL, 0, 0, 0, 0};
  heddle_state_free(state);
}

heddle_status staged_reduce_begin(heddle_context *ctx, heddle_op op, heddle_type type,
                                  const heddle_options *options, heddle_state **out) {
  const heddle_status status = heddle_reduce_begin(ctx, op, type, options, out);
  if (status != HEDDLE_OK) return status;
  return remember(status,
                  (struct note){NULL, ctx, staged_size(type, options),
                                staged_out_size(op, type, options), 0, 0},
                  out);
}

heddle_status staged_reduce_update(heddle_state *state, const void *in, size_t count) {
  const struct note *n = begin(state);
  if (!n) return heddle_reduce_update(state, in, count);
  return staging_end(heddle_reduce_update(state, staging_in(in, count, n->in), count));
}

heddle_status staged_reduce_finish(heddle_state *state, void *out) {
  const struct note *n = begin(state);
  if (!n) return heddle_reduce_finish(state, out);
  return staging_end(heddle_reduce_finish(state, staging_out(out, 1, n->out)));
}

heddle_status staged_argreduce_begin(heddle_context *ctx, heddle_extreme which, heddle_type type,
                                     const heddle_options *options, heddle_state **out) {
  return remember(heddle_argreduce_begin(ctx, which, type, options, out),
                  (struct note){NULL, ctx, data_size(type), 8, data_size(type), 0}, out);
}

heddle_status staged_argreduce_update(heddle_state *state, const void *in, size_t count) {
  const struct note *n = begin(state);
  if (!n) return heddle_argreduce_update(state, in, count);
  return staging_end(heddle_argreduce_update(state, staging_in(in, count, n->in), count));
}

heddle_status staged_argreduce_finish(heddle_state *state, void *value, uint64_t *index) {
  const struct note *n = begin(state);
  if (!n) return heddle_argreduce_finish(state, value, index);
  value = staging_out(value, 1, n->value);
  index = staging_out(index, 1, sizeof *index);
  return staging_end(heddle_argreduce_finish(state, value, index));
}

heddle_status staged_dot_begin(heddle_context *ctx, heddle_type type, const heddle_options *options,
                               heddle_state **out) {
  const heddle_status status = heddle_dot_begin(ctx, type, options, out);
  if (status != HEDDLE_OK) return status;
  return remember(
      status,
      (struct note){NULL, ctx, data_size(type), staged_out_size(HEDDLE_SUM, type, options), 0, 0},
      out);
}

heddle_status staged_dot_update(heddle_state *state, const void *x, const void *y, size_t count) {
  const struct note *n = begin(state);
  if (!n) return heddle_dot_update(state, x, y, count);
  x = staging_in(x, count, n->in);
  y = staging_in(y, count, n->in);
  return staging_end(heddle_dot_update(state, x, y, count));
}

heddle_status staged_dot_finish(heddle_state *state, void *out) {
  const struct note *n = begin(state);
  if (!n) return heddle_dot_finish(state, out);
  return staging_end(heddle_dot_finish(state, staging_out(out, 1, n->out)));
}

heddle_status staged_describe_begin(heddle_context *ctx, heddle_type type,
                                    const heddle_options *options, heddle_state **out) {
  return remember(heddle_describe_begin(ctx, type, options, out),
                  (struct note){NULL, ctx, data_size(type), 0, 0, 0}, out);
}

heddle_status staged_describe_update(heddle_state *state, const void *in, size_t count) {
  const struct note *n = begin(state);
  if (!n) return heddle_describe_update(state, in, count);
  return staging_end(heddle_describe_update(state, staging_in(in, count, n->in), count));
}

heddle_status staged_describe_finish(heddle_state *state, heddle_description *out) {
  const struct note *n = begin(state);
  if (!n) return heddle_describe_finish(state, out);
  return staging_end(heddle_describe_finish(state, staging_sometimes(out, 1, sizeof *out)));
}

heddle_status staged_scan_begin(heddle_context *ctx, heddle_op op, heddle_scan_kind kind,
                                heddle_type type, const heddle_options *options,
                                heddle_state **out) {
  const heddle_status status = heddle_scan_begin(ctx, op, kind, type, options, out);
  if (status != HEDDLE_OK) return status;
  return remember(
      status,
      (struct note){NULL, ctx, staged_size(type, options), staged_scan_size(type, options), 0, 0},
      out);
}

heddle_status staged_scan_update(heddle_state *state, const void *in, size_t count, void *out) {
  const struct note *n = begin(state);
  if (!n) return heddle_scan_update(state, in, count, out);
  in = staging_in(in, count, n->in);
  out = staging_out(out, count, n->out);
  return staging_end(heddle_scan_update(state, in, count, out));
}

heddle_status staged_scan_finish(heddle_state *state, void *total) {
  const struct note *n = begin(state);
  if (!n) return heddle_scan_finish(state, total);
  return staging_end(heddle_scan_finish(state, staging_out(total, 1, n->out)));
}

heddle_status staged_histogram_begin(heddle_context *ctx, heddle_type type, const heddle_bins *bins,
                                     const heddle_histogram_options *options, heddle_state **out) {
  const heddle_status status = heddle_histogram_begin(ctx, type, bins, options, out);
  if (status != HEDDLE_OK) return status;
  const size_t channels = options && options->channels ? options->channels : 1;
  const size_t weight = options && options->weights_type ? data_size(options->weights_type) : 0;
  return remember(
      status, (struct note){NULL, ctx, data_size(type), channels * bins->count, channels, weight},
      out);
}

heddle_status staged_histogram_update(heddle_state *state, const void *in, const void *weights,
                                      size_t count) {
  const struct note *n = begin(state);
  if (!n) return heddle_histogram_update(state, in, weights, count);
  in = staging_in(in, count, n->in);
  weights = staging_in(weights, count, n->weight);
  return staging_end(heddle_histogram_update(state, in, weights, count));
}

heddle_status staged_histogram_finish(heddle_state *state, uint64_t *counts,
                                      heddle_histogram_result *result, double *sums) {
  const struct note *n = begin(state);
  if (!n) return heddle_histogram_finish(state, counts, result, sums);
  counts = staging_out(counts, n->out, sizeof *counts);
  sums = staging_out(sums, n->out, sizeof *sums);
  result = staging_sometimes(result, n->value, sizeof *result);
  return staging_end(heddle_histogram_finish(state, counts, result, sums));
}

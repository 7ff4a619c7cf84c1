/* weighed_calls.c - quantiles by weights of data that come in pieces: the entries
 *
 * Method   state/weighed.h. Weights are added on the calling thread; arrays of a device are copied to the host piece by
 *          piece. */
#include "api/rank/rank.h"
#include "weighed.h"

enum { PIECE = 1 << 16 }; /* elements that are copied, or added between polls */

heddle_status heddle_weighted_quantiles_begin(heddle_context *ctx, heddle_type type,
                                              const double *q, size_t q_count,
                                              const heddle_quantile_options *options,
                                              heddle_state **out) {
  static const char entry[] = "heddle_weighted_quantiles_begin";
  heddle_quantile_options given = HEDDLE_QUANTILE_OPTIONS_INIT;
  struct hd_quantiles job;
  const void *weights;
  heddle_state *state;
  HD_TRY(hd_check_context(entry, ctx));
  given.method = HEDDLE_QUANTILE_INVERTED_CDF;
  if (options) {
    const heddle_quantile_options defaults = given;
    HD_TRY(hd_check_size(entry, "options", options, sizeof given));
    hd_copy_sized(&given, options, &defaults, sizeof given);
  }
  given.weights = &given; /* there will be some: their type and the method are checked */
  HD_TRY(hd_quantile_job(entry, type, &given, &job, &weights));
  if (!out) return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `out` is NULL", entry);
  if (q_count > HD_WEIGHED_SHARES_MOST)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: %zu of `q` are asked for; a state has at most %d",
                   entry, q_count, (int)HD_WEIGHED_SHARES_MOST);
  HD_TRY(hd_check_wanted(entry, ctx, "q", q, q_count, sizeof *q));
  HD_TRY(hd_check_shares(entry, q, q_count));
  if (ctx->preparing)
    return hd_fail(HEDDLE_UNSUPPORTED,
                   "%s: `ctx` is being prepared, but what a pass is for follows from data; call it "
                   "before heddle_prepare_begin or after heddle_prepare_end",
                   entry);
  HD_TRY(hd_state_new(ctx, HD_STATE_WEIGHED, &state));
  const heddle_status status = hd_weighed_begin(ctx, &job, q, q_count, &state->weighed);
  if (status)
    heddle_state_free(state);
  else
    *out = state;
  return status;
}

/* ---- a pass ------------------------------------------------------------------------------------ */

static heddle_status check_pass(const char *entry, const struct hd_weighed *w, u64 count) {
  const u64 most = w->round ? w->total : HD_WEIGHED_ELEMENTS_MOST;
  if (w->done)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `state` takes no further pass: heddle_quantiles_round has said so; call "
                   "heddle_quantiles_finish",
                   entry);
  if (count <= most - w->seen) return HEDDLE_OK;
  return hd_fail(
      w->round ? HEDDLE_BAD_DATA : HEDDLE_BAD_ARGUMENT,
      "%s: this pass has %llu elements, %llu more come, and there are at most %llu; every "
      "pass has to be over all of the same data",
      entry, (unsigned long long)w->seen, (unsigned long long)count, (unsigned long long)most);
}

/* An array of the host's or a device's, a piece at a time. */
struct source {
  const char *array;
  size_t size, bytes;
  char *room; /* NULL: it is the host's */
};

static heddle_status open_source(heddle_context *ctx, struct source *s, const void *array,
                                 size_t size, size_t n) {
  *s = (struct source){array, size, (n < PIECE ? n : PIECE) * size, NULL};
  if (!hd_on_device(ctx, array)) return HEDDLE_OK;
  s->room = hd_allocate(ctx, s->bytes);
  return s->room ? HEDDLE_OK : HEDDLE_OUT_OF_MEMORY;
}

static heddle_status piece_of(heddle_context *ctx, const struct source *s, size_t first, size_t n,
                              const void **to) {
  *to = s->room ? s->room : s->array + first * s->size;
  if (!s->room) return HEDDLE_OK;
  HD_TRY(ctx->backend->copy(ctx, s->room, s->array + first * s->size, n * s->size));
  return ctx->backend->sync(ctx, true);
}

static void close_source(heddle_context *ctx, struct source *s) {
  if (s->room) hd_release(ctx, s->room, s->bytes);
}

static heddle_status add_pieces(heddle_context *ctx, struct hd_weighed *w, struct source *in,
                                struct source *weights, size_t n) {
  struct hd_cancellation token;
  hd_cancellation_start(&token, ctx);
  for (size_t i = 0, m; i < n && !hd_poll(&token); i += m) {
    const void *elements, *theirs;
    m = n - i < PIECE ? n - i : PIECE;
    HD_TRY(piece_of(ctx, in, i, m, &elements));
    HD_TRY(piece_of(ctx, weights, i, m, &theirs));
    HD_TRY(hd_weighed_add(ctx, w, elements, theirs, m));
  }
  return hd_cancellation_status(&token, w->job.sort.entry);
}

heddle_status heddle_weighted_quantiles_update(heddle_state *state, const void *in,
                                               const void *weights, size_t count) {
  static const char entry[] = "heddle_weighted_quantiles_update";
  HD_TRY(hd_check_state(entry, state, HD_STATE_WEIGHED));
  struct hd_weighed *w = state->weighed;
  const size_t size = heddle_type_size(w->job.type), weight = heddle_type_size(w->job.weights_type);
  struct source elements = {0}, theirs = {0};
  HD_TRY(hd_check_array(entry, "in", in, count, size));
  HD_TRY(hd_check_array(entry, "weights", weights, count, weight));
  HD_TRY(check_pass(entry, w, count));
  if (!count) return HEDDLE_OK;
  unsigned long saved = hd_float_enter();
  heddle_status status = open_source(state->ctx, &elements, in, size, count);
  if (!status) status = open_source(state->ctx, &theirs, weights, weight, count);
  if (!status) status = add_pieces(state->ctx, w, &elements, &theirs, count);
  close_source(state->ctx, &theirs);
  close_source(state->ctx, &elements);
  hd_float_leave(saved);
  state->failed = status != HEDDLE_OK;
  return status;
}

heddle_status hd_weighed_round(const char *entry, heddle_state *state, int *again) {
  HD_TRY(hd_check_state(entry, state, HD_STATE_WEIGHED));
  if (!again) return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `again` is NULL", entry);
  struct hd_weighed *w = state->weighed;
  if (!w->done) {
    const heddle_status status = hd_weighed_close(entry, state->ctx, w);
    state->failed = status != HEDDLE_OK;
    if (status) return status;
  }
  *again = !w->done;
  return HEDDLE_OK;
}

heddle_status hd_weighed_finish(const char *entry, heddle_state *state, f64 *out) {
  HD_TRY(hd_check_state(entry, state, HD_STATE_WEIGHED));
  const struct hd_weighed *w = state->weighed;
  heddle_context *ctx = state->ctx;
  const size_t bytes = w->q_count * sizeof *out;
  HD_TRY(hd_check_array(entry, "out", out, w->q_count, sizeof *out));
  if (!w->done)
    return hd_fail(
        HEDDLE_BAD_ARGUMENT,
        "%s: `state` is in its pass %u; end it by heddle_quantiles_round, and where that "
        "asks for another pass give it all data once more",
        entry, w->round + 1);
  if (!bytes) return HEDDLE_OK;
  const bool away = hd_on_device(ctx, out);
  f64 *values = away ? hd_allocate(ctx, bytes) : out;
  if (!values) return HEDDLE_OUT_OF_MEMORY;
  unsigned long saved = hd_float_enter();
  heddle_status status = hd_weighed_values(entry, w, values);
  hd_float_leave(saved);
  if (!status && away) status = ctx->backend->copy(ctx, out, values, bytes);
  if (!status && away) status = ctx->backend->sync(ctx, true);
  if (away) hd_release(ctx, values, bytes);
  return status;
}

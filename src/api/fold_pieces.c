/* fold_pieces.c - reduce, argreduce, dot and describe in pieces */
#include "fold.h"
#include "host/status.h"

static heddle_status check_start(heddle_context *ctx, const struct hd_fold *fold, u64 start) {
  if (!start || !ctx->preparing) return HEDDLE_OK;
  return hd_fail(
      HEDDLE_UNSUPPORTED,
      "%s: `options->start` is %llu while the context is being prepared; states that begin "
      "inside of an array wait for the device: leave them out",
      fold->entry, (unsigned long long)start);
}

heddle_status hd_state_begin_fold(heddle_context *ctx, const struct hd_fold *fold, u64 start,
                                  heddle_state **out) {
  heddle_state *state;
  HD_TRY(hd_fold_check_out(fold->entry, "out", out));
  HD_TRY(check_start(ctx, fold, start));
  HD_TRY(hd_state_new(ctx, HD_STATE_FOLD, &state));
  const heddle_status status = hd_fold_state_begin(ctx, &state->fold, fold, start);
  if (status)
    heddle_state_free(state);
  else
    *out = state;
  return status;
}

static heddle_status begin(const char *entry, heddle_context *ctx, heddle_verb verb, heddle_op op,
                           heddle_type type, const heddle_options *options, heddle_state **out) {
  struct hd_place place = {0, NULL};
  struct hd_fold fold;
  HD_TRY(hd_placed_job(entry, ctx, verb, op, type, options, &fold, &place));
  return hd_state_begin_fold(ctx, &fold, place.start, out);
}

heddle_status heddle_reduce_begin(heddle_context *ctx, heddle_op op, heddle_type type,
                                  const heddle_options *options, heddle_state **out) {
  HD_TRY(hd_check_context("heddle_reduce_begin", ctx));
  return begin("heddle_reduce_begin", ctx, HEDDLE_REDUCE, op, type, options, out);
}

heddle_status heddle_argreduce_begin(heddle_context *ctx, heddle_extreme which, heddle_type type,
                                     const heddle_options *options, heddle_state **out) {
  const char *entry = "heddle_argreduce_begin";
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_fold_check_extreme(entry, which));
  return begin(entry, ctx, HEDDLE_ARGREDUCE, hd_fold_extreme_op(which), type, options, out);
}

heddle_status heddle_dot_begin(heddle_context *ctx, heddle_type type, const heddle_options *options,
                               heddle_state **out) {
  HD_TRY(hd_check_context("heddle_dot_begin", ctx));
  return begin("heddle_dot_begin", ctx, HEDDLE_DOT, HEDDLE_SUM, type, options, out);
}

heddle_status heddle_describe_begin(heddle_context *ctx, heddle_type type,
                                    const heddle_options *options, heddle_state **out) {
  HD_TRY(hd_check_context("heddle_describe_begin", ctx));
  return begin("heddle_describe_begin", ctx, HEDDLE_DESCRIBE, HEDDLE_SUM, type, options, out);
}

static heddle_status check_verb(const char *entry, const heddle_state *state, enum hd_verb verb) {
  HD_TRY(hd_check_state(entry, state, HD_STATE_FOLD));
  if (state->fold.fold.verb != verb)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `state` was begun by another verb", entry);
  return HEDDLE_OK;
}

static heddle_status update(const char *entry, heddle_state *state, const void *x, const void *y,
                            size_t count) {
  unsigned long saved = hd_float_enter();
  const heddle_status status = hd_fold_state_update(state->ctx, &state->fold, entry, x, y, count);
  hd_float_leave(saved);
  state->failed = status != HEDDLE_OK;
  return status;
}

static heddle_status update_one(const char *entry, enum hd_verb verb, heddle_state *state,
                                const void *in, size_t count) {
  HD_TRY(check_verb(entry, state, verb));
  HD_TRY(hd_check_array(entry, "in", in, count, hd_fold_element_bytes(&state->fold.fold)));
  return update(entry, state, in, NULL, count);
}

heddle_status heddle_reduce_update(heddle_state *state, const void *in, size_t count) {
  return update_one("heddle_reduce_update", HD_REDUCE, state, in, count);
}

heddle_status heddle_argreduce_update(heddle_state *state, const void *in, size_t count) {
  return update_one("heddle_argreduce_update", HD_ARGREDUCE, state, in, count);
}

heddle_status heddle_describe_update(heddle_state *state, const void *in, size_t count) {
  return update_one("heddle_describe_update", HD_DESCRIBE, state, in, count);
}

heddle_status heddle_dot_update(heddle_state *state, const void *x, const void *y, size_t count) {
  HD_TRY(check_verb("heddle_dot_update", state, HD_DOT));
  HD_TRY(
      hd_check_array("heddle_dot_update", "x", x, count, hd_fold_element_bytes(&state->fold.fold)));
  HD_TRY(
      hd_check_array("heddle_dot_update", "y", y, count, hd_fold_element_bytes(&state->fold.fold)));
  return update("heddle_dot_update", state, x, y, count);
}

static heddle_status finish(const char *entry, heddle_state *state, struct hd_fold_out out) {
  unsigned long saved = hd_float_enter();
  const heddle_status status = hd_fold_state_finish(state->ctx, &state->fold, entry, out);
  hd_float_leave(saved);
  return status;
}

heddle_status heddle_reduce_finish(heddle_state *state, void *out) {
  HD_TRY(check_verb("heddle_reduce_finish", state, HD_REDUCE));
  HD_TRY(hd_fold_check_out("heddle_reduce_finish", "out", out));
  return finish("heddle_reduce_finish", state, (struct hd_fold_out){out, NULL, NULL});
}

heddle_status heddle_argreduce_finish(heddle_state *state, void *value, uint64_t *index) {
  HD_TRY(check_verb("heddle_argreduce_finish", state, HD_ARGREDUCE));
  HD_TRY(hd_fold_check_pair("heddle_argreduce_finish", state->fold.fold.type, value, index));
  return finish("heddle_argreduce_finish", state, (struct hd_fold_out){value, index, NULL});
}

heddle_status heddle_dot_finish(heddle_state *state, void *out) {
  HD_TRY(check_verb("heddle_dot_finish", state, HD_DOT));
  HD_TRY(hd_fold_check_out("heddle_dot_finish", "out", out));
  return finish("heddle_dot_finish", state, (struct hd_fold_out){out, NULL, NULL});
}

heddle_status heddle_describe_finish(heddle_state *state, heddle_description *out) {
  HD_TRY(check_verb("heddle_describe_finish", state, HD_DESCRIBE));
  if (hd_on_device(state->ctx, out))
    return finish("heddle_describe_finish", state, (struct hd_fold_out){NULL, NULL, out});
  HD_TRY(hd_check_size("heddle_describe_finish", "out", out, sizeof *out));
  heddle_description known;
  HD_TRY(finish("heddle_describe_finish", state, (struct hd_fold_out){NULL, NULL, &known}));
  if (!state->ctx->preparing) hd_return_sized(out, &known, sizeof known);
  return HEDDLE_OK;
}

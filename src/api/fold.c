/* fold.c - reduce, argreduce, dot and describe: one array, or in pieces */
#include "api.h"
#include "host/status.h"
#include "order/moments.h"
#include "overlap.h"

static size_t element_bytes(const struct hd_fold *fold) {
  return fold->custom ? fold->custom->element_bytes : heddle_type_size(fold->type);
}

static heddle_status check_out(const char *entry, const char *what, const void *out) {
  if (out) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `%s` is NULL", entry, what);
}

/* Both results of argreduce are written at the end, but not over one another. */
static heddle_status check_pair(const char *entry, heddle_type type, const void *value,
                                const u64 *index) {
  HD_TRY(check_out(entry, "index", index));
  const struct hd_span outs[] = {{"index", index, sizeof *index},
                                 {"value", value, heddle_type_size(type)}};
  return hd_check_apart(entry, outs, 2, NULL, 0);
}

static heddle_op extreme_op(heddle_extreme which) {
  return which == HEDDLE_ARGMIN ? HEDDLE_MIN : which == HEDDLE_ARGMAX ? HEDDLE_MAX : (heddle_op)-1;
}

static heddle_status check_extreme(const char *entry, heddle_extreme which) {
  if (which == HEDDLE_ARGMIN || which == HEDDLE_ARGMAX) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `which` %d is neither HEDDLE_ARGMIN nor HEDDLE_ARGMAX",
                 entry, (int)which);
}

static heddle_status run(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                         const void *y, size_t count, struct hd_fold_out out) {
  unsigned long saved = hd_float_enter();
  heddle_status status = fold->exact ? ctx->backend->exact(ctx, fold, x, y, count, out)
                                     : ctx->backend->fold(ctx, fold, x, y, count, out);
  hd_float_leave(saved);
  return status;
}

heddle_status heddle_reduce(heddle_context *ctx, heddle_op op, heddle_type type, const void *in,
                            size_t count, void *out, const heddle_options *options) {
  struct hd_fold fold;
  HD_TRY(hd_check_context("heddle_reduce", ctx));
  HD_TRY(hd_fold_job("heddle_reduce", ctx, HEDDLE_REDUCE, op, type, options, &fold));
  HD_TRY(hd_check_array("heddle_reduce", "in", in, count, element_bytes(&fold)));
  HD_TRY(check_out("heddle_reduce", "out", out));
  return run(ctx, &fold, in, NULL, count, (struct hd_fold_out){out, NULL, NULL});
}

heddle_status heddle_argreduce(heddle_context *ctx, heddle_extreme which, heddle_type type,
                               const void *in, size_t count, void *value, uint64_t *index,
                               const heddle_options *options) {
  struct hd_fold fold;
  HD_TRY(hd_check_context("heddle_argreduce", ctx));
  HD_TRY(check_extreme("heddle_argreduce", which));
  HD_TRY(hd_fold_job("heddle_argreduce", ctx, HEDDLE_ARGREDUCE, extreme_op(which), type, options,
                     &fold));
  HD_TRY(hd_check_array("heddle_argreduce", "in", in, count, element_bytes(&fold)));
  HD_TRY(check_pair("heddle_argreduce", type, value, index));
  return run(ctx, &fold, in, NULL, count, (struct hd_fold_out){value, index, NULL});
}

heddle_status heddle_dot(heddle_context *ctx, heddle_type type, const void *x, const void *y,
                         size_t count, void *out, const heddle_options *options) {
  struct hd_fold fold;
  HD_TRY(hd_check_context("heddle_dot", ctx));
  HD_TRY(hd_fold_job("heddle_dot", ctx, HEDDLE_DOT, HEDDLE_SUM, type, options, &fold));
  HD_TRY(hd_check_array("heddle_dot", "x", x, count, element_bytes(&fold)));
  HD_TRY(hd_check_array("heddle_dot", "y", y, count, element_bytes(&fold)));
  HD_TRY(check_out("heddle_dot", "out", out));
  return run(ctx, &fold, x, y, count, (struct hd_fold_out){out, NULL, NULL});
}

heddle_status heddle_describe(heddle_context *ctx, heddle_type type, const void *in, size_t count,
                              heddle_description *out, const heddle_options *options) {
  struct hd_fold fold;
  HD_TRY(hd_check_context("heddle_describe", ctx));
  HD_TRY(hd_fold_job("heddle_describe", ctx, HEDDLE_DESCRIBE, HEDDLE_SUM, type, options, &fold));
  HD_TRY(hd_check_array("heddle_describe", "in", in, count, element_bytes(&fold)));
  if (hd_on_device(ctx, out))
    return run(ctx, &fold, in, NULL, count, (struct hd_fold_out){NULL, NULL, out});
  HD_TRY(hd_check_size("heddle_describe", "out", out, sizeof *out));
  heddle_description known;
  HD_TRY(run(ctx, &fold, in, NULL, count, (struct hd_fold_out){NULL, NULL, &known}));
  if (!ctx->preparing) hd_return_sized(out, &known, sizeof known);
  return HEDDLE_OK;
}

/* ---- one figure ---------------------------------------------------------------------------- */

static f64 figure_of(const heddle_description *d, heddle_figures asked, f64 ddof) {
  if (asked == HEDDLE_FIGURES_MEAN) return d->mean;
  if (d->infinite) return hd_f64_of_bits(HD_NAN_F64);
  const f64 variance = hd_variance_of(d->variance, (f64)(d->count - d->nan), ddof);
  return asked == HEDDLE_FIGURES_DEVIATION ? hd_sqrt(variance) : variance;
}

heddle_status heddle_figure(heddle_context *ctx, heddle_type type, const void *in, size_t count,
                            void *out, const heddle_options *options) {
  const char *entry = "heddle_figure";
  struct hd_fold fold;
  heddle_figures asked;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_figure_job(entry, ctx, type, options, &fold, &asked));
  HD_TRY(hd_check_array(entry, "in", in, count, element_bytes(&fold)));
  HD_TRY(check_out(entry, "out", out));
  if (fold.verb == HD_FIGURE)
    return run(ctx, &fold, in, NULL, count, (struct hd_fold_out){out, NULL, NULL});
  heddle_description known;
  HD_TRY(run(ctx, &fold, in, NULL, count, (struct hd_fold_out){NULL, NULL, &known}));
  if (ctx->preparing) return HEDDLE_OK;
  const f64 figure = hd_canonical_f64(figure_of(&known, asked, fold.divisor));
  return heddle_convert(HEDDLE_F64, &figure, fold.out_type, out, 1);
}

/* ---- in pieces ----------------------------------------------------------------------------- */

static heddle_status begin(heddle_context *ctx, const struct hd_fold *fold, heddle_state **out) {
  HD_TRY(check_out(fold->entry, "out", out));
  heddle_state *state;
  HD_TRY(hd_state_new(ctx, HD_STATE_FOLD, &state));
  heddle_status status = fold->exact ? ctx->backend->exact_begin(ctx, fold, &state->inner)
                                     : ctx->backend->fold_begin(ctx, fold, &state->inner);
  if (status) {
    heddle_state_free(state);
    return status;
  }
  state->verb = fold->verb;
  state->exact = fold->exact;
  state->type = fold->type;
  state->in_bytes = element_bytes(fold);
  *out = state;
  return HEDDLE_OK;
}

heddle_status heddle_reduce_begin(heddle_context *ctx, heddle_op op, heddle_type type,
                                  const heddle_options *options, heddle_state **out) {
  struct hd_fold fold;
  HD_TRY(hd_check_context("heddle_reduce_begin", ctx));
  HD_TRY(hd_fold_job("heddle_reduce_begin", ctx, HEDDLE_REDUCE, op, type, options, &fold));
  return begin(ctx, &fold, out);
}

heddle_status heddle_argreduce_begin(heddle_context *ctx, heddle_extreme which, heddle_type type,
                                     const heddle_options *options, heddle_state **out) {
  struct hd_fold fold;
  HD_TRY(hd_check_context("heddle_argreduce_begin", ctx));
  HD_TRY(check_extreme("heddle_argreduce_begin", which));
  HD_TRY(hd_fold_job("heddle_argreduce_begin", ctx, HEDDLE_ARGREDUCE, extreme_op(which), type,
                     options, &fold));
  return begin(ctx, &fold, out);
}

heddle_status heddle_dot_begin(heddle_context *ctx, heddle_type type, const heddle_options *options,
                               heddle_state **out) {
  struct hd_fold fold;
  HD_TRY(hd_check_context("heddle_dot_begin", ctx));
  HD_TRY(hd_fold_job("heddle_dot_begin", ctx, HEDDLE_DOT, HEDDLE_SUM, type, options, &fold));
  return begin(ctx, &fold, out);
}

heddle_status heddle_describe_begin(heddle_context *ctx, heddle_type type,
                                    const heddle_options *options, heddle_state **out) {
  struct hd_fold fold;
  HD_TRY(hd_check_context("heddle_describe_begin", ctx));
  HD_TRY(
      hd_fold_job("heddle_describe_begin", ctx, HEDDLE_DESCRIBE, HEDDLE_SUM, type, options, &fold));
  return begin(ctx, &fold, out);
}

static heddle_status check_verb(const char *entry, const heddle_state *state, enum hd_verb verb) {
  HD_TRY(hd_check_state(entry, state, HD_STATE_FOLD));
  if (state->verb != verb)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `state` was begun by another verb", entry);
  return HEDDLE_OK;
}

static heddle_status update(heddle_state *state, const void *x, const void *y, size_t count) {
  unsigned long saved = hd_float_enter();
  const struct hd_backend *backend = state->ctx->backend;
  heddle_status status = state->exact ? backend->exact_update(state->inner, x, y, count)
                                      : backend->fold_update(state->inner, x, y, count);
  hd_float_leave(saved);
  state->failed = status != HEDDLE_OK;
  return status;
}

static heddle_status update_one(const char *entry, enum hd_verb verb, heddle_state *state,
                                const void *in, size_t count) {
  HD_TRY(check_verb(entry, state, verb));
  HD_TRY(hd_check_array(entry, "in", in, count, state->in_bytes));
  return update(state, in, NULL, count);
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
  HD_TRY(hd_check_array("heddle_dot_update", "x", x, count, state->in_bytes));
  HD_TRY(hd_check_array("heddle_dot_update", "y", y, count, state->in_bytes));
  return update(state, x, y, count);
}

static heddle_status finish(heddle_state *state, struct hd_fold_out out) {
  unsigned long saved = hd_float_enter();
  const struct hd_backend *backend = state->ctx->backend;
  heddle_status status = state->exact ? backend->exact_finish(state->inner, out)
                                      : backend->fold_finish(state->inner, out);
  hd_float_leave(saved);
  return status;
}

heddle_status heddle_reduce_finish(heddle_state *state, void *out) {
  HD_TRY(check_verb("heddle_reduce_finish", state, HD_REDUCE));
  HD_TRY(check_out("heddle_reduce_finish", "out", out));
  return finish(state, (struct hd_fold_out){out, NULL, NULL});
}

heddle_status heddle_argreduce_finish(heddle_state *state, void *value, uint64_t *index) {
  HD_TRY(check_verb("heddle_argreduce_finish", state, HD_ARGREDUCE));
  HD_TRY(check_pair("heddle_argreduce_finish", state->type, value, index));
  return finish(state, (struct hd_fold_out){value, index, NULL});
}

heddle_status heddle_dot_finish(heddle_state *state, void *out) {
  HD_TRY(check_verb("heddle_dot_finish", state, HD_DOT));
  HD_TRY(check_out("heddle_dot_finish", "out", out));
  return finish(state, (struct hd_fold_out){out, NULL, NULL});
}

heddle_status heddle_describe_finish(heddle_state *state, heddle_description *out) {
  HD_TRY(check_verb("heddle_describe_finish", state, HD_DESCRIBE));
  if (hd_on_device(state->ctx, out)) return finish(state, (struct hd_fold_out){NULL, NULL, out});
  HD_TRY(hd_check_size("heddle_describe_finish", "out", out, sizeof *out));
  heddle_description known;
  HD_TRY(finish(state, (struct hd_fold_out){NULL, NULL, &known}));
  if (!state->ctx->preparing) hd_return_sized(out, &known, sizeof known);
  return HEDDLE_OK;
}

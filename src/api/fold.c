/* fold.c - reduce, argreduce, dot and describe of one array */
#include "fold.h"
#include "host/status.h"
#include "order/moments.h"
#include "overlap.h"

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
  HD_TRY(hd_check_array("heddle_reduce", "in", in, count, hd_fold_element_bytes(&fold)));
  HD_TRY(hd_fold_check_out("heddle_reduce", "out", out));
  return run(ctx, &fold, in, NULL, count, (struct hd_fold_out){out, NULL, NULL});
}

heddle_status heddle_argreduce(heddle_context *ctx, heddle_extreme which, heddle_type type,
                               const void *in, size_t count, void *value, uint64_t *index,
                               const heddle_options *options) {
  struct hd_fold fold;
  HD_TRY(hd_check_context("heddle_argreduce", ctx));
  HD_TRY(hd_fold_check_extreme("heddle_argreduce", which));
  HD_TRY(hd_fold_job("heddle_argreduce", ctx, HEDDLE_ARGREDUCE, hd_fold_extreme_op(which), type,
                     options, &fold));
  HD_TRY(hd_check_array("heddle_argreduce", "in", in, count, hd_fold_element_bytes(&fold)));
  HD_TRY(hd_fold_check_pair("heddle_argreduce", type, value, index));
  return run(ctx, &fold, in, NULL, count, (struct hd_fold_out){value, index, NULL});
}

heddle_status heddle_dot(heddle_context *ctx, heddle_type type, const void *x, const void *y,
                         size_t count, void *out, const heddle_options *options) {
  struct hd_fold fold;
  HD_TRY(hd_check_context("heddle_dot", ctx));
  HD_TRY(hd_fold_job("heddle_dot", ctx, HEDDLE_DOT, HEDDLE_SUM, type, options, &fold));
  HD_TRY(hd_check_array("heddle_dot", "x", x, count, hd_fold_element_bytes(&fold)));
  HD_TRY(hd_check_array("heddle_dot", "y", y, count, hd_fold_element_bytes(&fold)));
  HD_TRY(hd_fold_check_out("heddle_dot", "out", out));
  return run(ctx, &fold, x, y, count, (struct hd_fold_out){out, NULL, NULL});
}

heddle_status heddle_describe(heddle_context *ctx, heddle_type type, const void *in, size_t count,
                              heddle_description *out, const heddle_options *options) {
  struct hd_fold fold;
  HD_TRY(hd_check_context("heddle_describe", ctx));
  HD_TRY(hd_fold_job("heddle_describe", ctx, HEDDLE_DESCRIBE, HEDDLE_SUM, type, options, &fold));
  HD_TRY(hd_check_array("heddle_describe", "in", in, count, hd_fold_element_bytes(&fold)));
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

/* A group shares an array of the host by totals of describe, which a device's one figure has not. */
static void share_figure(heddle_context *ctx, const void *in, const void *out,
                         struct hd_fold *fold) {
  if (fold->verb != HD_FIGURE || !ctx->backend->spread) return;
  if (hd_on_device(ctx, in) || hd_on_device(ctx, out)) return;
  fold->verb = HD_DESCRIBE;
  if (fold->figures == HEDDLE_FIGURES_DEVIATION) fold->figures = HEDDLE_FIGURES_VARIANCE;
}

heddle_status heddle_figure(heddle_context *ctx, heddle_type type, const void *in, size_t count,
                            void *out, const heddle_options *options) {
  const char *entry = "heddle_figure";
  struct hd_fold fold;
  heddle_figures asked;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_figure_job(entry, ctx, type, options, &fold, &asked));
  HD_TRY(hd_check_array(entry, "in", in, count, hd_fold_element_bytes(&fold)));
  HD_TRY(hd_fold_check_out(entry, "out", out));
  share_figure(ctx, in, out, &fold);
  if (fold.verb == HD_FIGURE)
    return run(ctx, &fold, in, NULL, count, (struct hd_fold_out){out, NULL, NULL});
  heddle_description known;
  HD_TRY(run(ctx, &fold, in, NULL, count, (struct hd_fold_out){NULL, NULL, &known}));
  if (ctx->preparing) return HEDDLE_OK;
  const f64 figure = hd_canonical_f64(figure_of(&known, asked, fold.divisor));
  return heddle_convert(HEDDLE_F64, &figure, fold.out_type, out, 1);
}

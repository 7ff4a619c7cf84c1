/* api_fold_rows.c - reduce, argreduce, dot and describe once a row */
#include "api.h"
#include "status.h"

/* The array is there if any row has elements; so are the results if there are rows. */
static heddle_status check_rows(heddle_context *ctx, const struct hd_fold *fold, const char *what,
                                const void *in, const heddle_rows *rows) {
  size_t bytes = fold->custom ? fold->custom->element_bytes : heddle_type_size(fold->type);
  size_t count, end;
  if (rows->offsets)
    hd_offsets_count(ctx, rows, &end, &count);
  else
    (void)hd_shape_count(rows, &count);
  return hd_check_array(fold->entry, what, in, count, bytes);
}

static bool has_rows(const heddle_rows *rows) {
  if (rows->offsets) return rows->segments > 0;
  for (size_t d = 0; d < rows->dims; d++)
    if (d != rows->axis && !rows->shape[d]) return false;
  return true;
}

static heddle_status check_out(const char *entry, const char *what, const void *out,
                               const heddle_rows *rows) {
  if (out || !has_rows(rows)) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `%s` is NULL", entry, what);
}

static heddle_status run(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                         const void *y, const heddle_rows *rows, struct hd_fold_out out) {
  unsigned long saved = hd_float_enter();
  heddle_status status = ctx->backend->fold_rows(ctx, fold, x, y, rows, out);
  hd_float_leave(saved);
  return status;
}

heddle_status heddle_reduce_rows(heddle_context *ctx, heddle_op op, heddle_type type,
                                 const void *in, const heddle_rows *rows, void *out,
                                 const heddle_options *options) {
  const char *entry = "heddle_reduce_rows";
  struct hd_fold fold;
  heddle_rows copy;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_fold_job(entry, ctx, HD_REDUCE, op, type, options, &fold));
  HD_TRY(hd_check_rows(entry, ctx, rows, &copy));
  HD_TRY(check_rows(ctx, &fold, "in", in, &copy));
  HD_TRY(check_out(entry, "out", out, &copy));
  return run(ctx, &fold, in, NULL, &copy, (struct hd_fold_out){out, NULL, NULL});
}

heddle_status heddle_argreduce_rows(heddle_context *ctx, heddle_extreme which, heddle_type type,
                                    const void *in, const heddle_rows *rows, void *value,
                                    uint64_t *index, const heddle_options *options) {
  const char *entry = "heddle_argreduce_rows";
  struct hd_fold fold;
  heddle_rows copy;
  HD_TRY(hd_check_context(entry, ctx));
  if (which != HEDDLE_ARGMIN && which != HEDDLE_ARGMAX)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `which` %d is neither HEDDLE_ARGMIN nor HEDDLE_ARGMAX",
                   entry, (int)which);
  heddle_op op = which == HEDDLE_ARGMIN ? HEDDLE_MIN : HEDDLE_MAX;
  HD_TRY(hd_fold_job(entry, ctx, HD_ARGREDUCE, op, type, options, &fold));
  HD_TRY(hd_check_rows(entry, ctx, rows, &copy));
  HD_TRY(check_rows(ctx, &fold, "in", in, &copy));
  HD_TRY(check_out(entry, "index", index, &copy));
  return run(ctx, &fold, in, NULL, &copy, (struct hd_fold_out){value, index, NULL});
}

heddle_status heddle_dot_rows(heddle_context *ctx, heddle_type type, const void *x, const void *y,
                              const heddle_rows *rows, void *out, const heddle_options *options) {
  const char *entry = "heddle_dot_rows";
  struct hd_fold fold;
  heddle_rows copy;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_fold_job(entry, ctx, HD_DOT, HEDDLE_SUM, type, options, &fold));
  HD_TRY(hd_check_rows(entry, ctx, rows, &copy));
  HD_TRY(check_rows(ctx, &fold, "x", x, &copy));
  HD_TRY(check_rows(ctx, &fold, "y", y, &copy));
  HD_TRY(check_out(entry, "out", out, &copy));
  return run(ctx, &fold, x, y, &copy, (struct hd_fold_out){out, NULL, NULL});
}

heddle_status heddle_describe_rows(heddle_context *ctx, heddle_type type, const void *in,
                                   const heddle_rows *rows, heddle_description *out,
                                   const heddle_options *options) {
  const char *entry = "heddle_describe_rows";
  struct hd_fold fold;
  heddle_rows copy;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_fold_job(entry, ctx, HD_DESCRIBE, HEDDLE_SUM, type, options, &fold));
  HD_TRY(hd_check_rows(entry, ctx, rows, &copy));
  HD_TRY(check_rows(ctx, &fold, "in", in, &copy));
  HD_TRY(check_out(entry, "out", out, &copy));
  if (has_rows(&copy) && !hd_on_device(ctx, out) && out->size != sizeof *out)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `out->size` is %zu, but the rows' results are %zu bytes apart; set it in "
                   "the first one",
                   entry, out->size, sizeof *out);
  return run(ctx, &fold, in, NULL, &copy, (struct hd_fold_out){NULL, NULL, out});
}

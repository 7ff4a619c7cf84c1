/* fold_rows.c - reduce, argreduce, dot and describe once a row */
#include "api.h"
#include "host/status.h"
#include "overlap.h"

/* What a call reads and writes, for the checks that its arrays are there and apart. */
struct row_call {
  heddle_context *ctx;
  const struct hd_fold *fold;
  const heddle_rows *rows;
  struct hd_span ins[8];
  size_t in_count;
};

static size_t element_bytes(const struct hd_fold *fold) {
  return fold->custom ? fold->custom->element_bytes : heddle_type_size(fold->type);
}
static size_t value_bytes(const struct hd_fold *fold) {
  if (fold->custom || fold->verb == HD_ARGREDUCE) return element_bytes(fold);
  return heddle_type_size(fold->out_type);
}

static void reads(struct row_call *call, const char *name, const void *start, size_t bytes) {
  call->ins[call->in_count++] = (struct hd_span){name, start, bytes};
}

/* What every such call reads besides its arrays. */
static struct row_call row_call(heddle_context *ctx, const struct hd_fold *fold,
                                const heddle_rows *rows) {
  struct row_call call = {.ctx = ctx, .fold = fold, .rows = rows};
  if (rows->offsets) {
    reads(&call, "rows->offsets", rows->offsets, (rows->segments + 1) * sizeof *rows->offsets);
  } else {
    reads(&call, "rows->shape", rows->shape, rows->dims * sizeof *rows->shape);
    reads(&call, "rows->strides", rows->strides, rows->dims * sizeof *rows->strides);
  }
  reads(&call, "options->init", fold->init, value_bytes(fold));
  if (fold->custom)
    reads(&call, "options->custom->identity", fold->custom->identity, element_bytes(fold));
  return call;
}

/* The array is there if any row has elements. */
static heddle_status check_in(struct row_call *call, const char *name, const void *in) {
  const size_t bytes = element_bytes(call->fold);
  size_t count, end;
  if (!call->rows->offsets) {
    (void)hd_shape_count(call->rows, &count);
    return hd_check_array(call->fold->entry, name, in, count, bytes);
  }
  hd_offsets_count(call->ctx, call->rows, &end, &count);
  if (!count) return HEDDLE_OK;
  HD_TRY(hd_check_array(call->fold->entry, name, in, end, bytes));
  if (!hd_on_device(call->ctx, call->rows->offsets))
    reads(call, name, (const char *)in + (end - count) * bytes, count * bytes);
  return HEDDLE_OK;
}

/* Rows are finished in any order, so no result may lie where another row is still read. */
static heddle_status check_strided(const struct row_call *call, const char *name, const void *in,
                                   const struct hd_span *out) {
  size_t count;
  if (call->rows->offsets || !in) return HEDDLE_OK;
  (void)hd_shape_count(call->rows, &count);
  if (!count || !hd_rows_touch(call->rows, in, element_bytes(call->fold), out)) return HEDDLE_OK;
  return hd_overlap(call->fold->entry, out->name, name);
}

/* Results are there if there are rows, and apart from what is read. */
static heddle_status check_outs(const struct row_call *call, const void *x, const void *y,
                                const struct hd_fold_out *out) {
  const size_t rows = hd_rows_count(call->rows), value = value_bytes(call->fold);
  const bool arg = call->fold->verb == HD_ARGREDUCE;
  const bool describe = call->fold->verb == HD_DESCRIBE && !out->value;
  const char *entry = call->fold->entry, *first = y ? "x" : "in";
  const char *name = arg ? "index" : "out";
  const void *main = arg ? out->index : describe ? (void *)out->description : out->value;
  const size_t bytes = arg ? sizeof *out->index : describe ? sizeof *out->description : value;
  HD_TRY(hd_check_array(entry, name, main, rows, bytes));
  if (arg && out->value) HD_TRY(hd_check_array(entry, "value", out->value, rows, value));
  const struct hd_span outs[] = {{name, main, rows * bytes},
                                 {"value", arg ? out->value : NULL, arg ? rows * value : 0}};
  HD_TRY(hd_check_apart(entry, outs, 2, call->ins, call->in_count));
  for (size_t i = 0; i < 2; i++) {
    HD_TRY(check_strided(call, first, x, &outs[i]));
    HD_TRY(check_strided(call, "y", y, &outs[i]));
  }
  return HEDDLE_OK;
}

static heddle_status run(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                         const void *y, const heddle_rows *rows, struct hd_fold_out out) {
  struct row_call call = row_call(ctx, fold, rows);
  HD_TRY(check_in(&call, fold->verb == HD_DOT ? "x" : "in", x));
  if (fold->verb == HD_DOT) HD_TRY(check_in(&call, "y", y));
  HD_TRY(check_outs(&call, x, y, &out));
  unsigned long saved = hd_float_enter();
  heddle_status status = fold->exact ? ctx->backend->exact_rows(ctx, fold, x, y, rows, out)
                                     : ctx->backend->fold_rows(ctx, fold, x, y, rows, out);
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
  HD_TRY(hd_fold_job(entry, ctx, HEDDLE_REDUCE, op, type, options, &fold));
  HD_TRY(hd_check_rows(entry, ctx, rows, element_bytes(&fold), &copy));
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
  HD_TRY(hd_fold_job(entry, ctx, HEDDLE_ARGREDUCE, op, type, options, &fold));
  HD_TRY(hd_check_rows(entry, ctx, rows, element_bytes(&fold), &copy));
  return run(ctx, &fold, in, NULL, &copy, (struct hd_fold_out){value, index, NULL});
}

heddle_status heddle_dot_rows(heddle_context *ctx, heddle_type type, const void *x, const void *y,
                              const heddle_rows *rows, void *out, const heddle_options *options) {
  const char *entry = "heddle_dot_rows";
  struct hd_fold fold;
  heddle_rows copy;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_fold_job(entry, ctx, HEDDLE_DOT, HEDDLE_SUM, type, options, &fold));
  HD_TRY(hd_check_rows(entry, ctx, rows, element_bytes(&fold), &copy));
  return run(ctx, &fold, x, y, &copy, (struct hd_fold_out){out, NULL, NULL});
}

heddle_status heddle_describe_rows(heddle_context *ctx, heddle_type type, const void *in,
                                   const heddle_rows *rows, heddle_description *out,
                                   const heddle_options *options) {
  const char *entry = "heddle_describe_rows";
  struct hd_fold fold;
  heddle_rows copy;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_fold_job(entry, ctx, HEDDLE_DESCRIBE, HEDDLE_SUM, type, options, &fold));
  HD_TRY(hd_check_rows(entry, ctx, rows, element_bytes(&fold), &copy));
  if (hd_rows_count(&copy) && out && !hd_on_device(ctx, out) && out->size != sizeof *out)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `out->size` is %zu, but the rows' results are %zu bytes apart; set it in "
                   "the first one",
                   entry, out->size, sizeof *out);
  return run(ctx, &fold, in, NULL, &copy, (struct hd_fold_out){NULL, NULL, out});
}

heddle_status heddle_figure_rows(heddle_context *ctx, heddle_type type, const void *in,
                                 const heddle_rows *rows, void *out,
                                 const heddle_options *options) {
  const char *entry = "heddle_figure_rows";
  struct hd_fold fold;
  heddle_figures asked;
  heddle_rows copy;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_figure_job(entry, ctx, type, options, &fold, &asked));
  const bool is_plain = asked == fold.figures && fold.divisor == 0 && fold.out_type == HEDDLE_F64;
  if (!ctx->backend->device && !is_plain)
    return hd_fail(HEDDLE_UNSUPPORTED,
                   "%s: a CPU finds means and variances without ddof, in f64; finish them yourself",
                   entry);
  HD_TRY(hd_check_rows(entry, ctx, rows, element_bytes(&fold), &copy));
  return run(ctx, &fold, in, NULL, &copy, (struct hd_fold_out){out, NULL, NULL});
}

/* api_scan.c - scan: one array, along rows, or in pieces */
#include "api.h"
#include "status.h"

static size_t in_bytes(const struct hd_fold *fold) {
  return fold->custom ? fold->custom->element_bytes : heddle_type_size(fold->type);
}
static size_t out_bytes(const struct hd_fold *fold) {
  return fold->custom ? fold->custom->element_bytes : heddle_type_size(fold->out_type);
}

/* The fold's job, but for the result's default type, which is the input's. */
static heddle_status scan_job(const char *entry, heddle_context *ctx, heddle_op op,
                              heddle_scan_kind kind, heddle_type type, const heddle_options *given,
                              struct hd_scan *scan) {
  static const heddle_options defaults = HEDDLE_OPTIONS_INIT;
  heddle_options options = defaults;
  if (kind != HEDDLE_INCLUSIVE && kind != HEDDLE_EXCLUSIVE)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `kind` %d is neither HEDDLE_INCLUSIVE nor HEDDLE_EXCLUSIVE", entry,
                   (int)kind);
  if (op == HEDDLE_ANY || op == HEDDLE_ALL)
    return hd_fail(HEDDLE_UNSUPPORTED,
                   "%s: %s has no running form; scan HEDDLE_OR or HEDDLE_AND of integers", entry,
                   hd_op_name(op));
  scan->kind = kind;
  HD_TRY(hd_fold_job(entry, ctx, HD_REDUCE, op, type, given, &scan->fold));
  if (given) hd_copy_sized(&options, given, &defaults, sizeof options);
  if (op != HEDDLE_OP_CUSTOM && options.out_type == HEDDLE_TYPE_DEFAULT) scan->fold.out_type = type;
  return HEDDLE_OK;
}

/* Both arrays are there; they are one array, element on element, or do not overlap. */
static heddle_status check_arrays(const char *entry, const void *in, size_t size, const void *out,
                                  size_t out_size, size_t count) {
  HD_TRY(hd_check_array(entry, "in", in, count, size));
  HD_TRY(hd_check_array(entry, "out", out, count, out_size));
  uintptr_t i = (uintptr_t)in, o = (uintptr_t)out;
  bool apart = i >= o ? i - o >= count * out_size : o - i >= count * size;
  if (!count || apart || (i == o && size == out_size)) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT,
                 "%s: `out` overlaps `in`; give an array of its own, or `in` itself if the types "
                 "have one size",
                 entry);
}

heddle_status heddle_scan(heddle_context *ctx, heddle_op op, heddle_scan_kind kind,
                          heddle_type type, const void *in, size_t count, void *out,
                          const heddle_options *options) {
  struct hd_scan scan;
  HD_TRY(hd_check_context("heddle_scan", ctx));
  HD_TRY(scan_job("heddle_scan", ctx, op, kind, type, options, &scan));
  HD_TRY(check_arrays("heddle_scan", in, in_bytes(&scan.fold), out, out_bytes(&scan.fold), count));
  if (!count) return HEDDLE_OK;
  unsigned long saved = hd_float_enter();
  heddle_status status = ctx->backend->scan(ctx, &scan, in, count, out);
  hd_float_leave(saved);
  return status;
}

heddle_status heddle_scan_rows(heddle_context *ctx, heddle_op op, heddle_scan_kind kind,
                               heddle_type type, const void *in, const heddle_rows *rows, void *out,
                               const heddle_options *options) {
  const char *entry = "heddle_scan_rows";
  struct hd_scan scan;
  heddle_rows copy;
  size_t count;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(scan_job(entry, ctx, op, kind, type, options, &scan));
  HD_TRY(hd_check_rows(entry, ctx, rows, &copy));
  const size_t size = in_bytes(&scan.fold), out_size = out_bytes(&scan.fold);
  if (copy.offsets) {
    size_t end;
    hd_offsets_count(ctx, &copy, &end, &count);
    HD_TRY(hd_check_array(entry, "in", in, end, size));
    HD_TRY(hd_check_array(entry, "out", out, end, out_size));
    if (count)
      HD_TRY(check_arrays(entry, (const char *)in + (end - count) * size, size,
                          (const char *)out + (end - count) * out_size, out_size, count));
  } else {
    (void)hd_shape_count(&copy, &count);
    HD_TRY(hd_check_array(entry, "in", in, count, size));
    HD_TRY(hd_check_array(entry, "out", out, count, out_size));
  }
  if (!count) return HEDDLE_OK;
  unsigned long saved = hd_float_enter();
  heddle_status status = ctx->backend->scan_rows(ctx, &scan, in, &copy, out);
  hd_float_leave(saved);
  return status;
}

/* ---- in pieces ----------------------------------------------------------------------------- */

heddle_status heddle_scan_begin(heddle_context *ctx, heddle_op op, heddle_scan_kind kind,
                                heddle_type type, const heddle_options *options,
                                heddle_state **out) {
  const char *entry = "heddle_scan_begin";
  struct hd_scan scan;
  heddle_state *state;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(scan_job(entry, ctx, op, kind, type, options, &scan));
  if (!out) return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `out` is NULL", entry);
  HD_TRY(hd_state_new(ctx, HD_STATE_SCAN, &state));
  heddle_status status = ctx->backend->scan_begin(ctx, &scan, &state->inner);
  if (status) {
    heddle_state_free(state);
    return status;
  }
  state->in_bytes = in_bytes(&scan.fold);
  state->out_bytes = out_bytes(&scan.fold);
  *out = state;
  return HEDDLE_OK;
}

heddle_status heddle_scan_update(heddle_state *state, const void *in, size_t count, void *out) {
  HD_TRY(hd_check_state("heddle_scan_update", state, HD_STATE_SCAN));
  HD_TRY(check_arrays("heddle_scan_update", in, state->in_bytes, out, state->out_bytes, count));
  unsigned long saved = hd_float_enter();
  heddle_status status = state->ctx->backend->scan_update(state->inner, in, count, out);
  hd_float_leave(saved);
  state->failed = status != HEDDLE_OK;
  return status;
}

heddle_status heddle_scan_finish(heddle_state *state, void *total) {
  HD_TRY(hd_check_state("heddle_scan_finish", state, HD_STATE_SCAN));
  if (!total) return hd_fail(HEDDLE_BAD_ARGUMENT, "heddle_scan_finish: `total` is NULL");
  unsigned long saved = hd_float_enter();
  heddle_status status = state->ctx->backend->scan_finish(state->inner, total);
  hd_float_leave(saved);
  return status;
}

/* scan.c - scan: one array, along rows, or in pieces */
#include "api.h"
#include "host/status.h"
#include "overlap.h"

static size_t in_bytes(const struct hd_fold *fold) {
  return fold->custom ? fold->custom->element_bytes : heddle_type_size(fold->type);
}
static size_t out_bytes(const struct hd_fold *fold) {
  return fold->custom ? fold->custom->element_bytes : heddle_type_size(fold->out_type);
}

heddle_status hd_check_scan_kind(const char *entry, heddle_scan_kind kind) {
  if (kind == HEDDLE_INCLUSIVE || kind == HEDDLE_EXCLUSIVE) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT,
                 "%s: `kind` %d is neither HEDDLE_INCLUSIVE nor HEDDLE_EXCLUSIVE", entry,
                 (int)kind);
}

/* prefix: options->prefix, of a call that has one; or NULL. */
static heddle_status scan_job(const char *entry, heddle_context *ctx, heddle_op op,
                              heddle_scan_kind kind, heddle_type type,
                              const heddle_options *options, struct hd_scan *scan,
                              const heddle_state **prefix) {
  struct hd_place place = {0, NULL};
  HD_TRY(hd_check_scan_kind(entry, kind));
  scan->kind = kind;
  if (!prefix) return hd_fold_job(entry, ctx, HEDDLE_SCAN, op, type, options, &scan->fold);
  HD_TRY(hd_placed_job(entry, ctx, HEDDLE_SCAN, op, type, options, &scan->fold, &place));
  *prefix = place.prefix;
  return hd_check_prefix(entry, &scan->fold, place.prefix);
}

static heddle_status overlap(const char *entry) {
  return hd_fail(HEDDLE_BAD_ARGUMENT,
                 "%s: `out` overlaps `in`; give an array of its own, or `in` itself if the types "
                 "have one size",
                 entry);
}

/* Both arrays are there; they are one array, element on element, or do not overlap. */
static heddle_status check_arrays(const char *entry, const void *in, size_t size, const void *out,
                                  size_t out_size, size_t count) {
  HD_TRY(hd_check_array(entry, "in", in, count, size));
  HD_TRY(hd_check_array(entry, "out", out, count, out_size));
  const struct hd_span from = {"in", in, count * size}, to = {"out", out, count * out_size};
  if ((in == out && size == out_size) || !hd_spans_touch(&from, &to)) return HEDDLE_OK;
  return overlap(entry);
}

/* The same of rows along an axis: `in` itself only where its elements lie as those of `out`. */
static heddle_status check_strided(const char *entry, const heddle_rows *rows, const void *in,
                                   size_t size, const void *out, size_t out_size, size_t count) {
  HD_TRY(hd_check_array(entry, "in", in, count, size));
  HD_TRY(hd_check_array(entry, "out", out, count, out_size));
  if (!count || (in == out && size == out_size && hd_rows_dense(rows))) return HEDDLE_OK;
  const struct hd_span to = {"out", out, count * out_size};
  return hd_rows_touch(rows, in, size, &to) ? overlap(entry) : HEDDLE_OK;
}

/* What is read while `out` is being written. */
static heddle_status check_operands(const char *entry, const struct hd_fold *fold,
                                    const heddle_rows *rows, const void *out, size_t count) {
  if (!fold->init && !fold->custom && !rows) return HEDDLE_OK;
  const struct hd_span to = {"out", out, count * out_bytes(fold)};
  const struct hd_span from[] = {
      {"options->init", fold->init, out_bytes(fold)},
      {"options->custom->identity", fold->custom ? fold->custom->identity : NULL, out_bytes(fold)},
      {"rows->offsets", rows ? rows->offsets : NULL,
       rows ? (rows->segments + 1) * sizeof *rows->offsets : 0},
      {"rows->shape", rows && !rows->offsets ? rows->shape : NULL,
       rows ? rows->dims * sizeof *rows->shape : 0},
      {"rows->strides", rows && !rows->offsets ? rows->strides : NULL,
       rows ? rows->dims * sizeof *rows->strides : 0}};
  return hd_check_apart(entry, &to, 1, from, sizeof from / sizeof *from);
}

heddle_status heddle_scan(heddle_context *ctx, heddle_op op, heddle_scan_kind kind,
                          heddle_type type, const void *in, size_t count, void *out,
                          const heddle_options *options) {
  const heddle_state *prefix;
  struct hd_scan scan;
  HD_TRY(hd_check_context("heddle_scan", ctx));
  HD_TRY(scan_job("heddle_scan", ctx, op, kind, type, options, &scan, &prefix));
  HD_TRY(check_arrays("heddle_scan", in, in_bytes(&scan.fold), out, out_bytes(&scan.fold), count));
  HD_TRY(check_operands("heddle_scan", &scan.fold, NULL, out, count));
  if (!count) return HEDDLE_OK;
  unsigned long saved = hd_float_enter();
  heddle_status status = prefix ? hd_scan_behind_prefix(ctx, &scan, prefix, in, count, out)
                                : ctx->backend->scan(ctx, &scan, in, count, out);
  hd_float_leave(saved);
  return status;
}

heddle_status heddle_scan_rows(heddle_context *ctx, heddle_op op, heddle_scan_kind kind,
                               heddle_type type, const void *in, const heddle_rows *rows, void *out,
                               const heddle_options *options) {
  const char *entry = "heddle_scan_rows";
  struct hd_scan scan;
  heddle_rows copy;
  size_t count, end = 0;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(scan_job(entry, ctx, op, kind, type, options, &scan, NULL));
  const size_t size = in_bytes(&scan.fold), out_size = out_bytes(&scan.fold);
  HD_TRY(hd_check_rows(entry, ctx, rows, size, &copy));
  if (copy.offsets) {
    hd_offsets_count(ctx, &copy, &end, &count);
    HD_TRY(hd_check_array(entry, "in", in, end, size));
    HD_TRY(hd_check_array(entry, "out", out, end, out_size));
    if (count)
      HD_TRY(check_arrays(entry, (const char *)in + (end - count) * size, size,
                          (const char *)out + (end - count) * out_size, out_size, count));
  } else {
    (void)hd_shape_count(&copy, &count);
    end = count;
    HD_TRY(check_strided(entry, &copy, in, size, out, out_size, count));
  }
  if (!count) return HEDDLE_OK;
  HD_TRY(check_operands(entry, &scan.fold, &copy, (const char *)out + (end - count) * out_size,
                        count));
  unsigned long saved = hd_float_enter();
  heddle_status status = ctx->backend->scan_rows(ctx, &scan, in, &copy, out);
  hd_float_leave(saved);
  return status;
}

/* ---- in pieces ----------------------------------------------------------------------------- */

heddle_status hd_state_begin_scan(const char *entry, heddle_context *ctx,
                                  const struct hd_fold *fold, heddle_scan_kind kind,
                                  heddle_state **out) {
  heddle_state *state;
  HD_TRY(hd_check_scan_kind(entry, kind));
  HD_TRY(hd_state_new(ctx, HD_STATE_SCAN, &state));
  state->scan = kind;
  heddle_status status = hd_fold_state_own(ctx, &state->fold, fold);
  const struct hd_scan scan = {kind, state->fold.fold};
  if (!status) status = ctx->backend->scan_begin(ctx, &scan, &state->inner);
  if (status)
    heddle_state_free(state);
  else
    *out = state;
  return status;
}

heddle_status heddle_scan_begin(heddle_context *ctx, heddle_op op, heddle_scan_kind kind,
                                heddle_type type, const heddle_options *options,
                                heddle_state **out) {
  const char *entry = "heddle_scan_begin";
  const heddle_state *prefix;
  heddle_state *state;
  struct hd_scan scan;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(scan_job(entry, ctx, op, kind, type, options, &scan, &prefix));
  if (!out) return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `out` is NULL", entry);
  HD_TRY(hd_state_begin_scan(entry, ctx, &scan.fold, kind, &state));
  unsigned long saved = hd_float_enter();
  const heddle_status status = prefix ? hd_state_resume_scan(state, prefix) : HEDDLE_OK;
  hd_float_leave(saved);
  if (status)
    heddle_state_free(state);
  else
    *out = state;
  return status;
}

heddle_status heddle_scan_update(heddle_state *state, const void *in, size_t count, void *out) {
  const char *entry = "heddle_scan_update";
  HD_TRY(hd_check_state(entry, state, HD_STATE_SCAN));
  const struct hd_fold *fold = &state->fold.fold;
  HD_TRY(check_arrays(entry, in, in_bytes(fold), out, out_bytes(fold), count));
  unsigned long saved = hd_float_enter();
  heddle_status status = state->ctx->backend->scan_update(state->inner, in, count, out);
  hd_float_leave(saved);
  state->failed = status != HEDDLE_OK;
  if (!status) state->count += count;
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

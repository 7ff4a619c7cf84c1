/* runs.c - runs of equal neighbours: where they are, and folds and scans of their values */
#include "api/api.h"
#include "api/fold.h"
#include "api/overlap.h"
#include "host/status.h"

/* ---- arrays ---------------------------------------------------------------------------------- */

static heddle_status check_key_type(const char *entry, heddle_type type) {
  if (hd_is_type(type)) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT,
                 "%s: `key_type` %d is not an element type; use HEDDLE_U8 to HEDDLE_F64", entry,
                 (int)type);
}

static heddle_status check_runs(const char *entry, const u64 *runs) {
  if (runs) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `runs` is NULL; give it room for one count", entry);
}

static heddle_status check_offsets(const char *entry, const u64 *offsets, size_t count) {
  size_t end, bytes;
  if (!offsets || (!__builtin_add_overflow(count, 1, &end) &&
                   hd_product(end, sizeof *offsets, &bytes) && bytes <= PTRDIFF_MAX))
    return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `offsets` of %zu elements are more than memory can hold",
                 entry, count);
}

/* Outputs lie apart from all else, but that keys_out, the first of them, may be the keys, the first of the
 * inputs, element on element. */
static heddle_status check_overlap(const char *entry, const struct hd_span *outs, size_t out_count,
                                   const struct hd_span *ins, size_t in_count) {
  const bool in_place = outs->start == ins->start;
  HD_TRY(hd_check_apart(entry, outs, out_count, ins + 1, in_count - 1));
  return hd_check_apart(entry, outs + in_place, out_count - in_place, ins, 1);
}

/* ---- runs ------------------------------------------------------------------------------------ */

heddle_status heddle_runs(heddle_context *ctx, heddle_type type, const void *in, size_t count,
                          void *keys_out, uint64_t *offsets, uint64_t *runs) {
  const char *entry = "heddle_runs";
  const struct hd_runs job = {entry, type};
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_check_type(entry, type));
  const size_t size = heddle_type_size(type);
  HD_TRY(hd_check_array(entry, "in", in, count, size));
  HD_TRY(check_offsets(entry, offsets, count));
  HD_TRY(check_runs(entry, runs));
  const struct hd_span from = {"in", in, count * size};
  const struct hd_span outs[] = {{"keys_out", keys_out, count * size},
                                 {"offsets", offsets, offsets ? (count + 1) * sizeof *offsets : 0},
                                 {"runs", runs, sizeof *runs}};
  HD_TRY(check_overlap(entry, outs, 3, &from, 1));
  unsigned long saved = hd_float_enter();
  heddle_status status = ctx->backend->runs(ctx, &job, in, count, keys_out, offsets, runs);
  hd_float_leave(saved);
  return status;
}

/* ---- by key ---------------------------------------------------------------------------------- */

heddle_status heddle_reduce_by_key(heddle_context *ctx, heddle_op op, heddle_type key_type,
                                   const void *keys, heddle_type type, const void *values,
                                   size_t count, void *keys_out, void *values_out, uint64_t *runs,
                                   const heddle_options *options) {
  const char *entry = "heddle_reduce_by_key";
  const struct hd_runs job = {entry, key_type};
  struct hd_fold fold;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(check_key_type(entry, key_type));
  HD_TRY(hd_fold_job(entry, ctx, HEDDLE_REDUCE, op, type, options, &fold));
  const size_t key = heddle_type_size(key_type), size = hd_fold_element_bytes(&fold);
  const size_t out_size = hd_fold_result_bytes(&fold);
  HD_TRY(hd_check_array(entry, "keys", keys, count, key));
  HD_TRY(hd_check_array(entry, "values", values, count, size));
  HD_TRY(hd_check_array(entry, "values_out", values_out, count, out_size));
  HD_TRY(check_runs(entry, runs));
  const struct hd_span ins[] = {
      {"keys", keys, count * key},
      {"values", values, count * size},
      {"options->init", fold.init, out_size},
      {"options->custom->identity", fold.custom ? fold.custom->identity : NULL, size}};
  const struct hd_span outs[] = {{"keys_out", keys_out, count * key},
                                 {"values_out", values_out, count * out_size},
                                 {"runs", runs, sizeof *runs}};
  HD_TRY(check_overlap(entry, outs, 3, ins, 4));
  unsigned long saved = hd_float_enter();
  heddle_status status = ctx->backend->reduce_by_key(ctx, &fold, &job, keys, values, count,
                                                     keys_out, values_out, runs);
  hd_float_leave(saved);
  return status;
}

heddle_status heddle_scan_by_key(heddle_context *ctx, heddle_scan_kind kind, heddle_op op,
                                 heddle_type key_type, const void *keys, heddle_type type,
                                 const void *in, size_t count, void *out,
                                 const heddle_options *options) {
  const char *entry = "heddle_scan_by_key";
  const struct hd_runs job = {entry, key_type};
  struct hd_scan scan = {.kind = kind};
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_check_scan_kind(entry, kind));
  HD_TRY(check_key_type(entry, key_type));
  HD_TRY(hd_fold_job(entry, ctx, HEDDLE_SCAN, op, type, options, &scan.fold));
  const struct hd_fold *fold = &scan.fold;
  const size_t key = heddle_type_size(key_type), size = hd_fold_element_bytes(fold);
  const size_t out_size = hd_fold_result_bytes(fold);
  HD_TRY(hd_check_array(entry, "keys", keys, count, key));
  HD_TRY(hd_check_array(entry, "in", in, count, size));
  HD_TRY(hd_check_array(entry, "out", out, count, out_size));
  const struct hd_span to = {"out", out, count * out_size}, from = {"in", in, count * size};
  const struct hd_span apart[] = {
      {"keys", keys, count * key},
      {"options->init", fold->init, out_size},
      {"options->custom->identity", fold->custom ? fold->custom->identity : NULL, size}};
  if (!(in == out && size == out_size)) HD_TRY(hd_check_apart(entry, &to, 1, &from, 1));
  HD_TRY(hd_check_apart(entry, &to, 1, apart, 3));
  if (!count) return HEDDLE_OK;
  unsigned long saved = hd_float_enter();
  heddle_status status = ctx->backend->scan_by_key(ctx, &scan, &job, keys, in, count, out);
  hd_float_leave(saved);
  return status;
}

/* calls.c - calls on whole arrays: by one member, or by all on parts of an array of the host
 *
 * Memory of a device, be it operand or result, has the call done whole by that member, and so has an
 * array of the host that is too small to share. */
#include "group.h"

/* ---- by all members -------------------------------------------------------------------------- */

/* Parts of a fold's operands; one part: a member does it. */
static struct hd_parts share_fold(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                                  const void *y, size_t count, struct hd_fold_out out,
                                  struct hd_part part[HD_GROUP_MOST]) {
  const size_t bytes = hd_fold_form_of(fold).element_bytes;
  const void *const results[] = {out.value, out.index, out.description};
  const struct hd_group_array array = {
      .x = x, .y = y, .x_bytes = bytes, .y_bytes = bytes, .count = count};
  return hd_group_share(ctx, &array, HD_COUNT_OF(results), results, part);
}

heddle_status hd_group_fold(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                            const void *y, size_t count, struct hd_fold_out out) {
  struct hd_part part[HD_GROUP_MOST];
  struct hd_group_call call;
  const struct hd_parts in = share_fold(ctx, fold, x, y, count, out, part);
  if (in.parts > 1) return hd_parts_fold(ctx, fold, &in, out);
  heddle_context *member = HD_BY_OWNER(call, ctx, x, y, out.value, out.index, out.description);
  return hd_group_leave(&call, member->backend->fold(member, fold, x, y, count, out));
}

heddle_status hd_group_exact(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                             const void *y, size_t count, struct hd_fold_out out) {
  struct hd_part part[HD_GROUP_MOST];
  struct hd_group_call call;
  const struct hd_parts in = share_fold(ctx, fold, x, y, count, out, part);
  if (in.parts > 1) return hd_parts_exact(ctx, fold, &in, out);
  heddle_context *member = HD_BY_OWNER(call, ctx, x, y, out.value);
  return hd_group_leave(&call, member->backend->exact(member, fold, x, y, count, out));
}

heddle_status hd_group_scan(heddle_context *ctx, const struct hd_scan *scan, const void *in,
                            size_t count, void *out) {
  const struct hd_group_array array = {.x = in,
                                       .out = out,
                                       .x_bytes = hd_fold_form_of(&scan->fold).element_bytes,
                                       .out_bytes = hd_fold_result_bytes(&scan->fold),
                                       .count = count};
  struct hd_part part[HD_GROUP_MOST];
  struct hd_group_call call;
  const struct hd_parts parts = hd_group_share(ctx, &array, 0, NULL, part);
  if (parts.parts > 1) return hd_parts_scan(ctx, scan, &parts);
  heddle_context *member = HD_BY_OWNER(call, ctx, in, out);
  return hd_group_leave(&call, member->backend->scan(member, scan, in, count, out));
}

/* By one member, which reads the array once. */
heddle_status hd_group_scan_behind(heddle_context *ctx, const struct hd_scan *scan, u64 before,
                                   const void *totals, const void *x, const void *in, size_t count,
                                   void *out) {
  struct hd_group_call call;
  heddle_context *member = HD_BY_OWNER(call, ctx, in, out);
  return hd_group_leave(
      &call, member->backend->scan_behind(member, scan, before, totals, x, in, count, out));
}

heddle_status hd_group_histogram(heddle_context *ctx, const struct hd_histogram *job,
                                 const void *in, const void *weights, size_t count, u64 *counts,
                                 heddle_histogram_result *result, double *sums) {
  const struct hd_group_array array = {.x = in,
                                       .y = weights,
                                       .x_bytes = heddle_type_size(job->type),
                                       .y_bytes = heddle_type_size(job->weights_type),
                                       .count = count,
                                       .channels = job->channels};
  const void *const results[] = {counts, sums, result};
  struct hd_part part[HD_GROUP_MOST];
  struct hd_group_call call;
  const struct hd_parts parts = hd_group_share(ctx, &array, HD_COUNT_OF(results), results, part);
  if (parts.parts > 1) return hd_parts_histogram(ctx, job, &parts, counts, result, sums);
  heddle_context *member = HD_BY_OWNER(call, ctx, in, weights, counts, sums, result);
  return hd_group_leave(
      &call, member->backend->histogram(member, job, in, weights, count, counts, result, sums));
}

/* ---- by one member --------------------------------------------------------------------------- */

heddle_status hd_group_sort(heddle_context *ctx, const struct hd_sort *sort,
                            const struct hd_sort_arrays *arrays, size_t count) {
  struct hd_group_call call;
  heddle_context *member = HD_BY_OWNER(call, ctx, arrays->keys, arrays->values, arrays->keys_out,
                                       arrays->values_out, sort->scratch);
  return hd_group_leave(&call, member->backend->sort(member, sort, arrays, count));
}

heddle_status hd_group_sort_rows(heddle_context *ctx, const struct hd_sort *sort,
                                 const struct hd_sort_arrays *arrays, const heddle_rows *rows) {
  struct hd_group_call call;
  heddle_context *member = HD_BY_OWNER(call, ctx, arrays->keys, arrays->values, arrays->keys_out,
                                       arrays->values_out, sort->scratch, rows->offsets);
  return hd_group_leave(&call, member->backend->sort_rows(member, sort, arrays, rows));
}

heddle_status hd_group_histogram_range(heddle_context *ctx, heddle_type type, const void *in,
                                       size_t count, bool positive, f64 found[2]) {
  struct hd_group_call call;
  heddle_context *member = HD_BY_OWNER(call, ctx, in);
  return hd_group_leave(&call,
                        member->backend->histogram_range(member, type, in, count, positive, found));
}

/* ---- totals of parts ------------------------------------------------------------------------- */

heddle_status hd_group_partial(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                               const void *y, struct hd_run run, void *totals) {
  struct hd_group_call call;
  heddle_context *member = HD_BY_OWNER(call, ctx, x, y);
  return hd_group_leave(&call, member->backend->partial(member, fold, x, y, run, totals));
}

heddle_status hd_group_merge(heddle_context *ctx, const struct hd_fold *fold, struct hd_run left,
                             const void *left_totals, struct hd_run right, const void *right_totals,
                             void *totals) {
  struct hd_group_call call;
  heddle_context *member = hd_group_begin(&call, ctx, 0, NULL);
  return hd_group_leave(
      &call, member->backend->merge(member, fold, left, left_totals, right, right_totals, totals));
}

heddle_status hd_group_partial_result(heddle_context *ctx, const struct hd_fold *fold,
                                      struct hd_run run, const void *totals,
                                      struct hd_fold_out out) {
  struct hd_group_call call;
  heddle_context *member = HD_BY_OWNER(call, ctx, out.value, out.index, out.description);
  return hd_group_leave(&call, member->backend->partial_result(member, fold, run, totals, out));
}

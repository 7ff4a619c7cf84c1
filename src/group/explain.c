/* explain.c - what a call on a group would run: what its first member would
 *
 * Members are asked for one device's call; how many of them share an array of the host is calls.c's. */
#include "group.h"

heddle_status hd_group_fold_explain(heddle_context *ctx, const struct hd_fold *fold, size_t count,
                                    u32 align, heddle_plan *out) {
  struct hd_group_call call;
  heddle_context *member = hd_group_begin(&call, ctx, 0, NULL);
  return hd_group_leave(&call, member->backend->fold_explain(member, fold, count, align, out));
}

heddle_status hd_group_fold_rows_explain(heddle_context *ctx, const struct hd_fold *fold,
                                         const heddle_rows *rows, heddle_plan *out) {
  struct hd_group_call call;
  heddle_context *member = hd_group_begin(&call, ctx, 0, NULL);
  return hd_group_leave(&call, member->backend->fold_rows_explain(member, fold, rows, out));
}

heddle_status hd_group_exact_explain(heddle_context *ctx, const struct hd_fold *fold, size_t count,
                                     u32 align, heddle_plan *out) {
  struct hd_group_call call;
  heddle_context *member = hd_group_begin(&call, ctx, 0, NULL);
  return hd_group_leave(&call, member->backend->exact_explain(member, fold, count, align, out));
}

heddle_status hd_group_exact_rows_explain(heddle_context *ctx, const struct hd_fold *fold,
                                          const heddle_rows *rows, heddle_plan *out) {
  struct hd_group_call call;
  heddle_context *member = hd_group_begin(&call, ctx, 0, NULL);
  return hd_group_leave(&call, member->backend->exact_rows_explain(member, fold, rows, out));
}

heddle_status hd_group_scan_explain(heddle_context *ctx, const struct hd_scan *scan, size_t count,
                                    u32 align, heddle_plan *out) {
  struct hd_group_call call;
  heddle_context *member = hd_group_begin(&call, ctx, 0, NULL);
  return hd_group_leave(&call, member->backend->scan_explain(member, scan, count, align, out));
}

heddle_status hd_group_scan_rows_explain(heddle_context *ctx, const struct hd_scan *scan,
                                         const heddle_rows *rows, heddle_plan *out) {
  struct hd_group_call call;
  heddle_context *member = hd_group_begin(&call, ctx, 0, NULL);
  return hd_group_leave(&call, member->backend->scan_rows_explain(member, scan, rows, out));
}

heddle_status hd_group_histogram_explain(heddle_context *ctx, const struct hd_histogram *job,
                                         size_t count, heddle_plan *out) {
  struct hd_group_call call;
  heddle_context *member = hd_group_begin(&call, ctx, 0, NULL);
  return hd_group_leave(&call, member->backend->histogram_explain(member, job, count, out));
}

heddle_status hd_group_call_explain(heddle_context *ctx, const struct hd_asked *asked,
                                    const heddle_rows *rows, size_t count, heddle_plan *out) {
  struct hd_group_call call;
  heddle_context *member = hd_group_begin(&call, ctx, 0, NULL);
  return hd_group_leave(&call, member->backend->call_explain(member, asked, rows, count, out));
}

heddle_status hd_group_sort_explain(heddle_context *ctx, const struct hd_sort *sort,
                                    const heddle_rows *rows, size_t count, heddle_plan *out) {
  struct hd_group_call call;
  heddle_context *member = hd_group_begin(&call, ctx, 0, NULL);
  return hd_group_leave(&call, member->backend->sort_explain(member, sort, rows, count, out));
}

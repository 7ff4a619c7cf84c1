/* select.c - select, runs, order statistics, search and groups: by one member
 *
 * By the owner of what is device memory, else by the first. */
#include "group.h"
#include "host/status.h"

heddle_status hd_group_select(heddle_context *ctx, const struct hd_select *job, const void *of,
                              const void *in, size_t count, void *out, u64 *selected) {
  struct hd_group_call call;
  heddle_context *member = HD_BY_OWNER(call, ctx, of, in, out, selected);
  return hd_group_leave(&call, member->backend->select(member, job, of, in, count, out, selected));
}

heddle_status hd_group_runs(heddle_context *ctx, const struct hd_runs *job, const void *in,
                            size_t count, void *keys_out, u64 *offsets, u64 *runs) {
  struct hd_group_call call;
  heddle_context *member = HD_BY_OWNER(call, ctx, in, keys_out, offsets, runs);
  return hd_group_leave(&call,
                        member->backend->runs(member, job, in, count, keys_out, offsets, runs));
}

heddle_status hd_group_reduce_by_key(heddle_context *ctx, const struct hd_fold *fold,
                                     const struct hd_runs *job, const void *keys,
                                     const void *values, size_t count, void *keys_out, void *out,
                                     u64 *runs) {
  struct hd_group_call call;
  heddle_context *member = HD_BY_OWNER(call, ctx, keys, values, keys_out, out, runs);
  return hd_group_leave(&call, member->backend->reduce_by_key(member, fold, job, keys, values,
                                                              count, keys_out, out, runs));
}

heddle_status hd_group_scan_by_key(heddle_context *ctx, const struct hd_scan *scan,
                                   const struct hd_runs *job, const void *keys, const void *in,
                                   size_t count, void *out) {
  struct hd_group_call call;
  heddle_context *member = HD_BY_OWNER(call, ctx, keys, in, out);
  return hd_group_leave(&call,
                        member->backend->scan_by_key(member, scan, job, keys, in, count, out));
}

heddle_status hd_group_nth(heddle_context *ctx, const struct hd_sort *sort, const void *in,
                           size_t count, const u64 *ranks, size_t rank_count, void *out) {
  struct hd_group_call call;
  heddle_context *member = HD_BY_OWNER(call, ctx, in, out);
  return hd_group_leave(&call,
                        member->backend->nth(member, sort, in, count, ranks, rank_count, out));
}

heddle_status hd_group_nth_rows(heddle_context *ctx, const struct hd_sort *sort, const void *in,
                                const heddle_rows *rows, const u64 *ranks, size_t rank_count,
                                void *out) {
  struct hd_group_call call;
  heddle_context *member = HD_BY_OWNER(call, ctx, in, out, rows->offsets);
  return hd_group_leave(&call,
                        member->backend->nth_rows(member, sort, in, rows, ranks, rank_count, out));
}

heddle_status hd_group_partial_sort(heddle_context *ctx, const struct hd_sort *sort, const void *in,
                                    size_t count, size_t k, void *out, void *index) {
  struct hd_group_call call;
  heddle_context *member = HD_BY_OWNER(call, ctx, in, out, index);
  return hd_group_leave(&call,
                        member->backend->partial_sort(member, sort, in, count, k, out, index));
}

heddle_status hd_group_partial_sort_rows(heddle_context *ctx, const struct hd_sort *sort,
                                         const void *in, const heddle_rows *rows, size_t k,
                                         void *out, void *index) {
  struct hd_group_call call;
  heddle_context *member = HD_BY_OWNER(call, ctx, in, out, index, rows->offsets);
  return hd_group_leave(&call,
                        member->backend->partial_sort_rows(member, sort, in, rows, k, out, index));
}

heddle_status hd_group_quantiles(heddle_context *ctx, const struct hd_quantiles *job,
                                 const void *in, const void *weights, size_t count, const f64 *q,
                                 size_t q_count, f64 *out) {
  struct hd_group_call call;
  heddle_context *member = HD_BY_OWNER(call, ctx, in, weights, out);
  return hd_group_leave(
      &call, member->backend->quantiles(member, job, in, weights, count, q, q_count, out));
}

heddle_status hd_group_quantiles_rows(heddle_context *ctx, const struct hd_quantiles *job,
                                      const void *in, const void *weights, const heddle_rows *rows,
                                      const f64 *q, size_t q_count, f64 *out) {
  struct hd_group_call call;
  heddle_context *member = HD_BY_OWNER(call, ctx, in, weights, out, rows->offsets);
  return hd_group_leave(
      &call, member->backend->quantiles_rows(member, job, in, weights, rows, q, q_count, out));
}

heddle_status hd_group_search(heddle_context *ctx, heddle_type type, const void *sorted,
                              size_t sorted_count, const void *values, size_t count,
                              heddle_side side, u32 index_bytes, void *index) {
  struct hd_group_call call;
  heddle_context *member = HD_BY_OWNER(call, ctx, sorted, values, index);
  return hd_group_leave(&call, member->backend->search(member, type, sorted, sorted_count, values,
                                                       count, side, index_bytes, index));
}

heddle_status hd_group_gather(heddle_context *ctx, size_t element_bytes, const void *in,
                              size_t in_count, heddle_type index_type, const void *index,
                              size_t count, void *out) {
  struct hd_group_call call;
  heddle_context *member = HD_BY_OWNER(call, ctx, in, index, out);
  return hd_group_leave(&call, member->backend->gather(member, element_bytes, in, in_count,
                                                       index_type, index, count, out));
}

heddle_status hd_group_scatter_reduce(heddle_context *ctx, const struct hd_scatter *job,
                                      const void *in, void *out) {
  struct hd_group_call call;
  heddle_context *member = HD_BY_OWNER(call, ctx, in, job->ids, out);
  return hd_group_leave(&call, member->backend->scatter_reduce(member, job, in, out));
}

heddle_status hd_group_unique(heddle_context *ctx, const struct hd_unique *job, const void *in,
                              size_t count, struct hd_unique_out out) {
  struct hd_group_call call;
  heddle_context *member =
      HD_BY_OWNER(call, ctx, in, out.values, out.counts, out.first, out.inverse, out.found);
  return hd_group_leave(&call, member->backend->unique(member, job, in, count, out));
}

heddle_status hd_group_histogram_nd(heddle_context *ctx, const struct hd_histogram_nd *job,
                                    const void *const *columns, const void *weights, size_t count,
                                    struct hd_histogram_nd_out out) {
  struct hd_group_call call;
  heddle_context *member =
      HD_BY_OWNER(call, ctx, columns[0], weights, out.counts, out.sums, out.squares);
  return hd_group_leave(&call,
                        member->backend->histogram_nd(member, job, columns, weights, count, out));
}

/* ---- groups of rows: by a device's own context --------------------------------------------------- */

heddle_status hd_group_groups_make(heddle_context *ctx, heddle_type id_type, const void *ids,
                                   size_t count, size_t groups, void **handle,
                                   heddle_groups_details *details) {
  (void)id_type, (void)ids, (void)count, (void)groups, (void)handle, (void)details;
  return hd_group_one_device_only(ctx, "heddle_groups_make");
}

/* Never called: no handle is of a group of devices. */
void hd_group_groups_free(void *handle) { (void)handle; }

heddle_status hd_group_groups_gather(void *handle, size_t row_bytes, const void *in, void *out) {
  (void)handle, (void)row_bytes, (void)in, (void)out;
  return HEDDLE_UNSUPPORTED;
}

heddle_status hd_group_groups_reduce(void *handle, const struct hd_fold *fold, const void *in,
                                     size_t width, void *out) {
  (void)handle, (void)fold, (void)in, (void)width, (void)out;
  return HEDDLE_UNSUPPORTED;
}

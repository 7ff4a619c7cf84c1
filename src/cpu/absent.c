/* absent.c - entries that this back end does not have */
#include "cpu/cpu.h"
#include "host/status.h"

heddle_status hd_cpu_select(heddle_context *ctx, const struct hd_select *job, const void *of,
                            const void *in, size_t count, void *out, u64 *selected) {
  (void)ctx, (void)job, (void)of, (void)in, (void)count, (void)out, (void)selected;
  return hd_fail(HEDDLE_UNSUPPORTED, "heddle_select: not made for this device");
}

heddle_status hd_cpu_runs(heddle_context *ctx, const struct hd_runs *job, const void *in,
                          size_t count, void *keys_out, u64 *offsets, u64 *runs) {
  (void)ctx, (void)job, (void)in, (void)count, (void)keys_out, (void)offsets, (void)runs;
  return hd_fail(HEDDLE_UNSUPPORTED, "heddle_runs: not made for this device");
}

heddle_status hd_cpu_reduce_by_key(heddle_context *ctx, const struct hd_fold *fold,
                                   const struct hd_runs *job, const void *keys, const void *values,
                                   size_t count, void *keys_out, void *out, u64 *runs) {
  (void)ctx, (void)fold, (void)job, (void)keys, (void)values, (void)count, (void)keys_out,
      (void)out, (void)runs;
  return hd_fail(HEDDLE_UNSUPPORTED, "heddle_reduce_by_key: not made for this device");
}

heddle_status hd_cpu_scan_by_key(heddle_context *ctx, const struct hd_scan *scan,
                                 const struct hd_runs *job, const void *keys, const void *in,
                                 size_t count, void *out) {
  (void)ctx, (void)scan, (void)job, (void)keys, (void)in, (void)count, (void)out;
  return hd_fail(HEDDLE_UNSUPPORTED, "heddle_scan_by_key: not made for this device");
}

heddle_status hd_cpu_nth(heddle_context *ctx, const struct hd_sort *sort, const void *in,
                         size_t count, const u64 *ranks, size_t rank_count, void *out) {
  (void)ctx, (void)sort, (void)in, (void)count, (void)ranks, (void)rank_count, (void)out;
  return hd_fail(HEDDLE_UNSUPPORTED, "heddle_nth: not made for this device");
}

heddle_status hd_cpu_nth_rows(heddle_context *ctx, const struct hd_sort *sort, const void *in,
                              const heddle_rows *rows, const u64 *ranks, size_t rank_count,
                              void *out) {
  (void)ctx, (void)sort, (void)in, (void)rows, (void)ranks, (void)rank_count, (void)out;
  return hd_fail(HEDDLE_UNSUPPORTED, "heddle_nth_rows: not made for this device");
}

heddle_status hd_cpu_partial_sort(heddle_context *ctx, const struct hd_sort *sort, const void *in,
                                  size_t count, size_t k, void *out, void *index) {
  (void)ctx, (void)sort, (void)in, (void)count, (void)k, (void)out, (void)index;
  return hd_fail(HEDDLE_UNSUPPORTED, "heddle_partial_sort: not made for this device");
}

heddle_status hd_cpu_partial_sort_rows(heddle_context *ctx, const struct hd_sort *sort,
                                       const void *in, const heddle_rows *rows, size_t k, void *out,
                                       void *index) {
  (void)ctx, (void)sort, (void)in, (void)rows, (void)k, (void)out, (void)index;
  return hd_fail(HEDDLE_UNSUPPORTED, "heddle_partial_sort_rows: not made for this device");
}

heddle_status hd_cpu_quantiles(heddle_context *ctx, const struct hd_quantiles *job, const void *in,
                               const void *weights, size_t count, const f64 *q, size_t q_count,
                               f64 *out) {
  (void)ctx, (void)job, (void)in, (void)weights, (void)count, (void)q, (void)q_count, (void)out;
  return hd_fail(HEDDLE_UNSUPPORTED, "heddle_quantiles: not made for this device");
}

heddle_status hd_cpu_quantiles_rows(heddle_context *ctx, const struct hd_quantiles *job,
                                    const void *in, const heddle_rows *rows, const f64 *q,
                                    size_t q_count, f64 *out) {
  (void)ctx, (void)job, (void)in, (void)rows, (void)q, (void)q_count, (void)out;
  return hd_fail(HEDDLE_UNSUPPORTED, "heddle_quantiles_rows: not made for this device");
}

heddle_status hd_cpu_search(heddle_context *ctx, heddle_type type, const void *sorted,
                            size_t sorted_count, const void *values, size_t count, heddle_side side,
                            u32 index_bytes, void *index) {
  (void)ctx, (void)type, (void)sorted, (void)sorted_count, (void)values, (void)count, (void)side,
      (void)index_bytes, (void)index;
  return hd_fail(HEDDLE_UNSUPPORTED, "heddle_search: not made for this device");
}

heddle_status hd_cpu_gather(heddle_context *ctx, size_t element_bytes, const void *in,
                            size_t in_count, heddle_type index_type, const void *index,
                            size_t count, void *out) {
  (void)ctx, (void)element_bytes, (void)in, (void)in_count, (void)index_type, (void)index,
      (void)count, (void)out;
  return hd_fail(HEDDLE_UNSUPPORTED, "heddle_gather: not made for this device");
}

heddle_status hd_cpu_unique(heddle_context *ctx, const struct hd_unique *job, const void *in,
                            size_t count, struct hd_unique_out out) {
  (void)ctx, (void)job, (void)in, (void)count, (void)out;
  return hd_fail(HEDDLE_UNSUPPORTED, "heddle_unique: not made for this device");
}

heddle_status hd_cpu_groups_make(heddle_context *ctx, heddle_type id_type, const void *ids,
                                 size_t count, size_t groups, void **handle,
                                 heddle_groups_details *details) {
  (void)ctx, (void)id_type, (void)ids, (void)count, (void)groups, (void)handle, (void)details;
  return hd_fail(HEDDLE_UNSUPPORTED, "heddle_groups_make: not made for this device");
}

void hd_cpu_groups_free(void *handle) { (void)handle; }

heddle_status hd_cpu_groups_gather(void *handle, size_t row_bytes, const void *in, void *out) {
  (void)handle, (void)row_bytes, (void)in, (void)out;
  return hd_fail(HEDDLE_UNSUPPORTED, "heddle_groups_gather: not made for this device");
}

heddle_status hd_cpu_groups_reduce(void *handle, const struct hd_fold *fold, const void *in,
                                   size_t width, void *out) {
  (void)handle, (void)fold, (void)in, (void)width, (void)out;
  return hd_fail(HEDDLE_UNSUPPORTED, "heddle_groups_reduce: not made for this device");
}

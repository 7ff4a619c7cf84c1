/* device.c - a CPU's side of the calls for devices: its memory is the host's, its calls return
 * when they are done, and preparing is checking the arguments
 *
 * Method   Memory carries its size in a line of its own before it. While preparing, the context's
 *          back end is hd_cpu_prepare_backend, whose verbs do nothing. */
#include <string.h>

#include "cpu.h"
#include "host/status.h"

heddle_status hd_cpu_set_stream(heddle_context *ctx, void *stream) {
  if (!stream) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT,
                 "heddle_set_stream: `stream` is not NULL, but %s has no streams", ctx->device);
}

heddle_status hd_cpu_sync(heddle_context *ctx, bool wait) {
  (void)ctx, (void)wait;
  return HEDDLE_OK;
}

/* ---- memory ------------------------------------------------------------------------------------ */

enum { HEAD_BYTES = 64 };
struct head {
  size_t bytes;
  heddle_device_release *release; /* NULL: the context's allocator */
  void *user;
};

heddle_status hd_cpu_device_alloc(heddle_context *ctx, size_t bytes, void **out) {
  struct head head = {bytes + HEAD_BYTES, ctx->device_release, ctx->device_user};
  char *memory;
  if (ctx->device_allocate) {
    memory = ctx->device_allocate(ctx->device_user, head.bytes, NULL);
    if (!memory)
      return hd_fail(HEDDLE_OUT_OF_MEMORY,
                     "heddle_device_alloc: the allocator hook of %s gave no %zu bytes", ctx->device,
                     head.bytes);
  } else {
    memory = hd_allocate(ctx, head.bytes);
    if (!memory) return HEDDLE_OUT_OF_MEMORY;
  }
  memcpy(memory, &head, sizeof head);
  *out = memory + HEAD_BYTES;
  return HEDDLE_OK;
}

heddle_status hd_cpu_device_free(heddle_context *ctx, void *memory) {
  struct head head;
  char *start = (char *)memory - HEAD_BYTES;
  memcpy(&head, start, sizeof head);
  if (head.release)
    head.release(head.user, start, head.bytes, NULL);
  else
    hd_release(ctx, start, head.bytes);
  return HEDDLE_OK;
}

heddle_status hd_cpu_copy(heddle_context *ctx, void *to, const void *from, size_t bytes) {
  (void)ctx;
  memcpy(to, from, bytes);
  return HEDDLE_OK;
}

heddle_status hd_cpu_set_device_allocator(heddle_context *ctx, heddle_device_allocate *allocate,
                                          heddle_device_release *release, void *user) {
  ctx->device_allocate = allocate;
  ctx->device_release = release;
  ctx->device_user = user;
  return HEDDLE_OK;
}

heddle_status hd_cpu_set_scratch(heddle_context *ctx, void *memory, size_t bytes) {
  (void)ctx, (void)memory, (void)bytes;
  return HEDDLE_OK;
}

/* ---- preparing ------------------------------------------------------------------------------------ */

heddle_status hd_cpu_prepare_begin(heddle_context *ctx) {
  pthread_mutex_lock(&ctx->lock);
  ctx->backend = &hd_cpu_prepare_backend;
  pthread_mutex_unlock(&ctx->lock);
  return HEDDLE_OK;
}

heddle_status hd_cpu_prepare_end(heddle_context *ctx, size_t *scratch_bytes) {
  pthread_mutex_lock(&ctx->lock);
  ctx->backend = &hd_cpu_backend;
  pthread_mutex_unlock(&ctx->lock);
  if (scratch_bytes) *scratch_bytes = 0;
  return HEDDLE_OK;
}

static heddle_status no_copy(heddle_context *ctx, void *to, const void *from, size_t bytes) {
  (void)ctx, (void)to, (void)from, (void)bytes;
  return HEDDLE_OK;
}

static heddle_status no_fold(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                             const void *y, size_t count, struct hd_fold_out out) {
  (void)ctx, (void)fold, (void)x, (void)y, (void)count, (void)out;
  return HEDDLE_OK;
}

static heddle_status no_fold_rows(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                                  const void *y, const heddle_rows *rows, struct hd_fold_out out) {
  (void)ctx, (void)fold, (void)x, (void)y, (void)rows, (void)out;
  return HEDDLE_OK;
}

static heddle_status no_fold_update(void *state, const void *x, const void *y, size_t count) {
  (void)state, (void)x, (void)y, (void)count;
  return HEDDLE_OK;
}

static heddle_status no_fold_finish(void *state, struct hd_fold_out out) {
  (void)state, (void)out;
  return HEDDLE_OK;
}

static heddle_status no_scan(heddle_context *ctx, const struct hd_scan *scan, const void *in,
                             size_t count, void *out) {
  (void)ctx, (void)scan, (void)in, (void)count, (void)out;
  return HEDDLE_OK;
}

static heddle_status no_scan_rows(heddle_context *ctx, const struct hd_scan *scan, const void *in,
                                  const heddle_rows *rows, void *out) {
  (void)ctx, (void)scan, (void)in, (void)rows, (void)out;
  return HEDDLE_OK;
}

static heddle_status no_scan_update(void *state, const void *in, size_t count, void *out) {
  (void)state, (void)in, (void)count, (void)out;
  return HEDDLE_OK;
}

static heddle_status no_scan_finish(void *state, void *total) {
  (void)state, (void)total;
  return HEDDLE_OK;
}

static heddle_status no_histogram(heddle_context *ctx, const struct hd_histogram *job,
                                  const void *in, const void *weights, size_t count, u64 *counts,
                                  heddle_histogram_result *result, double *sums) {
  (void)ctx, (void)job, (void)in, (void)weights, (void)count, (void)counts, (void)result;
  (void)sums;
  return HEDDLE_OK;
}

static heddle_status no_histogram_update(void *state, const void *in, const void *weights,
                                         size_t count) {
  (void)state, (void)in, (void)weights, (void)count;
  return HEDDLE_OK;
}

static heddle_status no_histogram_finish(void *state, u64 *counts, heddle_histogram_result *result,
                                         double *sums) {
  (void)state, (void)counts, (void)result, (void)sums;
  return HEDDLE_OK;
}

static heddle_status no_sort(heddle_context *ctx, const struct hd_sort *sort,
                             const struct hd_sort_arrays *arrays, size_t count) {
  (void)ctx, (void)sort, (void)arrays, (void)count;
  return HEDDLE_OK;
}

static heddle_status no_sort_rows(heddle_context *ctx, const struct hd_sort *sort,
                                  const struct hd_sort_arrays *arrays, const heddle_rows *rows) {
  (void)ctx, (void)sort, (void)arrays, (void)rows;
  return HEDDLE_OK;
}

static heddle_status no_select(heddle_context *ctx, const struct hd_select *job, const void *of,
                               const void *in, size_t count, void *out, u64 *selected) {
  (void)ctx, (void)job, (void)of, (void)in, (void)count, (void)out, (void)selected;
  return HEDDLE_OK;
}

static heddle_status no_runs(heddle_context *ctx, const struct hd_runs *job, const void *in,
                             size_t count, void *keys_out, u64 *offsets, u64 *runs) {
  (void)ctx, (void)job, (void)in, (void)count, (void)keys_out, (void)offsets, (void)runs;
  return HEDDLE_OK;
}

static heddle_status no_reduce_by_key(heddle_context *ctx, const struct hd_fold *fold,
                                      const struct hd_runs *job, const void *keys,
                                      const void *values, size_t count, void *keys_out, void *out,
                                      u64 *runs) {
  (void)ctx, (void)fold, (void)job, (void)keys, (void)values, (void)count, (void)keys_out,
      (void)out, (void)runs;
  return HEDDLE_OK;
}

static heddle_status no_scan_by_key(heddle_context *ctx, const struct hd_scan *scan,
                                    const struct hd_runs *job, const void *keys, const void *in,
                                    size_t count, void *out) {
  (void)ctx, (void)scan, (void)job, (void)keys, (void)in, (void)count, (void)out;
  return HEDDLE_OK;
}

static heddle_status no_nth(heddle_context *ctx, const struct hd_sort *sort, const void *in,
                            size_t count, const u64 *ranks, size_t rank_count, void *out) {
  (void)ctx, (void)sort, (void)in, (void)count, (void)ranks, (void)rank_count, (void)out;
  return HEDDLE_OK;
}

static heddle_status no_nth_rows(heddle_context *ctx, const struct hd_sort *sort, const void *in,
                                 const heddle_rows *rows, const u64 *ranks, size_t rank_count,
                                 void *out) {
  (void)ctx, (void)sort, (void)in, (void)rows, (void)ranks, (void)rank_count, (void)out;
  return HEDDLE_OK;
}

static heddle_status no_partial_sort(heddle_context *ctx, const struct hd_sort *sort,
                                     const void *in, size_t count, size_t k, void *out,
                                     void *index) {
  (void)ctx, (void)sort, (void)in, (void)count, (void)k, (void)out, (void)index;
  return HEDDLE_OK;
}

static heddle_status no_partial_sort_rows(heddle_context *ctx, const struct hd_sort *sort,
                                          const void *in, const heddle_rows *rows, size_t k,
                                          void *out, void *index) {
  (void)ctx, (void)sort, (void)in, (void)rows, (void)k, (void)out, (void)index;
  return HEDDLE_OK;
}

static heddle_status no_quantiles(heddle_context *ctx, const struct hd_quantiles *job,
                                  const void *in, const void *weights, size_t count, const f64 *q,
                                  size_t q_count, f64 *out) {
  (void)ctx, (void)job, (void)in, (void)weights, (void)count, (void)q, (void)q_count, (void)out;
  return HEDDLE_OK;
}

static heddle_status no_quantiles_rows(heddle_context *ctx, const struct hd_quantiles *job,
                                       const void *in, const void *weights, const heddle_rows *rows,
                                       const f64 *q, size_t q_count, f64 *out) {
  (void)ctx, (void)job, (void)in, (void)weights, (void)rows, (void)q, (void)q_count, (void)out;
  return HEDDLE_OK;
}

static heddle_status no_search(heddle_context *ctx, heddle_type type, const void *sorted,
                               size_t sorted_count, const void *values, size_t count,
                               heddle_side side, u32 index_bytes, void *index) {
  (void)ctx, (void)type, (void)sorted, (void)sorted_count, (void)values, (void)count, (void)side,
      (void)index_bytes, (void)index;
  return HEDDLE_OK;
}

static heddle_status no_gather(heddle_context *ctx, size_t element_bytes, const void *in,
                               size_t in_count, heddle_type index_type, const void *index,
                               size_t count, void *out) {
  (void)ctx, (void)element_bytes, (void)in, (void)in_count, (void)index_type, (void)index,
      (void)count, (void)out;
  return HEDDLE_OK;
}

static heddle_status no_scatter_reduce(heddle_context *ctx, const struct hd_scatter *job,
                                       const void *in, void *out) {
  (void)ctx, (void)job, (void)in, (void)out;
  return HEDDLE_OK;
}

static heddle_status no_unique(heddle_context *ctx, const struct hd_unique *job, const void *in,
                               size_t count, struct hd_unique_out out) {
  (void)ctx, (void)job, (void)in, (void)count, (void)out;
  return HEDDLE_OK;
}

static heddle_status no_histogram_nd(heddle_context *ctx, const struct hd_histogram_nd *job,
                                     const void *const *columns, const void *weights, size_t count,
                                     struct hd_histogram_nd_out out) {
  (void)ctx, (void)job, (void)columns, (void)weights, (void)count, (void)out;
  return HEDDLE_OK;
}

/* Exact sums take what folds take. */
#define no_exact no_fold
#define no_exact_rows no_fold_rows
#define no_exact_update no_fold_update
#define no_exact_finish no_fold_finish

#define HD_ORDER(type, name, arguments) .name = hd_cpu_##name,
#define HD_WORK(type, name, arguments) .name = no_##name,
const struct hd_backend hd_cpu_prepare_backend = {
    .name = "cpu",
    .open = hd_cpu_open,
    HD_ORDER_ENTRIES(HD_ORDER) HD_WORK_ENTRIES(HD_WORK) HD_SELECT_ENTRIES(HD_WORK)
        HD_STATE_ENTRIES(HD_ORDER) HD_GROUPS_ENTRIES(HD_ORDER)};

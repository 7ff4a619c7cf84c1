/* sort.c - sort, sort_pairs and argsort on a GPU: refused, as there are no kernels for them */
#include "cuda/core/cuda.h"
#include "host/status.h"

static heddle_status refuse(const heddle_context *ctx, const struct hd_sort *sort) {
  return hd_fail(HEDDLE_UNSUPPORTED,
                 "%s: %s has no kernels that sort; copy the arrays to the host and sort them on a "
                 "context of \"cpu\"",
                 sort->entry, ctx->device);
}

heddle_status hd_cuda_sort(heddle_context *ctx, const struct hd_sort *sort,
                           const struct hd_sort_arrays *arrays, size_t count) {
  (void)arrays, (void)count;
  return refuse(ctx, sort);
}

heddle_status hd_cuda_sort_rows(heddle_context *ctx, const struct hd_sort *sort,
                                const struct hd_sort_arrays *arrays, const heddle_rows *rows) {
  (void)arrays, (void)rows;
  return refuse(ctx, sort);
}

heddle_status hd_cuda_sort_scratch(heddle_context *ctx, const struct hd_sort *sort, size_t count,
                                   size_t *bytes) {
  (void)count, (void)bytes;
  return refuse(ctx, sort);
}

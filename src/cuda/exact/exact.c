/* exact.c - exact sums on a GPU */
#include "cuda/core/inside.h"
#include "host/status.h"

static heddle_status not_here(const struct hd_fold *fold) {
  return hd_fail(HEDDLE_UNSUPPORTED, "%s: `options->exact` is not made for GPUs; use a CPU",
                 fold->entry);
}
heddle_status hd_cuda_exact_explain(heddle_context *ctx, const struct hd_fold *fold, size_t count,
                                    u32 align, heddle_plan *out) {
  (void)ctx, (void)count, (void)align, (void)out;
  return not_here(fold);
}
heddle_status hd_cuda_exact_rows_explain(heddle_context *ctx, const struct hd_fold *fold,
                                         const heddle_rows *rows, heddle_plan *out) {
  (void)ctx, (void)rows, (void)out;
  return not_here(fold);
}
heddle_status hd_cuda_exact_begin(heddle_context *ctx, const struct hd_fold *fold, void **state) {
  (void)ctx, (void)state;
  return not_here(fold);
}
void hd_cuda_exact_free(void *state) { (void)state; }
heddle_status hd_cuda_exact(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                            const void *y, size_t count, struct hd_fold_out out) {
  (void)ctx, (void)x, (void)y, (void)count, (void)out;
  return not_here(fold);
}
heddle_status hd_cuda_exact_rows(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                                 const void *y, const heddle_rows *rows, struct hd_fold_out out) {
  (void)ctx, (void)x, (void)y, (void)rows, (void)out;
  return not_here(fold);
}
heddle_status hd_cuda_exact_update(void *state, const void *x, const void *y, size_t count) {
  (void)state, (void)x, (void)y, (void)count;
  return HEDDLE_UNSUPPORTED;
}
heddle_status hd_cuda_exact_finish(void *state, struct hd_fold_out out) {
  (void)state, (void)out;
  return HEDDLE_UNSUPPORTED;
}

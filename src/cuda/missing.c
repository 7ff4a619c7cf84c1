/* missing.c - under way: primitives whose files do not exist yet */
#include "../status.h"
#include "cuda.h"
#define NONE(e) return hd_fail(HEDDLE_UNSUPPORTED, "%s: not on this device", e)
#ifdef HEDDLE_NO_FOLD
heddle_status hd_cuda_fold(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                           const void *y, size_t count, struct hd_fold_out out) {
  (void)ctx, (void)fold, (void)x, (void)y, (void)count, (void)out;
  NONE("fold");
}
heddle_status hd_cuda_fold_begin(heddle_context *ctx, const struct hd_fold *fold, void **state) {
  (void)ctx, (void)fold, (void)state;
  NONE("fold");
}
heddle_status hd_cuda_fold_update(void *state, const void *x, const void *y, size_t count) {
  (void)state, (void)x, (void)y, (void)count;
  NONE("fold");
}
heddle_status hd_cuda_fold_finish(void *state, struct hd_fold_out out) {
  (void)state, (void)out;
  NONE("fold");
}
void hd_cuda_fold_free(void *state) { (void)state; }
#endif
#ifdef HEDDLE_NO_FOLD_ROWS
heddle_status hd_cuda_fold_rows(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                                const void *y, const heddle_rows *rows, struct hd_fold_out out) {
  (void)ctx, (void)fold, (void)x, (void)y, (void)rows, (void)out;
  NONE("rows");
}
#endif
#ifdef HEDDLE_NO_SCAN
heddle_status hd_cuda_scan(heddle_context *ctx, const struct hd_scan *scan, const void *in,
                           size_t count, void *out) {
  (void)ctx, (void)scan, (void)in, (void)count, (void)out;
  NONE("scan");
}
heddle_status hd_cuda_scan_begin(heddle_context *ctx, const struct hd_scan *scan, void **state) {
  (void)ctx, (void)scan, (void)state;
  NONE("scan");
}
heddle_status hd_cuda_scan_update(void *state, const void *in, size_t count, void *out) {
  (void)state, (void)in, (void)count, (void)out;
  NONE("scan");
}
heddle_status hd_cuda_scan_finish(void *state, void *total) {
  (void)state, (void)total;
  NONE("scan");
}
void hd_cuda_scan_free(void *state) { (void)state; }
#endif
#ifdef HEDDLE_NO_SCAN_ROWS
heddle_status hd_cuda_scan_rows(heddle_context *ctx, const struct hd_scan *scan, const void *in,
                                const heddle_rows *rows, void *out) {
  (void)ctx, (void)scan, (void)in, (void)rows, (void)out;
  NONE("rows");
}
#endif
#ifdef HEDDLE_NO_HISTOGRAM
heddle_status hd_cuda_histogram(heddle_context *ctx, const struct hd_histogram *job, const void *in,
                                const void *weights, size_t count, u64 *counts,
                                heddle_histogram_result *result, double *sums) {
  (void)ctx, (void)job, (void)in, (void)weights, (void)count, (void)counts, (void)result,
      (void)sums;
  NONE("histogram");
}
heddle_status hd_cuda_histogram_begin(heddle_context *ctx, const struct hd_histogram *job,
                                      void **state) {
  (void)ctx, (void)job, (void)state;
  NONE("histogram");
}
heddle_status hd_cuda_histogram_update(void *state, const void *in, const void *weights,
                                       size_t count) {
  (void)state, (void)in, (void)weights, (void)count;
  NONE("histogram");
}
heddle_status hd_cuda_histogram_finish(void *state, u64 *counts, heddle_histogram_result *result,
                                       double *sums) {
  (void)state, (void)counts, (void)result, (void)sums;
  NONE("histogram");
}
void hd_cuda_histogram_free(void *state) { (void)state; }
#endif

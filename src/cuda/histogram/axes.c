/* axes.c - histograms of several dimensions, which a GPU does not make */
#include "cuda/core/cuda.h"
#include "host/status.h"

heddle_status hd_cuda_histogram_nd(heddle_context *ctx, const struct hd_histogram_nd *job,
                                   const void *const *columns, const void *weights, size_t count,
                                   struct hd_histogram_nd_out out) {
  (void)job, (void)columns, (void)weights, (void)count, (void)out;
  return hd_fail(HEDDLE_UNSUPPORTED,
                 "heddle_histogram_nd: %s has none of several dimensions; use a context of cpu, or "
                 "heddle_histogram for one axis",
                 ctx->device);
}

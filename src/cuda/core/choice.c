/* choice.c - a primitive's choice on this device as heddle_explain gives it */
#include "choice.h"

#include <stdio.h>

heddle_status hd_cuda_explain(heddle_context *ctx, const struct hd_cuda_choice *launch,
                              const struct hd_cuda_choice *then, heddle_plan *out) {
  const struct hd_cuda_limits *limits = hd_cuda_limits(ctx->data);
  snprintf(out->strategy, sizeof out->strategy, "%s", launch->strategy);
  snprintf(out->kernel, sizeof out->kernel, "%s", launch->kernel);
  if (then && then->kernel) snprintf(out->then, sizeof out->then, "%s", then->kernel);
  snprintf(out->file, sizeof out->file, "kernels/%s", launch->file);
  snprintf(out->isa, sizeof out->isa, "sm_%d", limits->cc);
  out->threads = launch->threads;
  out->processors = (unsigned)limits->sms;
  out->blocks = launch->blocks;
  out->shared_bytes = launch->shared_bytes;
  out->shared_most = (u64)limits->shared_per_block;
  return HEDDLE_OK;
}

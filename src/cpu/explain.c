/* explain.c - a primitive's choice on this CPU as heddle_explain gives it */
#include <stdio.h>

#include "cpu.h"
#include "cpu/isa/kernels.h"

heddle_status hd_cpu_explain(const heddle_context *ctx, const struct hd_cpu_choice *choice,
                             heddle_plan *out) {
  const struct hd_cpu_kernels *kernels = ctx->kernels;
  snprintf(out->strategy, sizeof out->strategy, "%s", choice->strategy);
  snprintf(out->kernel, sizeof out->kernel, "%s", choice->kernel);
  snprintf(out->file, sizeof out->file, "%s", choice->file);
  snprintf(out->isa, sizeof out->isa, "%s", kernels->isa);
  out->threads = (unsigned)choice->threads;
  out->processors = ctx->threads;
  out->blocks = 1;
  return HEDDLE_OK;
}

/* cpu.h - the entries of the CPU's back end, and the choice of an ISA, which GPUs' back ends share */
#ifndef HEDDLE_CPU_CPU_H
#define HEDDLE_CPU_CPU_H

#include "api/backend.h"

struct hd_cpu_kernels;
struct hd_cpu_select_kernels;

/* The table that HEDDLE_ISA asks for, else this machine's best; `note` says why another set was not
 * taken. */
const struct hd_cpu_kernels *hd_cpu_kernels(char *note, size_t bytes);

/* Those of selects and runs that belong to a context's table. */
const struct hd_cpu_select_kernels *hd_cpu_select_kernels(const heddle_context *ctx);

/* What a primitive's choose.c gives: file is below src. */
struct hd_cpu_choice {
  const char *strategy, *kernel, *file;
  size_t threads;
};
heddle_status hd_cpu_explain(const heddle_context *ctx, const struct hd_cpu_choice *choice,
                             heddle_plan *out); /* explain.c */

heddle_status hd_cpu_open(heddle_context *ctx, const char *rest);
heddle_status hd_cpu_count_keys(heddle_context *ctx, struct hd_key_count *job, const void *in,
                                size_t count);
#define HD_ENTRY(type, name, arguments) type hd_cpu_##name arguments;
HD_ENTRIES(HD_ENTRY)
HD_PARTIAL_ENTRIES(HD_ENTRY)
#undef HD_ENTRY

#endif

/* exact.h - exact sums on a CPU: what the room's files share */
#ifndef HEDDLE_CPU_EXACT_EXACT_H
#define HEDDLE_CPU_EXACT_EXACT_H

#include "cpu/cpu.h"
#include "cpu/isa/kernels.h"

/* A checked job, ready to be run: its kernel, the limbs that its sums need, the result's format. */
struct hd_cpu_exact_call {
  const struct hd_fold *fold;
  const struct hd_cpu_exact_kernel *kernel;
  struct hd_exact_span span;
  struct hd_exact_format result;
};
struct hd_cpu_exact_call hd_cpu_exact_call(const struct hd_cpu_kernels *kernels,
                                           const struct hd_fold *fold);

/* *sum gains n elements, on this thread. Of sums of squares y is x. */
void hd_cpu_exact_take(const struct hd_cpu_exact_call *call, struct hd_exact_guess *guess,
                       struct hd_exact *sum, const void *x, const void *y, size_t n);
/* The same on all threads of the context. */
heddle_status hd_cpu_exact_take_long(heddle_context *ctx, const struct hd_cpu_exact_call *call,
                                     struct hd_exact *sum, const void *x, const void *y, size_t n);
/* The result of *sum, which is used up, or of at most HD_EXACT_BLOCK elements without one. */
void hd_cpu_exact_result(const struct hd_cpu_exact_call *call, struct hd_exact *sum, void *out);
void hd_cpu_exact_short(const struct hd_cpu_exact_call *call, struct hd_exact_guess *guess,
                        const void *x, const void *y, size_t n, void *out);

/* Below this a thread costs more than it brings. */
enum { HD_EXACT_PARALLEL_BYTES = 1 << 20 };

#endif

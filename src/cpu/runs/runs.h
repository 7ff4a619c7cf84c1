/* runs.h - what the room's files share */
#ifndef HEDDLE_CPU_RUNS_RUNS_H
#define HEDDLE_CPU_RUNS_RUNS_H

#include "cpu/cpu.h"
#include "cpu/fold/fold.h"

/* Room for the offsets of as many runs as there are elements, and one more; NULL with the message set. */
u64 *hd_cpu_offsets_new(heddle_context *ctx, const char *entry, size_t count);

/* ---- short.c: neighbouring runs of few elements ------------------------------------------------ */

struct hd_cpu_short_runs {
  const struct hd_fold *fold;
  const struct hd_cpu_fold_kernel *kernel;
  const char *x; /* element 0 of what starts count */
  char *out;     /* the result of run 0 */
  size_t out_bytes;
};
/* Bytes of memory for up to `most` runs, and elements, aligned to 64 bytes. */
size_t hd_cpu_short_runs_bytes(const struct hd_fold *fold, const struct hd_cpu_fold_kernel *kernel,
                               size_t most);
/* The results of `runs` runs, of which each ends where the next one starts, starts[runs] among them. Memory is that
 * of hd_cpu_short_runs_bytes; slots are a counter's, for runs that are not short. */
heddle_status hd_cpu_fold_short_runs(const struct hd_cpu_short_runs *job, const u32 *starts,
                                     size_t runs, void *memory, void *slots);

/* As heddle_explain gives it (runs.c). */
void hd_cpu_by_key_choose(heddle_context *ctx, const struct hd_asked *asked, size_t count,
                          struct hd_cpu_choice *choice);

/* ---- sums.c: sums of integers ------------------------------------------------------------------ */

/* Whether so many runs of so many elements in all are for it. */
bool hd_cpu_sum_runs_fit(const struct hd_cpu_short_runs *job, size_t elements, size_t runs);
/* Bytes of memory for up to `most` elements; 0: they are not. */
size_t hd_cpu_sum_runs_bytes(const struct hd_fold *fold, const struct hd_cpu_fold_kernel *kernel,
                             size_t most);
heddle_status hd_cpu_sum_runs(const struct hd_cpu_short_runs *job, const u32 *starts, size_t runs,
                              void *memory);

#endif

/* sums.c - sums of integers of neighbouring runs: what the running total has gained
 *
 * Method   Sums wrap, so that a run's is the difference of two running totals, exactly, whatever its length: no
 *          branch is a run's own.
 * Memory   8 bytes an element of a chunk, and a group of totals */
#include <string.h>

#include "cpu/fold/columns/columns.h"
#include "runs.h"

enum {
  GROUP = 512,   /* runs whose totals become results at once */
  LONG_MEAN = 96 /* elements of a run: vectors sum longer ones sooner */
};

#define SUMS_T u8
#include "sums_tmpl.h"
#define SUMS_T u16
#include "sums_tmpl.h"
#define SUMS_T u32
#include "sums_tmpl.h"
#define SUMS_T u64
#include "sums_tmpl.h"
#define SUMS_T i8
#include "sums_tmpl.h"
#define SUMS_T i16
#include "sums_tmpl.h"
#define SUMS_T i32
#include "sums_tmpl.h"

typedef void sums(const char *x, size_t n, u64 *totals);

static sums *sums_of(heddle_type type) {
  switch (type) {
  case HEDDLE_U8: return sums_u8;
  case HEDDLE_U16: return sums_u16;
  case HEDDLE_U32: return sums_u32;
  case HEDDLE_I8: return sums_i8;
  case HEDDLE_I16: return sums_i16;
  case HEDDLE_I32: return sums_i32;
  default: return sums_u64; /* HEDDLE_I64 wraps as well */
  }
}

static bool is_sum(const struct hd_fold *fold, const struct hd_cpu_fold_kernel *kernel) {
  return fold->verb == HD_REDUCE && fold->op == HEDDLE_SUM && !hd_is_float(fold->type) &&
         kernel->kind == HD_TOTAL_U64 && kernel->columns && kernel->columns->bytes == sizeof(u64);
}

size_t hd_cpu_sum_runs_bytes(const struct hd_fold *fold, const struct hd_cpu_fold_kernel *kernel,
                             size_t most) {
  return is_sum(fold, kernel) ? (GROUP + most + 1) * sizeof(u64) : 0;
}

bool hd_cpu_sum_runs_fit(const struct hd_cpu_short_runs *job, size_t elements, size_t runs) {
  return is_sum(job->fold, job->kernel) && elements / LONG_MEAN < runs;
}

heddle_status hd_cpu_sum_runs(const struct hd_cpu_short_runs *job, const u32 *starts, size_t runs,
                              void *memory) {
  u64 *gained = memory, *totals = gained + GROUP;
  const u32 first = starts[0];
  heddle_status status = HEDDLE_OK;
  sums_of(job->fold->type)(job->x + (size_t)first * job->kernel->element_bytes,
                           starts[runs] - first, totals);
  for (size_t r = 0, n; r < runs && !status; r += n) {
    n = runs - r < GROUP ? runs - r : GROUP;
    for (size_t k = 0; k < n; k++)
      gained[k] = totals[starts[r + k + 1] - first] - totals[starts[r + k] - first];
    status =
        hd_cpu_fold_results(job->fold, job->kernel, gained, n, 1, job->out + r * job->out_bytes);
  }
  return status;
}

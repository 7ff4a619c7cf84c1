/* exact.h - exact sums on a device: what the room's files share */
#ifndef HEDDLE_CUDA_EXACT_EXACT_H
#define HEDDLE_CUDA_EXACT_EXACT_H

#include "cuda/core/choice.h"
#include "cuda/core/inside.h"
#include "cuda/rows/rows.h"
#include "order/exact/sum.h"

#include "kernels/exact/args.h" /* needs their types */

/* A sum under way. */
struct hd_cuda_exact_run {
  struct hd_fold fold;
  u32 element_bytes;
  cu_pointer sum; /* struct hd_exact; 0: the region that kernels leave cleared */
  u64 blocks;     /* that have added to it since its limbs were carried */
};

/* What of an array the launch depends on. */
struct hd_cuda_exact_array {
  u32 products, element_bytes; /* HD_EXACT_OF_VALUES and so on */
  bool skips;                  /* NaN */
  u32 align;   /* of a second array where the first one is a multiple of 16; else 16 */
  u64 vectors; /* of 16 bytes */
};
struct hd_cuda_exact_choice {
  struct hd_cuda_choice launch;
  u32 loads, stages, at_once; /* kernels/exact/span.h; blocks an SM, at least */
};

/* ---- choose.c -------------------------------------------------------------------------------- */

void hd_cuda_exact_choose(const struct hd_cuda_limits *limits,
                          const struct hd_cuda_exact_array *array,
                          struct hd_cuda_exact_choice *choice);

/* Which kernel takes rows in device memory. */
struct hd_cuda_exact_rows_choice {
  struct hd_cuda_choice launch, then; /* then: of segments' long ones, or none */
  bool by_array;                      /* each row is an array, and launch what one of them takes */
  u64 parts, each;                    /* of a row, and elements of one; 1: rows are not cut */
  u32 lanes;                          /* of held rows; 0: of other kernels */
};
/* What the choice depends on. */
struct hd_cuda_exact_rows {
  bool segments,
      plain; /* plain: nothing divides the sums or begins them, and they are no products of f64 */
  bool products;
  u32 element_bytes;
  u64 rows, length;
  i64 step, near; /* elements within a row, and between neighbours of the innermost other axis */
};
void hd_cuda_exact_choose_rows(const struct hd_cuda_limits *limits,
                               const struct hd_cuda_exact_rows *rows,
                               struct hd_cuda_exact_rows_choice *choice);

/* ---- exact.c --------------------------------------------------------------------------------- */

void hd_cuda_exact_run_start(struct hd_cuda_exact_run *run, const struct hd_fold *fold);
/* Memory for run->sum, of the call, cleared. */
heddle_status hd_cuda_exact_run_memory(struct hd_cuda_call *call, struct hd_cuda_exact_run *run);
void hd_cuda_exact_key(const struct hd_fold *fold, const char *file,
                       struct hd_cuda_kernel_key *key);
struct exact_result hd_cuda_exact_result(const struct hd_fold *fold);
/* Adds elements in device memory to run->sum. */
heddle_status hd_cuda_exact_append(struct hd_cuda_call *call, struct hd_cuda_exact_run *run,
                                   cu_pointer x, cu_pointer y, u64 count);
/* The result of run->sum and of so many elements more, to `out` in the device's reach. */
heddle_status hd_cuda_exact_result_of(struct hd_cuda_call *call, struct hd_cuda_exact_run *run,
                                      cu_pointer x, cu_pointer y, u64 count, cu_pointer out);

/* ---- rows.c: of a call under way ------------------------------------------------------------- */

heddle_status hd_cuda_exact_rows_in(struct hd_cuda_call *call, const struct hd_fold *fold,
                                    const void *x, const heddle_rows *rows, void *out);
/* Of found segments, arrays of the device. */
heddle_status hd_cuda_exact_found(struct hd_cuda_call *call, const struct hd_fold *fold,
                                  cu_pointer x, const struct hd_cuda_row_found *found,
                                  cu_pointer out);
/* Sums an array in device memory by segments; offsets and results are there, too. */
heddle_status hd_cuda_exact_segments(struct hd_cuda_call *call, const struct hd_fold *fold,
                                     cu_pointer x, cu_pointer offsets, u64 segments,
                                     cu_pointer out);

#endif

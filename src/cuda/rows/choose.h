/* choose.h - which kernels fold or scan rows, and how large their launches are */
#ifndef HEDDLE_CUDA_ROWS_CHOOSE_H
#define HEDDLE_CUDA_ROWS_CHOOSE_H

#include "cuda/core/choice.h"
#include "rows.h"

struct hd_cuda_rows_choice {
  struct hd_cuda_choice launch, then; /* then.kernel is NULL where one launch does it */
  bool columns;                       /* fold, per_thread and per_group */
  u32 width;                          /* fold, per_group: rows of a group */
  u32 pitch;                          /* fold, short: of rows in shared memory */
  u64 rows;                           /* fold, per_warp: of a warp; short: of a thread */
  u64 parts;                          /* of each row, 2^level chunks; 0: rows are not cut */
  u32 level;
  u32 stages; /* fold, segments: of a warp; 0: no bulk copies */
};

/* The rows of a view, whose elements are `step` apart. */
void hd_cuda_rows_choose_fold(const struct hd_cuda_limits *limits,
                              const struct hd_cuda_row_job *job, const struct row_view *view,
                              i64 step, struct hd_cuda_rows_choice *choice);
void hd_cuda_rows_choose_scan(const struct hd_cuda_limits *limits,
                              const struct hd_cuda_row_job *job, const struct row_view *view,
                              i64 step, struct hd_cuda_rows_choice *choice);

/* Rows whose parts share their counters: as many as the region of tickets has room for. */
enum { HD_ROW_COUNTERS = 16384 };

#endif

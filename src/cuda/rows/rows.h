/* rows.h - segments and rows of a strided array, as the device's kernels see them
 *
 * rows.c       from a heddle_rows to what a kernel takes; which rows lie close together
 * staging.c  rows of host arrays on their way to the device
 * job.c   totals of rows: sizes, defines, what they begin and end with
 * fold.c, scan.c  the entries */
#ifndef HEDDLE_CUDA_ROWS_ROWS_H
#define HEDDLE_CUDA_ROWS_ROWS_H

#include "cuda/core/inside.h"
#include "cuda/fold/fold.h"

#include "kernels/rows/args.h" /* needs their types */

/* ---- rows.c ---------------------------------------------------------------------------------- */

struct hd_cuda_row_plan {
  struct row_view view; /* of all rows; offsets are set when they are on the device */
  i64 step;
  bool segments;
  const u64 *offsets; /* in host memory; NULL: rows of an axis, or offsets on the device */
  u64 *fetched;       /* a copy that hd_cuda_row_see_offsets made */
};

/* From a checked heddle_rows. Axes of length 1 are left out, and axes that lie as one are one. */
void hd_cuda_row_plan_make(struct hd_cuda_row_plan *plan, const heddle_rows *rows, bool on_device);

/* Elements of all rows; not for offsets on the device. */
u64 hd_cuda_row_elements(const struct hd_cuda_row_plan *plan);

/* Elements `low` to `high` - 1 of the array hold rows r to r + rows - 1, of which one has elements.
 * For an axis the rows are a whole number of runs, as hd_cuda_row_run gives them. */
void hd_cuda_row_span(const struct hd_cuda_row_plan *plan, u64 r, u64 rows, i64 *low, i64 *high);
/* The most rows from r on whose span has at most `most` elements; 0: not even one. */
u64 hd_cuda_row_run(const struct hd_cuda_row_plan *plan, u64 r, u64 most);
/* Rows r to r + rows - 1 alone. */
struct row_view hd_cuda_row_part(const struct hd_cuda_row_plan *plan, u64 r, u64 rows);
/* Where row r starts in the array, and how long it is; not for offsets on the device. */
void hd_cuda_row_place(const struct hd_cuda_row_plan *plan, u64 r, i64 *start, u64 *length);

/* Segments that the device has found; the host knows how many there are at most. */
struct hd_cuda_row_found {
  cu_pointer offsets, count; /* u64 each; count: of segments */
  u64 most;
};
static inline struct row_view hd_cuda_row_found_view(const struct hd_cuda_row_found *found) {
  return (struct row_view){.offsets = found->offsets,
                           .count = found->count,
                           .rows = found->most,
                           .dims = 1,
                           .shape = {1}};
}

/* ---- fold.c, scan.c: the same of a call under way -------------------------------------------- */

heddle_status hd_cuda_fold_rows_in(struct hd_cuda_call *call, const struct hd_fold *fold,
                                   const void *x, const void *y, const heddle_rows *rows,
                                   struct hd_fold_out out);
heddle_status hd_cuda_scan_rows_in(struct hd_cuda_call *call, const struct hd_scan *scan,
                                   const void *in, const heddle_rows *rows, void *out);
/* Of found segments, arrays of the device. */
heddle_status hd_cuda_fold_found(struct hd_cuda_call *call, const struct hd_fold *fold,
                                 cu_pointer x, const struct hd_cuda_row_found *found, void *out);
heddle_status hd_cuda_scan_found(struct hd_cuda_call *call, const struct hd_scan *scan,
                                 cu_pointer in, const struct hd_cuda_row_found *found,
                                 cu_pointer out);

/* ---- staging.c ------------------------------------------------------------------------------- */

/* Queues work on the rows of a view, whose array begins at x (and y), as far as they can be reached
 * there; r is the number of its first row among all rows. */
typedef heddle_status hd_cuda_row_work(void *arg, const struct row_view *view, i64 step, u64 r,
                                       cu_pointer x, cu_pointer y);
/* A row that is more than a part comes piece by piece: its elements `at` to at + n - 1, tight at x
 * and y on the device. */
typedef heddle_status hd_cuda_row_long(void *arg, u64 r, u64 at, size_t n, u64 length, cu_pointer x,
                                       cu_pointer y);

/* Offsets on the device are copied here if x or y (or NULL) is host memory: plan->offsets. */
heddle_status hd_cuda_row_see_offsets(struct hd_cuda_call *call, struct hd_cuda_row_plan *plan,
                                      const void *x, const void *y);
/* The same wherever arrays are; the call waits for them. */
heddle_status hd_cuda_row_fetch_offsets(struct hd_cuda_call *call, struct hd_cuda_row_plan *plan);
void hd_cuda_row_plan_end(struct hd_cuda_call *call, struct hd_cuda_row_plan *plan);

/* Calls work for all rows, part by part if an array is in host memory, and `too_long` for rows
 * larger than a part. */
heddle_status hd_cuda_row_copy_in(struct hd_cuda_call *call, struct hd_cuda_row_plan *plan,
                                  const void *x, const void *y, size_t element_bytes,
                                  hd_cuda_row_work *work, hd_cuda_row_long *too_long, void *arg);

/* ---- job.c ---------------------------------------------------------------------------------- */

struct hd_cuda_row_job {
  const struct hd_fold *fold;
  u32 total_bytes, element_bytes, out_bytes;
  bool is_number; /* totals are registers: no places, moments or custom elements */
  u32 chunk;      /* elements, as the kernels of rows count them */
  struct total_ends ends;
};
heddle_status hd_cuda_row_job_make(struct hd_cuda_row_job *job, const struct hd_fold *fold);
/* The key of a kernel of `file` that reads rows: operator, type, how rows lie. */
void hd_cuda_row_key(const struct hd_cuda_row_job *job, const char *file, bool segments,
                     bool strided, bool quads, struct hd_cuda_kernel_key *key);

/* ---- fold.c --------------------------------------------------------------------------------- */

/* Folds an array in device memory by segments; offsets and results are there, too. */
heddle_status hd_cuda_fold_segments(struct hd_cuda_call *call, const struct hd_fold *fold,
                                    cu_pointer x, cu_pointer offsets, u64 segments, cu_pointer out);

#endif

/* columns.c - columns of rows brought together, then folded as segments: kernels/groups/columns.cu
 *
 * Method   Some columns at a time become arrays in the order of groups, one behind the other; their groups are the
 *          segments of one array. One column whose rows are in order is such an array as it is.
 * Memory   a few columns, and their results */
#include "cuda/exact/exact.h"
#include "cuda/rows/rows.h"
#include "groups.h"

enum {
  THREADS = 256,
  MOST_COLUMNS = 16,        /* that a thread reads of its row */
  COLUMNS_BYTES = 512 << 20 /* of some columns, or one */
};

heddle_status hd_cuda_groups_segments(const struct hd_cuda_groups_fold *f, cu_pointer x,
                                      cu_pointer offsets, u64 segments, cu_pointer out) {
  return f->fold->exact ? hd_cuda_exact_segments(f->call, f->fold, x, offsets, segments, out)
                        : hd_cuda_fold_segments(f->call, f->fold, x, offsets, segments, out);
}

static heddle_status launch(const struct hd_cuda_groups_fold *f, const char *name, u32 unit,
                            u64 work, const struct groups_columns_args *a) {
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  hd_cuda_kernel_file(&key, "groups/columns.cu");
  hd_cuda_kernel_define(&key, "HEDDLE_UNIT", unit);
  hd_cuda_kernel_define(&key, "HEDDLE_ORDER_BYTES", f->groups->order_bytes);
  HD_TRY(hd_cuda_kernel(f->call, &key, name, THREADS, 0, &kernel));
  const u64 blocks = (work + THREADS - 1) / THREADS;
  return hd_cuda_launch(f->call, &kernel,
                        hd_cuda_search_blocks(f->call, &kernel, blocks ? blocks : 1), a, sizeof *a);
}

/* Columns first .. first + columns - 1. */
static heddle_status fold_some(const struct hd_cuda_groups_fold *f, u64 first, u64 columns) {
  const struct hd_cuda_groups *g = f->groups;
  struct groups_columns_args to = {.in = f->in,
                                   .order = g->order,
                                   .count = g->count,
                                   .width = f->width,
                                   .first = first,
                                   .columns = columns,
                                   .offsets = g->offsets,
                                   .groups = g->groups};
  struct groups_columns_args back = to;
  const u64 results = columns * g->groups;
  HD_TRY(hd_cuda_scratch(f->call, (size_t)(columns * g->count * f->element_bytes), &to.out));
  HD_TRY(hd_cuda_scratch(f->call, (size_t)(results + 1) * sizeof(u64), &to.offsets_out));
  HD_TRY(hd_cuda_scratch(f->call, (size_t)(results * f->out_bytes), &back.in));
  back.out = f->out;
  if (g->count) HD_TRY(launch(f, "heddle_groups_columns", f->element_bytes, g->count, &to));
  HD_TRY(launch(f, "heddle_groups_spread", f->element_bytes, g->groups, &to));
  HD_TRY(hd_cuda_groups_segments(f, to.out, to.offsets_out, results, back.in));
  return launch(f, "heddle_groups_results", f->out_bytes, g->groups, &back);
}

heddle_status hd_cuda_groups_columns(const struct hd_cuda_groups_fold *f) {
  const struct hd_cuda_groups *g = f->groups;
  if (f->width == 1 && !g->order)
    return hd_cuda_groups_segments(f, f->in, g->offsets, g->groups, f->out);
  u64 columns = MOST_COLUMNS;
  const u64 each = g->count * f->element_bytes + g->groups * (sizeof(u64) + f->out_bytes);
  while (columns > 1 && columns * each > COLUMNS_BYTES) columns /= 2;
  for (u64 first = 0; first < f->width; first += columns) {
    const struct hd_cuda_mark mark = hd_cuda_scratch_mark(f->call);
    const u64 left = f->width - first;
    HD_TRY(fold_some(f, first, left < columns ? left : columns));
    hd_cuda_scratch_reset(f->call, mark); /* the next ones are behind it on the stream */
  }
  return HEDDLE_OK;
}

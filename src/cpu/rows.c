/* rows.c - walking the rows of segments or of one axis of a strided array
 *
 * Rows of an axis are counted in C order of the other axes, so that a row's number gives its
 * place by one division an axis. */
#include "rows.h"

void hd_cpu_row_walk_start(struct hd_cpu_row_walk *walk, const heddle_rows *rows) {
  *walk = (struct hd_cpu_row_walk){rows, 1, 0, 0, 1};
  if (rows->offsets) {
    walk->count = rows->segments;
    walk->elements = rows->segments ? rows->offsets[rows->segments] - rows->offsets[0] : 0;
    return;
  }
  for (size_t d = 0; d < rows->dims; d++) {
    if (d == rows->axis) continue;
    walk->count *= rows->shape[d];
    walk->inner = hd_rows_stride(rows, d);
    walk->inner_run = rows->shape[d];
  }
  walk->elements = walk->count * rows->shape[rows->axis];
}

struct hd_cpu_row hd_cpu_row_at(const struct hd_cpu_row_walk *walk, u64 index) {
  const heddle_rows *rows = walk->rows;
  if (rows->offsets)
    return (struct hd_cpu_row){(i64)rows->offsets[index], 1,
                               rows->offsets[index + 1] - rows->offsets[index]};
  struct hd_cpu_row row = {0, hd_rows_stride(rows, rows->axis), rows->shape[rows->axis]};
  for (size_t d = rows->dims; d-- > 0;) {
    if (d == rows->axis) continue;
    row.start += (i64)(index % rows->shape[d]) * hd_rows_stride(rows, d);
    index /= rows->shape[d];
  }
  return row;
}

void hd_cpu_row_walk_merge(struct hd_cpu_row_walk *walk) {
  const heddle_rows *rows = walk->rows;
  u64 count = 1;
  if (rows->offsets) return;
  walk->inner_run = 1;
  for (size_t d = rows->dims; d-- > 0;) {
    const u64 n = rows->shape[d];
    if (d == rows->axis) continue;
    const i64 stride = hd_rows_stride(rows, d);
    if (count == 1) walk->inner = stride;
    if (walk->inner_run == count && stride == walk->inner * (i64)count) walk->inner_run *= n;
    count *= n;
  }
}

struct hd_cpu_even_runs hd_cpu_row_walk_even(const struct hd_cpu_row_walk *walk) {
  const heddle_rows *rows = walk->rows;
  struct hd_cpu_even_runs even = {1, 0};
  u64 count = 1;
  if (rows->offsets) return even;
  for (size_t d = rows->dims; d-- > 0;) {
    const u64 n = rows->shape[d];
    if (d == rows->axis || n == 1) continue;
    if (count < walk->inner_run) { /* an axis of the run */
      count *= n;
      continue;
    }
    const i64 stride = hd_rows_stride(rows, d);
    if (even.runs == 1)
      even.apart = stride;
    else if (stride != even.apart * (i64)even.runs)
      break;
    even.runs *= n;
  }
  return even;
}

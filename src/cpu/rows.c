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
    if (index < rows->shape[d]) { /* nor have those in front another one than 0 */
      row.start += (i64)index * hd_rows_stride(rows, d);
      break;
    }
    row.start += (i64)(index % rows->shape[d]) * hd_rows_stride(rows, d);
    index /= rows->shape[d];
  }
  return row;
}

void hd_cpu_row_cursor_start(struct hd_cpu_row_cursor *c, const struct hd_cpu_row_walk *from,
                             const struct hd_cpu_row_walk *to, u64 row) {
  c->from = from, c->to = to;
  c->from_start = c->to_start = 0;
  c->in_run = row % from->inner_run;
  for (size_t d = from->rows->dims; d-- > 0;) {
    if (d == from->rows->axis) continue;
    c->index[d] = row % from->rows->shape[d];
    c->from_start += (i64)c->index[d] * hd_rows_stride(from->rows, d);
    c->to_start += (i64)c->index[d] * hd_rows_stride(to->rows, d);
    row /= from->rows->shape[d];
  }
}

void hd_cpu_row_cursor_advance(struct hd_cpu_row_cursor *c, u64 rows) {
  const heddle_rows *from = c->from->rows, *to = c->to->rows;
  c->in_run += rows;
  if (c->in_run >= c->from->inner_run) c->in_run = 0;
  for (size_t d = from->dims; rows && d-- > 0;) {
    if (d == from->axis) continue;
    const u64 n = from->shape[d], before = c->index[d], at = before + rows;
    rows = at < n ? 0 : at - n < n ? 1 : at / n; /* mostly one: no division */
    c->index[d] = at - rows * n;
    const i64 moved = (i64)(c->index[d] - before);
    c->from_start += moved * hd_rows_stride(from, d);
    c->to_start += moved * hd_rows_stride(to, d);
  }
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

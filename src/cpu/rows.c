/* rows.c - walking the rows of segments or of one axis of a strided array
 *
 * Rows of an axis are counted in C order of the other axes, so that a row's number gives its
 * place by one division an axis. */
#include "rows.h"

/* The stride of dimension d in elements: given, or that of C order without gaps. */
static i64 stride_of(const heddle_rows *rows, size_t d) {
  if (rows->strides) return rows->strides[d];
  i64 stride = 1;
  for (size_t i = rows->dims - 1; i > d; i--) stride *= (i64)rows->shape[i];
  return stride;
}

void hd_row_walk_start(struct hd_row_walk *walk, const heddle_rows *rows) {
  *walk = (struct hd_row_walk){rows, 1, 0, 0, 1};
  if (rows->offsets) {
    walk->count = rows->segments;
    walk->elements = rows->segments ? rows->offsets[rows->segments] - rows->offsets[0] : 0;
    return;
  }
  for (size_t d = 0; d < rows->dims; d++) {
    if (d == rows->axis) continue;
    walk->count *= rows->shape[d];
    walk->inner = stride_of(rows, d);
    walk->inner_run = rows->shape[d];
  }
  walk->elements = walk->count * rows->shape[rows->axis];
}

struct hd_row hd_row_at(const struct hd_row_walk *walk, u64 index) {
  const heddle_rows *rows = walk->rows;
  if (rows->offsets)
    return (struct hd_row){(i64)rows->offsets[index], 1,
                           rows->offsets[index + 1] - rows->offsets[index]};
  struct hd_row row = {0, stride_of(rows, rows->axis), rows->shape[rows->axis]};
  for (size_t d = rows->dims; d-- > 0;) {
    if (d == rows->axis) continue;
    row.start += (i64)(index % rows->shape[d]) * stride_of(rows, d);
    index /= rows->shape[d];
  }
  return row;
}

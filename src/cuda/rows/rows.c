/* rows.c - from a heddle_rows to what a kernel takes
 *
 * Method   Kernels find a row by one division for each axis other than its own. Adjacent axes are
 *          therefore made one if their strides allow it: a C-ordered array has at most two left. */
#include "rows.h"

#include <assert.h>

void hd_cuda_row_plan_make(struct hd_cuda_row_plan *plan, const heddle_rows *rows, bool on_device) {
  struct row_view *view = &plan->view;
  *plan = (struct hd_cuda_row_plan){.step = 1, .segments = rows->offsets != NULL};
  view->dims = 1;
  view->shape[0] = 1;
  if (rows->offsets) {
    view->rows = rows->segments;
    if (!on_device) plan->offsets = rows->offsets;
    return;
  }
  u64 dims = 0;
  view->rows = 1;
  view->length = rows->shape[rows->axis];
  plan->step = hd_rows_stride(rows, rows->axis);
  for (size_t d = rows->dims; d-- > 0;) {
    const u64 shape = rows->shape[d];
    const i64 stride = hd_rows_stride(rows, d);
    if (d == rows->axis) continue;
    view->rows *= shape;
    if (shape == 1 || !view->rows) continue;
    if (dims && stride == (i64)view->shape[dims - 1] * view->stride[dims - 1]) {
      view->shape[dims - 1] *= shape;
      continue;
    }
    view->shape[dims] = shape;
    view->stride[dims++] = stride;
  }
  if (dims) view->dims = dims;
}

u64 hd_cuda_row_elements(const struct hd_cuda_row_plan *plan) {
  if (!plan->segments) return plan->view.rows * plan->view.length;
  assert(plan->offsets || !plan->view.rows);
  return plan->view.rows ? plan->offsets[plan->view.rows] - plan->offsets[0] : 0;
}

void hd_cuda_row_place(const struct hd_cuda_row_plan *plan, u64 r, i64 *start, u64 *length) {
  const struct row_view *view = &plan->view;
  *start = 0;
  *length = view->length;
  if (plan->offsets) {
    *start = (i64)plan->offsets[r];
    *length = plan->offsets[r + 1] - plan->offsets[r];
    return;
  }
  for (u64 d = 0; d < view->dims; d++) {
    *start += (i64)(r % view->shape[d]) * view->stride[d];
    r /= view->shape[d];
  }
}

/* Makes [*low, *high) hold what lies n - 1 steps further, too. */
static void widen(i64 *low, i64 *high, i64 step, u64 n) {
  const i64 reach = step * (i64)(n - 1);
  if (reach < 0)
    *low += reach;
  else
    *high += reach;
}

void hd_cuda_row_span(const struct hd_cuda_row_plan *plan, u64 r, u64 rows, i64 *low, i64 *high) {
  const struct row_view *view = &plan->view;
  u64 length;
  hd_cuda_row_place(plan, r, low, &length);
  if (plan->offsets) {
    *high = (i64)plan->offsets[r + rows];
    return;
  }
  *high = *low + 1;
  widen(low, high, plan->step, length);
  for (u64 d = 0; d < view->dims && rows > 1; d++) {
    const u64 n = rows < view->shape[d] ? rows : view->shape[d];
    widen(low, high, view->stride[d], n);
    rows = (rows + n - 1) / n;
  }
}

u64 hd_cuda_row_run(const struct hd_cuda_row_plan *plan, u64 r, u64 most) {
  const struct row_view *view = &plan->view;
  i64 low, high;
  if (plan->offsets) {
    u64 least = 0, end = view->rows - r; /* binary search for the last row that fits */
    while (least < end) {
      const u64 middle = least + (end - least + 1) / 2;
      if (plan->offsets[r + middle] - plan->offsets[r] <= most)
        least = middle;
      else
        end = middle - 1;
    }
    return least;
  }
  /* Whole inner axes, as long as row r begins one, then as much of the next as fits. */
  u64 inner = 1, best = 0;
  for (u64 d = 0; d < view->dims; d++) {
    u64 least = 0, end = view->shape[d] - r / inner % view->shape[d];
    while (least < end) {
      const u64 middle = least + (end - least + 1) / 2;
      hd_cuda_row_span(plan, r, middle * inner, &low, &high);
      if ((u64)(high - low) <= most)
        least = middle;
      else
        end = middle - 1;
    }
    if (least) best = least * inner;
    if (least < view->shape[d]) break;
    inner *= view->shape[d];
  }
  return best;
}

struct row_view hd_cuda_row_part(const struct hd_cuda_row_plan *plan, u64 r, u64 rows) {
  struct row_view view = plan->view;
  if (plan->segments)
    view.offsets += r * sizeof(u64);
  else
    view.first = r;
  view.rows = rows;
  return view;
}

/* points.c - slices of points in device memory; see points.h
 *
 * Method   A column of the host goes through the pinned slices of cuda/staging as it is if it is dense. Of
 *          columns that share rows the rows are copied, once for all axes; of others the elements are put
 *          side by side before, by the calling thread.
 * Limits   rows are shared where they are less than twice as long as there are axes */
#include "points.h"

#include <string.h>

#include "cuda/core/inside.h"
#include "cuda/staging/move.h"
#include "host/status.h"

enum { LEAST_SLICE = 1 << 16 };

/* ---- where everything is --------------------------------------------------------------------- */

/* The first byte in memory of n elements of a column, and how many bytes there are to the last one. */
static const char *span_of(const char *column, ptrdiff_t stride, size_t n, size_t element,
                           size_t *bytes) {
  const size_t reach = n ? (n - 1) * (stride < 0 ? 0 - (size_t)stride : (size_t)stride) : 0;
  *bytes = n ? (reach + 1) * element : 0;
  return stride < 0 ? column - reach * element : column;
}

/* Whether all columns lie in rows of the same length, which are then copied. */
static void find_rows(struct hd_cuda_points *p) {
  const struct hd_histogram_nd *job = p->job;
  const ptrdiff_t stride = job->strides[0];
  const char *low = p->column[0], *high = low;
  if (job->dims < 2 || stride < 2 || (size_t)stride > 2 * job->dims) return;
  for (size_t d = 0; d < job->dims; d++) {
    const char *column = p->column[d];
    const ptrdiff_t off = column - p->column[0];
    if (job->strides[d] != stride || p->space[d] == HD_SPACE_DEVICE) return;
    if (off % (ptrdiff_t)p->element_bytes) return;
    low = column < low ? column : low;
    high = column > high ? column : high;
  }
  if ((size_t)(high - low) >= (size_t)stride * p->element_bytes) return;
  p->row = (size_t)stride;
  p->row_bytes = (size_t)(high - low) + p->element_bytes;
  p->first = low;
}

heddle_status hd_cuda_points_find(struct hd_cuda_call *call, const struct hd_histogram_nd *job,
                                  const void *const *columns, const void *weights, size_t count,
                                  struct hd_cuda_points *p) {
  *p = (struct hd_cuda_points){.call = call, .job = job, .count = count, .weights = weights};
  p->element_bytes = heddle_type_size(job->type);
  p->weight_bytes = heddle_type_size(job->weights_type); /* 0: none */
  for (size_t d = 0; d < job->dims; d++) {
    size_t bytes;
    p->column[d] = columns[d];
    const char *first = span_of(p->column[d], job->strides[d], count, p->element_bytes, &bytes);
    HD_TRY(hd_cuda_find_space(call, "columns", first, bytes, p->element_bytes, &p->space[d]));
    p->on_host = p->on_host || p->space[d] != HD_SPACE_DEVICE;
  }
  if (p->weight_bytes) {
    HD_TRY(hd_cuda_find_space(call, "options->weights", weights, count * p->weight_bytes,
                              p->weight_bytes, &p->weights_space));
    p->on_host = p->on_host || p->weights_space != HD_SPACE_DEVICE;
  }
  if (p->on_host && count) {
    find_rows(p);
    call->synchronous = true; /* the caller's memory may change when the call returns */
    if (!call->preparing) return hd_cuda_no_capture(call, "copying host memory");
  }
  return HEDDLE_OK;
}

/* ---- room ------------------------------------------------------------------------------------ */

static bool is_dense(const struct hd_cuda_points *p, size_t d) { return p->job->strides[d] == 1; }

static heddle_status take_room(struct hd_cuda_points *p) {
  const size_t n = p->most;
  if (p->row) return hd_cuda_scratch(p->call, n * p->row * p->element_bytes, &p->copy[0]);
  for (size_t d = 0; d < p->job->dims; d++)
    if (p->space[d] != HD_SPACE_DEVICE)
      HD_TRY(hd_cuda_scratch(p->call, n * p->element_bytes, &p->copy[d]));
  return HEDDLE_OK;
}

static heddle_status take_weights_room(struct hd_cuda_points *p) {
  if (!p->weight_bytes || p->weights_space == HD_SPACE_DEVICE) return HEDDLE_OK;
  return hd_cuda_scratch(p->call, p->most * p->weight_bytes, &p->weights_copy);
}

heddle_status hd_cuda_points_room(struct hd_cuda_points *p, size_t most) {
  const struct hd_cuda_mark mark = hd_cuda_scratch_mark(p->call);
  struct hd_message kept;
  bool gathers = false;
  hd_message_keep(&kept);
  p->most = p->count < most ? p->count : most;
  for (; p->on_host && p->count; p->most /= 2) {
    heddle_status status = take_room(p);
    if (!status) status = take_weights_room(p);
    if (!status) hd_message_restore(&kept);
    if (!status) break;
    if (status != HEDDLE_OUT_OF_MEMORY || p->most < LEAST_SLICE) return status;
    hd_cuda_scratch_retry(p->call, mark);
  }
  for (size_t d = 0; d < p->job->dims; d++)
    gathers = gathers || (p->space[d] != HD_SPACE_DEVICE && !is_dense(p, d) && !p->row);
  if (!gathers || !p->count) return HEDDLE_OK;
  p->tight_bytes = p->most * p->element_bytes;
  p->tight = hd_allocate(p->call->ctx, p->tight_bytes);
  return p->tight ? HEDDLE_OK : HEDDLE_OUT_OF_MEMORY;
}

void hd_cuda_points_end(struct hd_cuda_points *p) {
  if (p->tight) hd_release(p->call->ctx, p->tight, p->tight_bytes);
  p->tight = NULL;
}

/* ---- a slice --------------------------------------------------------------------------------- */

static heddle_status copy(struct hd_cuda_points *p, const char *what, const void *from,
                          enum hd_cuda_memory_space space, cu_pointer to, size_t bytes) {
  const struct hd_cuda_operand operand = {
      .what = what, .in = from, .element_bytes = 1, .space = space};
  return bytes ? hd_cuda_move(p->call, operand, to, bytes) : HEDDLE_OK;
}

/* n elements side by side at p->tight. */
static void gather(struct hd_cuda_points *p, const char *from, ptrdiff_t stride, size_t n) {
  const size_t bytes = p->element_bytes;
  char *to = p->tight;
  for (size_t i = 0; i < n; i++)
    memcpy(to + i * bytes, from + (ptrdiff_t)i * stride * (ptrdiff_t)bytes, bytes);
}

static heddle_status place_axis(struct hd_cuda_points *p, size_t d,
                                struct hd_cuda_some_points *some) {
  const ptrdiff_t stride = p->job->strides[d];
  const ptrdiff_t skip = (ptrdiff_t)some->at * stride * (ptrdiff_t)p->element_bytes;
  const char *from = p->column[d] + skip;
  some->stride[d] = stride;
  if (p->space[d] == HD_SPACE_DEVICE) {
    some->column[d] = (cu_pointer)(uintptr_t)from;
    return HEDDLE_OK;
  }
  some->stride[d] = 1;
  some->column[d] = p->copy[d];
  if (p->call->preparing) return HEDDLE_OK;
  if (is_dense(p, d))
    return copy(p, "columns", from, p->space[d], p->copy[d], some->n * p->element_bytes);
  gather(p, from, stride, some->n);
  return copy(p, "columns", p->tight, HD_SPACE_HOST, p->copy[d], some->n * p->element_bytes);
}

static heddle_status place_rows(struct hd_cuda_points *p, struct hd_cuda_some_points *some) {
  const size_t row = p->row * p->element_bytes;
  for (size_t d = 0; d < p->job->dims; d++) {
    some->column[d] = p->copy[0] + (cu_pointer)(p->column[d] - p->first);
    some->stride[d] = (ptrdiff_t)p->row;
  }
  if (!some->n) return HEDDLE_OK;
  return copy(p, "columns", p->first + some->at * row, p->space[0], p->copy[0],
              (some->n - 1) * row + p->row_bytes);
}

static heddle_status place_weights(struct hd_cuda_points *p, struct hd_cuda_some_points *some) {
  const char *from = p->weights + some->at * p->weight_bytes;
  some->weights = (cu_pointer)(uintptr_t)from;
  if (p->weights_space == HD_SPACE_DEVICE) return HEDDLE_OK;
  some->weights = p->weights_copy;
  return copy(p, "options->weights", from, p->weights_space, p->weights_copy,
              some->n * p->weight_bytes);
}

heddle_status hd_cuda_points_place(struct hd_cuda_points *p, unsigned axes, bool weights,
                                   struct hd_cuda_some_points *some) {
  const size_t left = p->count - some->at;
  some->n = left < p->most ? left : p->most;
  some->weights = 0;
  if (hd_poll(&p->call->token)) return hd_cancellation_status(&p->call->token, p->call->entry);
  if (p->row) HD_TRY(place_rows(p, some));
  for (size_t d = 0; d < p->job->dims && !p->row; d++)
    if (axes >> d & 1) HD_TRY(place_axis(p, d, some));
  return weights && p->weight_bytes ? place_weights(p, some) : HEDDLE_OK;
}

/* staging.c - rows of host arrays on their way to the device
 *
 * Result   work is queued for all rows: on the arrays as they are where they are the device's, else
 *          on parts of them in scratch
 * Method   A part is as many rows as lie within PART_BYTES of the array: whole inner axes of a
 *          strided array, any run of segments. It is copied through the pinned slices
 *          (cuda/staging/staging.c), or straight from pinned memory, and folded in place. Rows with
 *          a span of more than a part each are gathered on the host first; a row with more elements
 *          than a part comes in pieces.
 * Limits   scratch: one part of each array */
#include <string.h>

#include "host/status.h"
#include "rows.h"

#define PART_BYTES ((u64)1 << 30)

struct transfer {
  struct hd_cuda_call *call;
  struct hd_cuda_row_plan *plan;
  const char *array[2];
  enum hd_cuda_memory_space space[2];
  cu_pointer part[2]; /* in scratch, for arrays of the host */
  u64 most;           /* elements of a part */
  u32 element_bytes;
  unsigned arrays;
  char *tight; /* gathered rows, or NULL */
  hd_cuda_row_work *work;
  hd_cuda_row_long *too_long;
  void *arg;
};

static cu_pointer address(const void *pointer) { return (cu_pointer)(uintptr_t)pointer; }

/* ---- copies ---------------------------------------------------------------------------------- */

struct copy {
  struct hd_cuda_call *call;
  cu_pointer to;
};

static heddle_status copy_slice(void *arg, u64 first, size_t n, const cu_pointer *device) {
  const struct copy *copy = arg;
  return hd_cuda_check(
      copy->call, copy->call->cu->copy_device(copy->to + first, device[0], n, copy->call->stream),
      "copying rows");
}

static heddle_status copy_in(struct transfer *p, cu_pointer to, const char *from, size_t bytes,
                             enum hd_cuda_memory_space space) {
  struct copy copy = {p->call, to};
  struct hd_cuda_operand operand = {
      .what = "in", .in = from, .element_bytes = 1, .space = HD_SPACE_HOST};
  if (!bytes || p->call->preparing) return HEDDLE_OK;
  if (space == HD_SPACE_PINNED) {
    p->call->cuda->used = true;
    return hd_cuda_check(p->call, p->call->cu->copy_in(to, from, bytes, p->call->stream),
                         "copying rows to the device");
  }
  return hd_cuda_slices(p->call, &operand, 1, bytes, 1, copy_slice, &copy);
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* Rows r to r + rows - 1, which lie within a part. */
static heddle_status pass_part(struct transfer *p, u64 r, u64 rows) {
  const struct row_view view = hd_cuda_row_part(p->plan, r, rows);
  cu_pointer base[2] = {0, 0};
  i64 low, high;
  hd_cuda_row_span(p->plan, r, rows, &low, &high);
  for (unsigned i = 0; i < p->arrays; i++) {
    base[i] = address(p->array[i]);
    if (p->space[i] == HD_SPACE_DEVICE) continue;
    HD_TRY(copy_in(p, p->part[i], p->array[i] + low * (i64)p->element_bytes,
                   (size_t)(high - low) * p->element_bytes, p->space[i]));
    base[i] = p->part[i] - (cu_pointer)(low * (i64)p->element_bytes);
  }
  return p->work(p->arg, &view, p->plan->step, r, base[0], base[1]);
}

/* n elements, `step` apart from each other, tight at `to`. */
static void gather(char *to, const char *from, i64 step, u64 n, size_t bytes) {
  for (u64 e = 0; e < n; e++) memcpy(to + e * bytes, from + (i64)e * step * (i64)bytes, bytes);
}

/* Elements `at` and on of rows r and on, `rows` of them or, of one row, a piece of n elements:
 * tight in scratch. */
static heddle_status copy_in_tight(struct transfer *p, u64 r, u64 rows, u64 at, u64 n,
                                   cu_pointer base[2]) {
  const struct hd_cuda_row_plan *plan = p->plan;
  const size_t bytes = p->element_bytes;
  for (unsigned i = 0; i < p->arrays; i++) {
    if (p->space[i] == HD_SPACE_DEVICE)
      return hd_fail(HEDDLE_UNSUPPORTED,
                     "%s: rows of a host array that span more than a GiB are gathered, but the "
                     "other array is device memory; give both as one kind",
                     p->call->entry);
    if (!p->tight) p->tight = hd_allocate(p->call->ctx, (size_t)p->most * bytes);
    if (!p->tight) return HEDDLE_OUT_OF_MEMORY;
    for (u64 k = 0; k < rows && !p->call->preparing; k++) {
      i64 start;
      u64 length;
      hd_cuda_row_place(plan, r + k, &start, &length);
      gather(p->tight + k * n * bytes, p->array[i] + (start + (i64)at * plan->step) * (i64)bytes,
             plan->step, n, bytes);
    }
    base[i] = p->part[i];
    HD_TRY(copy_in(p, base[i], p->tight, (size_t)(rows * n) * bytes, HD_SPACE_HOST));
  }
  return HEDDLE_OK;
}

/* Rows of an axis that each span more than a part, but have no more elements. */
static heddle_status pass_gathered(struct transfer *p, u64 r, u64 *rows) {
  const u64 length = p->plan->view.length, left = p->plan->view.rows - r;
  cu_pointer base[2] = {0, 0};
  *rows = p->most / length < left ? p->most / length : left;
  HD_TRY(copy_in_tight(p, r, *rows, 0, length, base));
  const struct row_view view = {
      .rows = *rows, .length = length, .dims = 1, .shape = {*rows}, .stride = {(i64)length}};
  return p->work(p->arg, &view, 1, r, base[0], base[1]);
}

/* A row that has more elements than a part. */
static heddle_status pass_long(struct transfer *p, u64 r, i64 start, u64 length) {
  cu_pointer base[2] = {0, 0};
  const u64 most = p->most & ~(u64)65535; /* whole chunks */
  for (u64 at = 0; at < length; at += most) {
    const u64 n = length - at < most ? length - at : most;
    if (hd_poll(&p->call->token)) return hd_cancellation_status(&p->call->token, p->call->entry);
    if (p->plan->step != 1) HD_TRY(copy_in_tight(p, r, 1, at, n, base));
    for (unsigned i = 0; i < p->arrays && p->plan->step == 1; i++) {
      const char *from = p->array[i] + (start + (i64)at) * (i64)p->element_bytes;
      base[i] = p->space[i] == HD_SPACE_DEVICE ? address(from) : p->part[i];
      if (p->space[i] != HD_SPACE_DEVICE)
        HD_TRY(copy_in(p, base[i], from, (size_t)n * p->element_bytes, p->space[i]));
    }
    HD_TRY(p->too_long(p->arg, r, at, (size_t)n, length, base[0], base[1]));
  }
  return HEDDLE_OK;
}

static heddle_status pass(struct transfer *p) {
  for (u64 r = 0; r < p->plan->view.rows;) {
    i64 start;
    u64 length, rows = hd_cuda_row_run(p->plan, r, p->most);
    if (hd_poll(&p->call->token)) return hd_cancellation_status(&p->call->token, p->call->entry);
    hd_cuda_row_place(p->plan, r, &start, &length);
    if (rows) {
      HD_TRY(pass_part(p, r, rows));
    } else if (length > p->most || p->plan->segments) {
      HD_TRY(pass_long(p, r, start, length));
      rows = 1;
    } else {
      HD_TRY(pass_gathered(p, r, &rows));
    }
    r += rows;
  }
  return HEDDLE_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Scratch for a part, smaller where the device has not enough memory. */
static heddle_status take_scratch(struct transfer *p, u64 elements) {
  const struct hd_cuda_mark mark = hd_cuda_scratch_mark(p->call);
  struct hd_message kept;
  hd_message_keep(&kept);
  for (p->most = PART_BYTES / p->element_bytes;; p->most /= 2) {
    const u64 n = elements < p->most ? elements : p->most;
    heddle_status status = HEDDLE_OK;
    for (unsigned i = 0; i < p->arrays && !status; i++)
      if (p->space[i] != HD_SPACE_DEVICE)
        status = hd_cuda_scratch(p->call, (size_t)n * p->element_bytes, &p->part[i]);
    if (!status) hd_message_restore(&kept);
    if (status != HEDDLE_OUT_OF_MEMORY || p->most < 1 << 20) return status;
    hd_cuda_scratch_retry(p->call, mark);
  }
}

/* Where the arrays lie. Where nobody can see the offsets they are the device's, or work is only
 * being prepared. */
static heddle_status find_places(struct transfer *p, u64 *span) {
  static const char *const names[2][2] = {{"in", NULL}, {"x", "y"}};
  const struct hd_cuda_row_plan *plan = p->plan;
  i64 low, high;
  *span = 0;
  if (plan->segments && !plan->offsets) return HEDDLE_OK;
  if (!hd_cuda_row_elements(plan)) return HEDDLE_OK;
  hd_cuda_row_span(plan, 0, plan->view.rows, &low, &high);
  *span = (u64)(high - low);
  for (unsigned i = 0; i < p->arrays; i++)
    HD_TRY(hd_cuda_find_space(p->call, names[p->arrays - 1][i],
                              p->array[i] + low * (i64)p->element_bytes,
                              (size_t)*span * p->element_bytes, p->element_bytes, &p->space[i]));
  return HEDDLE_OK;
}

static bool is_host(struct hd_cuda_call *call, const void *pointer) {
  enum hd_cuda_memory_space space;
  if (!pointer || hd_cuda_on_device(call->ctx, pointer)) return false;
  return !hd_cuda_find_space(call, "in", pointer, 1, 1, &space) && space != HD_SPACE_DEVICE;
}

heddle_status hd_cuda_row_see_offsets(struct hd_cuda_call *call, struct hd_cuda_row_plan *plan,
                                      const void *x, const void *y) {
  if (!is_host(call, x) && !is_host(call, y)) return HEDDLE_OK;
  return hd_cuda_row_fetch_offsets(call, plan);
}

heddle_status hd_cuda_row_fetch_offsets(struct hd_cuda_call *call, struct hd_cuda_row_plan *plan) {
  const u64 rows = plan->view.rows;
  if (!plan->segments || plan->offsets || call->preparing) return HEDDLE_OK;
  HD_TRY(hd_cuda_no_capture(call, "reading offsets"));
  u64 *offsets = hd_allocate(call->ctx, (size_t)(rows + 1) * sizeof(u64));
  if (!offsets) return HEDDLE_OUT_OF_MEMORY;
  plan->offsets = plan->fetched = offsets;
  HD_TRY(hd_cuda_check(call,
                       call->cu->copy_out(offsets, plan->view.offsets,
                                          (size_t)(rows + 1) * sizeof(u64), call->stream),
                       "copying offsets"));
  HD_TRY(hd_cuda_wait(call, call->stream));
  for (u64 r = 0; r < rows; r++)
    if (offsets[r + 1] < offsets[r])
      return hd_fail(HEDDLE_BAD_ARGUMENT,
                     "%s: `rows->offsets[%llu]` is below the offset before it; offsets must not "
                     "fall",
                     call->entry, (unsigned long long)(r + 1));
  return HEDDLE_OK;
}

void hd_cuda_row_plan_end(struct hd_cuda_call *call, struct hd_cuda_row_plan *plan) {
  hd_release(call->ctx, plan->fetched, (size_t)(plan->view.rows + 1) * sizeof(u64));
  plan->fetched = NULL;
}

heddle_status hd_cuda_row_copy_in(struct hd_cuda_call *call, struct hd_cuda_row_plan *plan,
                                  const void *x, const void *y, size_t element_bytes,
                                  hd_cuda_row_work *work, hd_cuda_row_long *too_long, void *arg) {
  struct transfer p = {.call = call,
                       .plan = plan,
                       .array = {x, y},
                       .element_bytes = (u32)element_bytes,
                       .arrays = y ? 2 : 1,
                       .work = work,
                       .too_long = too_long,
                       .arg = arg};
  u64 span;
  p.space[0] = p.space[1] = HD_SPACE_DEVICE;
  HD_TRY(find_places(&p, &span));
  if (p.space[0] == HD_SPACE_DEVICE && p.space[1] == HD_SPACE_DEVICE)
    return work(arg, &plan->view, plan->step, 0, address(x), address(y));
  call->synchronous = true;
  if (!call->preparing) HD_TRY(hd_cuda_no_capture(call, "copying host memory"));
  HD_TRY(take_scratch(&p, span));
  heddle_status status = pass(&p);
  if (p.tight) hd_release(call->ctx, p.tight, (size_t)p.most * element_bytes);
  return status;
}

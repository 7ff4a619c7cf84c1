/* scan.c - running totals along rows, on the device
 *
 * Method   A warp a row. Rows that are long, or among few others, are cut into pieces: once the
 *          pieces' totals are known, all pieces are written at once (kernels/rows/scan.cu).
 *          Segments are shared out on the device, which alone may know the offsets. Output in host
 *          memory is copied back part by part where a part of the rows is a part of the output,
 *          else when the call leaves.
 * Limits   output in host memory that is not such parts must fit the device's memory
 * Source   docs/order.md, rules 6 and 11 */

#include "choose.h"
#include "host/status.h"

struct scan_rows {
  struct hd_cuda_call *call;
  const struct hd_scan *scan;
  struct hd_cuda_row_job job;
  struct hd_cuda_row_plan tight;       /* of the output */
  char *out;                           /* as the caller gave it */
  enum hd_cuda_memory_space space;     /* of it */
  cu_pointer base;                     /* where out[0] is, on the device or in scratch; 0: parts */
  cu_pointer part, list, owner, slots; /* scratch, made by the first launch */
  u64 part_elements;
};

static void make_key(const struct scan_rows *s, bool segments, bool strided, bool split,
                     struct hd_cuda_kernel_key *key) {
  hd_cuda_row_key(&s->job, "rows/scan.cu", segments, strided, false, key);
  hd_cuda_kernel_define(key, "HEDDLE_SPLIT", split);
  hd_cuda_kernel_define(key, "HEDDLE_OUT", s->scan->fold.out_type);
  hd_cuda_kernel_define(key, "HEDDLE_EXCLUSIVE", s->scan->kind == HEDDLE_EXCLUSIVE);
}

/* ---- launches -------------------------------------------------------------------------------- */

static heddle_status run_segments(struct scan_rows *s, const struct row_view *view,
                                  const struct scan_row *row, const struct hd_cuda_choice *launch) {
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  cu_pointer work, fault = hd_cuda_fault(s->call);
  make_key(s, true, false, false, &key);
  hd_cuda_kernel_define(&key, "HEDDLE_COUNTED", view->count != 0);
  HD_TRY(hd_cuda_kernel(s->call, &key, launch->kernel, launch->threads, 0, &kernel));
  HD_TRY(hd_cuda_region(s->call, HD_REGION_TICKETS, sizeof(struct row_work), &work));
  if (!s->list) {
    const size_t units = 2 * (size_t)SCAN_LIST;
    HD_TRY(hd_cuda_scratch(s->call, SCAN_LIST * sizeof(struct row_entry), &s->list));
    HD_TRY(hd_cuda_scratch(s->call, units * sizeof(u32), &s->owner));
    HD_TRY(hd_cuda_scratch(s->call, units * s->job.total_bytes, &s->slots));
  }
  const struct scan_segments_args args = {.view = *view,
                                          .work = work,
                                          .list = s->list,
                                          .owner = s->owner,
                                          .slots = s->slots,
                                          .fault = fault,
                                          .row = *row};
  return hd_cuda_launch(s->call, &kernel, hd_cuda_blocks_at_once(s->call, &kernel), &args,
                        sizeof args);
}

static heddle_status run_axis(struct scan_rows *s, const struct row_view *view,
                              const struct row_view *to, const struct scan_row *row,
                              const struct hd_cuda_rows_choice *choice) {
  const struct hd_cuda_choice *launch = &choice->launch, *then = &choice->then;
  struct scan_rows_args args = {
      .view = *view, .to = *to, .pieces = choice->parts, .level = choice->level, .row = *row};
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel, second;
  make_key(s, false, row->from.step != 1, then->kernel != NULL, &key);
  HD_TRY(hd_cuda_kernel(s->call, &key, launch->kernel, launch->threads, 0, &kernel));
  if (!then->kernel) return hd_cuda_launch(s->call, &kernel, launch->blocks, &args, sizeof args);
  HD_TRY(hd_cuda_kernel(s->call, &key, then->kernel, then->threads, 0, &second));
  HD_TRY(hd_cuda_scratch(s->call, (size_t)(choice->parts * view->rows) * s->job.total_bytes,
                         &args.slots));
  HD_TRY(hd_cuda_launch(s->call, &kernel, launch->blocks, &args, sizeof args));
  return hd_cuda_launch(s->call, &second, then->blocks, &args, sizeof args);
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* Where out[0] would be if the output of these rows lay in scratch; what is copied back. */
static heddle_status take_part(struct scan_rows *s, u64 r, u64 rows, cu_pointer *base, i64 *low,
                               u64 *elements) {
  const u64 bytes = s->job.out_bytes;
  i64 high;
  hd_cuda_row_span(&s->tight, r, rows, low, &high);
  *elements = (u64)(high - *low);
  if (*elements > s->part_elements) {
    s->part_elements = *elements;
    HD_TRY(hd_cuda_scratch(s->call, (size_t)(*elements * bytes), &s->part));
  }
  *base = s->part - (cu_pointer)(*low * (i64)bytes);
  return HEDDLE_OK;
}

static i64 step_of(const struct row_view *view, i64 step) {
  return view->length < 2 && !view->offsets ? 1 : step;
}

static heddle_status run(void *arg, const struct row_view *view, i64 step, u64 r, cu_pointer x,
                         cu_pointer y) {
  struct scan_rows *s = arg;
  const bool segments = view->offsets != 0;
  struct hd_cuda_rows_choice choice;
  struct scan_row row = {.from = {x, y, step_of(view, step)},
                         .to = {s->base, s->tight.step, s->scan->fold.init != NULL},
                         .ends = s->job.ends};
  i64 low = 0;
  u64 elements = 0;
  if (!segments && !view->length) return HEDDLE_OK;
  if (!s->base) HD_TRY(take_part(s, r, view->rows, &row.to.out, &low, &elements));
  hd_cuda_rows_choose_scan(hd_cuda_limits(s->call->cuda), &s->job, view, row.from.step, &choice);
  const struct row_view to = hd_cuda_row_part(&s->tight, r, view->rows);
  if (segments)
    HD_TRY(run_segments(s, view, &row, &choice.launch));
  else
    HD_TRY(run_axis(s, view, &to, &row, &choice));
  if (s->base || s->call->preparing) return HEDDLE_OK;
  const u64 bytes = s->job.out_bytes;
  return hd_cuda_check(s->call,
                       s->call->cu->copy_out(s->out + low * (i64)bytes, s->part,
                                             (size_t)(elements * bytes), s->call->stream),
                       "copying rows to the host");
}

/* A row that is more than a part. */
static heddle_status run_long(void *arg, u64 r, u64 at, size_t n, u64 length, cu_pointer x,
                              cu_pointer y) {
  const struct scan_rows *s = arg;
  (void)at, (void)n, (void)x, (void)y;
  return hd_fail(HEDDLE_UNSUPPORTED,
                 "%s: row %llu in host memory has %llu elements, more than a GiB; scan it by "
                 "heddle_scan, or copy it to the device first",
                 s->call->entry, (unsigned long long)r, (unsigned long long)length);
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Rows of the output that follow each other are a range of it: segments, and the last axis. */
static bool comes_in_parts(const struct scan_rows *s, const heddle_rows *rows) {
  if (rows->offsets) return s->tight.offsets != NULL;
  return rows->axis == rows->dims - 1;
}

static heddle_status place_output(struct scan_rows *s, const heddle_rows *rows, void *out) {
  const u64 bytes = s->job.out_bytes;
  u64 first = 0, elements;
  if (s->tight.offsets) first = s->tight.offsets[0];
  if (rows->offsets && !s->tight.offsets)
    elements = 0; /* all on the device, as far as anybody can see */
  else
    elements = hd_cuda_row_elements(&s->tight);
  s->out = out;
  s->base = (cu_pointer)(uintptr_t)out;
  if (!out || !elements) return HEDDLE_OK;
  char *start = (char *)out + first * bytes;
  HD_TRY(hd_cuda_find_space(s->call, "out", start, (size_t)(elements * bytes), (size_t)bytes,
                            &s->space));
  if (s->space == HD_SPACE_DEVICE) return HEDDLE_OK;
  s->call->synchronous = true;
  if (comes_in_parts(s, rows) && elements * bytes > (u64)1 << 28) {
    s->base = 0;
    return HEDDLE_OK;
  }
  HD_TRY(
      hd_cuda_result(s->call, "out", start, (size_t)(elements * bytes), (size_t)bytes, &s->base));
  s->base -= first * bytes;
  return HEDDLE_OK;
}

static heddle_status scan_rows(struct scan_rows *s, const void *in, const heddle_rows *rows,
                               void *out) {
  struct hd_cuda_row_plan plan;
  enum hd_cuda_memory_space space = HD_SPACE_HOST;
  heddle_rows tight = *rows;
  const size_t bytes = (rows->segments + 1) * sizeof(u64);
  tight.strides = NULL;
  if (rows->offsets)
    HD_TRY(hd_cuda_find_space(s->call, "rows->offsets", rows->offsets, bytes, sizeof(u64), &space));
  hd_cuda_row_plan_make(&plan, rows, space == HD_SPACE_DEVICE);
  hd_cuda_row_plan_make(&s->tight, &tight, space == HD_SPACE_DEVICE);
  if (!plan.view.rows || (!rows->offsets && !plan.view.length)) return HEDDLE_OK;
  if (rows->offsets)
    HD_TRY(hd_cuda_input(s->call, "rows->offsets", rows->offsets, bytes, sizeof(u64),
                         &plan.view.offsets));
  heddle_status status = hd_cuda_row_see_offsets(s->call, &plan, in, out);
  s->tight.offsets = plan.offsets;
  if (!status) status = place_output(s, rows, out);
  if (!status)
    status = hd_cuda_row_copy_in(s->call, &plan, in, NULL, s->job.element_bytes, run, run_long, s);
  hd_cuda_row_plan_end(s->call, &plan);
  return status;
}

heddle_status hd_cuda_scan_rows_explain(heddle_context *ctx, const struct hd_scan *scan,
                                        const heddle_rows *rows, heddle_plan *out) {
  struct hd_cuda_row_job job;
  struct hd_cuda_row_plan plan;
  struct hd_cuda_rows_choice choice;
  HD_TRY(hd_cuda_row_job_make(&job, &scan->fold));
  hd_cuda_row_plan_make(&plan, rows, true);
  if (rows->offsets) plan.view.offsets = HD_FAKE_ADDRESS;
  hd_cuda_rows_choose_scan(hd_cuda_limits(ctx->data), &job, &plan.view,
                           step_of(&plan.view, plan.step), &choice);
  return hd_cuda_explain(ctx, &choice.launch, &choice.then, out);
}

heddle_status hd_cuda_scan_rows_in(struct hd_cuda_call *call, const struct hd_scan *scan,
                                   const void *in, const heddle_rows *rows, void *out) {
  struct scan_rows s = {.call = call, .scan = scan};
  HD_TRY(hd_cuda_row_job_make(&s.job, &scan->fold));
  return scan_rows(&s, in, rows, out);
}

heddle_status hd_cuda_scan_found(struct hd_cuda_call *call, const struct hd_scan *scan,
                                 cu_pointer in, const struct hd_cuda_row_found *found,
                                 cu_pointer out) {
  struct scan_rows s = {.call = call, .scan = scan, .base = out, .tight = {.step = 1}};
  const struct row_view view = hd_cuda_row_found_view(found);
  HD_TRY(hd_cuda_row_job_make(&s.job, &scan->fold));
  s.tight.view = view, s.tight.segments = true;
  return run(&s, &view, 1, 0, in, 0);
}

heddle_status hd_cuda_scan_rows(heddle_context *ctx, const struct hd_scan *scan, const void *in,
                                const heddle_rows *rows, void *out) {
  struct hd_cuda_call call;
  struct scan_rows s = {.call = &call, .scan = scan};
  HD_TRY(hd_cuda_row_job_make(&s.job, &scan->fold));
  HD_TRY(hd_cuda_enter(ctx, scan->fold.entry, &call));
  return hd_cuda_leave(&call, scan_rows(&s, in, rows, out));
}

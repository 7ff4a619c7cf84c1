/* rows.c - exact sums along rows on a device: segments, or an axis of a strided array
 *
 * Method   choose.c. Rows of host arrays come as cuda/rows/staging.c brings them; one that is larger than a
 *          part is a sum under way.
 * Limits   a row that is not contiguous has at most 2^28 elements: a block's limbs have room for them */
#include "cuda/rows/rows.h"
#include "exact.h"

#define MOST_STRIDED ((u64)1 << 28)

struct exact_rows {
  struct hd_cuda_call *call;
  const struct hd_fold *fold;
  u32 element_bytes, out_bytes;
  cu_pointer out;               /* of row 0 */
  struct hd_cuda_exact_run run; /* of a row that comes in pieces */
};

static struct exact_rows_args args_of(const struct exact_rows *e, const struct row_view *view,
                                      i64 step, u64 r, cu_pointer x, cu_pointer y) {
  struct exact_rows_args args = {.x = x,
                                 .y = y,
                                 .out = e->out + r * e->out_bytes,
                                 .offsets = view->offsets,
                                 .count = view->offsets ? view->count : 0,
                                 .first = view->first,
                                 .rows = view->rows,
                                 .length = view->length,
                                 .step = step,
                                 .dims = view->dims,
                                 .result = hd_cuda_exact_result(e->fold)};
  for (u64 d = 0; d < view->dims; d++)
    args.shape[d] = view->shape[d], args.stride[d] = view->stride[d];
  return args;
}

/* Every 16 bytes of a row are one load. */
static bool has_quads(const struct exact_rows *e, const struct exact_rows_args *args) {
  const u64 bytes = e->element_bytes, each = 16 / bytes;
  if (args->offsets || args->step != 1 || args->length % each || (args->x | args->y) % 16)
    return false;
  for (u64 d = 0; d < args->dims; d++)
    if (args->shape[d] > 1 && args->stride[d] % (i64)each) return false;
  return true;
}

static heddle_status launch(struct exact_rows *e, const struct hd_cuda_choice *launch, u32 lanes,
                            const struct exact_rows_args *args) {
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  hd_cuda_exact_key(e->fold, launch->file, &key);
  hd_cuda_kernel_define(&key, "HEDDLE_QUADS", has_quads(e, args));
  if (lanes) hd_cuda_kernel_define(&key, "HEDDLE_LANES", (int)lanes);
  HD_TRY(hd_cuda_kernel(e->call, &key, launch->kernel, launch->threads, 0, &kernel));
  return hd_cuda_launch(e->call, &kernel, launch->blocks, args, sizeof *args);
}

/* Contiguous rows, one after the other, each by all blocks. */
static heddle_status sum_arrays(struct exact_rows *e, const struct hd_cuda_row_plan *plan,
                                const struct exact_rows_args *args) {
  for (u64 r = 0; r < args->rows; r++) {
    struct hd_cuda_exact_run run;
    i64 start;
    u64 length;
    hd_cuda_row_place(plan, args->first + r, &start, &length);
    const cu_pointer from = (cu_pointer)(start * (i64)e->element_bytes);
    hd_cuda_exact_run_start(&run, e->fold);
    HD_TRY(hd_cuda_exact_result_of(e->call, &run, args->x + from, args->y ? args->y + from : 0,
                                   length, args->out + r * e->out_bytes));
  }
  return HEDDLE_OK;
}

static struct hd_cuda_exact_rows rows_of(const struct hd_fold *fold, const struct row_view *view,
                                         i64 step, bool segments) {
  const bool products = fold->verb == HD_DOT || fold->op == HEDDLE_SUM_SQUARES;
  return (struct hd_cuda_exact_rows){.segments = segments,
                                     .plain = !fold->init && fold->divisor == 0 &&
                                              !(products && fold->type == HEDDLE_F64),
                                     .products = products,
                                     .element_bytes = (u32)heddle_type_size(fold->type),
                                     .rows = view->rows,
                                     .length = view->length,
                                     .step = view->length < 2 ? 1 : step,
                                     .near = view->stride[0]};
}

/* A sum each, of rows that come in parts. */
static heddle_status sums_of(struct exact_rows *e, struct exact_rows_args *args) {
  const size_t bytes = (size_t)args->rows * sizeof(struct hd_exact);
  if (args->parts == 1) return HEDDLE_OK;
  HD_TRY(hd_cuda_scratch(e->call, bytes, &args->sums));
  return hd_cuda_zero(e->call, args->sums, bytes);
}

static heddle_status run(void *arg, const struct row_view *view, i64 step, u64 r, cu_pointer x,
                         cu_pointer y) {
  struct exact_rows *e = arg;
  struct hd_cuda_exact_rows_choice choice;
  const struct hd_cuda_exact_rows rows = rows_of(e->fold, view, step, view->offsets != 0);
  struct exact_rows_args args = args_of(e, view, rows.step, r, x, y);
  hd_cuda_exact_choose_rows(hd_cuda_limits(e->call->cuda), &rows, &choice);
  args.parts = choice.parts, args.each = choice.each;
  if (rows.segments) args.fault = hd_cuda_fault(e->call);
  if (choice.by_array) {
    const struct hd_cuda_row_plan plan = {.view = *view, .step = step};
    return sum_arrays(e, &plan, &args);
  }
  if (rows.length > MOST_STRIDED)
    return hd_fail(
        HEDDLE_UNSUPPORTED,
        "%s: rows that are not contiguous have %llu elements; an exact sum takes %llu on "
        "a GPU: make them contiguous, or sum parts of them",
        e->fold->entry, (unsigned long long)rows.length, (unsigned long long)MOST_STRIDED);
  HD_TRY(sums_of(e, &args));
  HD_TRY(launch(e, &choice.launch, choice.lanes, &args));
  return choice.then.kernel ? launch(e, &choice.then, 0, &args) : HEDDLE_OK;
}

static heddle_status run_long(void *arg, u64 r, u64 at, size_t n, u64 length, cu_pointer x,
                              cu_pointer y) {
  struct exact_rows *e = arg;
  if (!at) {
    hd_cuda_exact_run_start(&e->run, e->fold);
    HD_TRY(hd_cuda_exact_run_memory(e->call, &e->run));
  }
  HD_TRY(hd_cuda_exact_append(e->call, &e->run, x, y, n));
  if (at + n < length) return HEDDLE_OK;
  return hd_cuda_exact_result_of(e->call, &e->run, 0, 0, 0, e->out + r * e->out_bytes);
}

static heddle_status sum_rows(struct exact_rows *e, const void *x, const void *y,
                              const heddle_rows *rows, void *out) {
  struct hd_cuda_row_plan plan;
  enum hd_cuda_memory_space space = HD_SPACE_HOST;
  if (rows->offsets)
    HD_TRY(hd_cuda_find_space(e->call, "rows->offsets", rows->offsets,
                              (rows->segments + 1) * sizeof(u64), sizeof(u64), &space));
  hd_cuda_row_plan_make(&plan, rows, space == HD_SPACE_DEVICE);
  if (!plan.view.rows) return HEDDLE_OK;
  if (rows->offsets)
    HD_TRY(hd_cuda_input(e->call, "rows->offsets", rows->offsets,
                         (rows->segments + 1) * sizeof(u64), sizeof(u64), &plan.view.offsets));
  HD_TRY(hd_cuda_result(e->call, "out", out, (size_t)plan.view.rows * e->out_bytes, e->out_bytes,
                        &e->out));
  heddle_status status = hd_cuda_row_see_offsets(e->call, &plan, x, y);
  if (!status)
    status = hd_cuda_row_copy_in(e->call, &plan, x, y, e->element_bytes, run, run_long, e);
  hd_cuda_row_plan_end(e->call, &plan);
  return status;
}

static struct exact_rows job_of(struct hd_cuda_call *call, const struct hd_fold *fold) {
  return (struct exact_rows){.call = call,
                             .fold = fold,
                             .element_bytes = (u32)heddle_type_size(fold->type),
                             .out_bytes = (u32)heddle_type_size(fold->out_type)};
}

heddle_status hd_cuda_exact_rows_in(struct hd_cuda_call *call, const struct hd_fold *fold,
                                    const void *x, const heddle_rows *rows, void *out) {
  struct exact_rows e = job_of(call, fold);
  return sum_rows(&e, x, NULL, rows, out);
}

heddle_status hd_cuda_exact_segments(struct hd_cuda_call *call, const struct hd_fold *fold,
                                     cu_pointer x, cu_pointer offsets, u64 segments,
                                     cu_pointer out) {
  const struct row_view view = {.offsets = offsets, .rows = segments, .dims = 1, .shape = {1}};
  struct exact_rows e = job_of(call, fold);
  e.out = out;
  return run(&e, &view, 1, 0, x, 0);
}

heddle_status hd_cuda_exact_found(struct hd_cuda_call *call, const struct hd_fold *fold,
                                  cu_pointer x, const struct hd_cuda_row_found *found,
                                  cu_pointer out) {
  struct exact_rows e = job_of(call, fold);
  const struct row_view view = hd_cuda_row_found_view(found);
  e.out = out;
  return run(&e, &view, 1, 0, x, 0);
}

heddle_status hd_cuda_exact_rows(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                                 const void *y, const heddle_rows *rows, struct hd_fold_out out) {
  struct hd_cuda_call call;
  struct exact_rows e = job_of(&call, fold);
  HD_TRY(hd_cuda_enter(ctx, fold->entry, &call));
  return hd_cuda_leave(&call, sum_rows(&e, x, y, rows, out.value));
}

heddle_status hd_cuda_exact_rows_explain(heddle_context *ctx, const struct hd_fold *fold,
                                         const heddle_rows *rows, heddle_plan *out) {
  struct hd_cuda_row_plan plan;
  struct hd_cuda_exact_rows_choice choice;
  hd_cuda_row_plan_make(&plan, rows, true);
  const struct hd_cuda_exact_rows of = rows_of(fold, &plan.view, plan.step, rows->offsets != NULL);
  hd_cuda_exact_choose_rows(hd_cuda_limits(ctx->data), &of, &choice);
  return hd_cuda_explain(ctx, &choice.launch, choice.then.kernel ? &choice.then : NULL, out);
}

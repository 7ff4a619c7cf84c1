/* fold.c - reduce, argreduce, dot and describe along rows, on the device
 *
 * Method   Four shapes of kernels give the same bits. kernels/rows/strided.cu: a warp a row.
 *          kernels/rows/segments.cu: blocks share long rows. kernels/rows/columns.cu: a thread a
 *          column, for neighbours in memory that belong to neighbouring rows;
 *          kernels/rows/column_blocks.cu: blocks for some columns, if they are few. Segments are shared
 *          out on the device, which alone may know the offsets.
 * Source   docs/order.md, rule 11 */

#include "choose.h"

struct fold_rows {
  struct hd_cuda_call *call;
  struct hd_cuda_row_job job;
  struct row_out out;             /* of row 0 */
  cu_pointer list, pieces, slots; /* segments; made by the first launch */
  struct hd_cuda_fold_run run;    /* of a row that comes in pieces */
};

enum { COUNTERS_AT = 256 }; /* bytes into the tickets: behind row_work */

static struct row_out out_of_row(const struct fold_rows *f, u64 r) {
  struct row_out out = f->out;
  if (out.value) out.value += r * f->job.out_bytes;
  if (out.index) out.index += r * sizeof(u64);
  return out;
}

/* ---- segments -------------------------------------------------------------------------------- */

static heddle_status run_segments(struct fold_rows *f, const struct row_fold *fold,
                                  const struct hd_cuda_rows_choice *choice) {
  const size_t shown_end = (ROW_SHOWN + ROW_LIST) * sizeof(u32);
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  cu_pointer work, fault = hd_cuda_fault(f->call);
  hd_cuda_row_key(&f->job, choice->launch.file, true, false, false, &key);
  hd_cuda_kernel_define(&key, "HEDDLE_STAGES", choice->stages);
  hd_cuda_kernel_define(&key, "HEDDLE_COUNTED", fold->view.count != 0);
  HD_TRY(hd_cuda_kernel(f->call, &key, choice->launch.kernel, choice->launch.threads,
                        choice->launch.shared_bytes, &kernel));
  HD_TRY(hd_cuda_region(f->call, HD_REGION_TICKETS, shown_end, &work));
  if (!f->list) {
    HD_TRY(hd_cuda_scratch(f->call, ROW_LIST * sizeof(struct row_entry), &f->list));
    HD_TRY(hd_cuda_scratch(f->call, ROW_LIST * sizeof(struct row_piece), &f->pieces));
    HD_TRY(hd_cuda_scratch(f->call, ROW_LIST * (size_t)f->job.total_bytes, &f->slots));
  }
  const struct rows_segments_args args = {.fold = *fold,
                                          .work = work,
                                          .list = f->list,
                                          .pieces = f->pieces,
                                          .slots = f->slots,
                                          .fault = fault,
                                          .ends = f->job.ends};
  return hd_cuda_launch(f->call, &kernel, hd_cuda_blocks_at_once(f->call, &kernel), &args,
                        sizeof args);
}

/* ---- rows of an axis ------------------------------------------------------------------------- */

/* A quad of elements is one load in every row. */
static bool has_quads(const struct fold_rows *f, const struct row_fold *fold) {
  const struct row_view *view = &fold->view;
  const u64 bytes = f->job.element_bytes < 4 ? 4 * f->job.element_bytes : 16;
  if (!f->job.is_number || fold->from.step != 1 || fold->from.x % bytes || fold->from.y % bytes)
    return false;
  for (u64 d = 0; d < view->dims; d++)
    if (view->shape[d] > 1 && (u64)view->stride[d] * f->job.element_bytes % bytes) return false;
  return true;
}

/* Of strided.cu: the key is the same for both kernels but for HEDDLE_SPLIT. */
static heddle_status strided_kernel(struct fold_rows *f, const struct row_fold *fold,
                                    const struct hd_cuda_choice *launch, bool split,
                                    struct hd_cuda_kernel *kernel) {
  struct hd_cuda_kernel_key key;
  hd_cuda_row_key(&f->job, launch->file, false, fold->from.step != 1, has_quads(f, fold), &key);
  hd_cuda_kernel_define(&key, "HEDDLE_SPLIT", split);
  hd_cuda_kernel_define(&key, "HEDDLE_SHORT_ROWS", fold->view.length < f->job.chunk);
  return hd_cuda_kernel(f->call, &key, launch->kernel, launch->threads, 0, kernel);
}

static heddle_status run_per_warp(struct fold_rows *f, const struct row_fold *fold,
                                  const struct hd_cuda_rows_choice *choice) {
  const struct rows_per_warp_args args = {.fold = *fold, .rows = choice->rows, .ends = f->job.ends};
  struct hd_cuda_kernel kernel;
  HD_TRY(strided_kernel(f, fold, &choice->launch, false, &kernel));
  return hd_cuda_launch(f->call, &kernel, choice->launch.blocks, &args, sizeof args);
}

static heddle_status part_slots(struct fold_rows *f, const struct row_fold *fold,
                                struct rows_parts_args *args) {
  if (!args->parts) return HEDDLE_OK;
  return hd_cuda_scratch(f->call, (size_t)(args->parts * fold->view.rows) * f->job.total_bytes,
                         &args->slots);
}

static heddle_status row_counters(struct fold_rows *f, struct rows_parts_args *args) {
  HD_TRY(hd_cuda_region(f->call, HD_REGION_TICKETS, COUNTERS_AT + HD_ROW_COUNTERS * sizeof(u32),
                        &args->counters));
  args->counters += COUNTERS_AT;
  return HEDDLE_OK;
}

static heddle_status run_per_block(struct fold_rows *f, const struct row_fold *fold,
                                   const struct hd_cuda_rows_choice *choice) {
  struct rows_parts_args args = {
      .fold = *fold, .parts = choice->parts, .level = choice->level, .ends = f->job.ends};
  struct hd_cuda_kernel kernel;
  HD_TRY(strided_kernel(f, fold, &choice->launch, true, &kernel));
  HD_TRY(row_counters(f, &args));
  HD_TRY(part_slots(f, fold, &args));
  return hd_cuda_launch(f->call, &kernel, choice->launch.blocks, &args, sizeof args);
}

enum { CUT_BITS = 20 }; /* kernels/rows/short.cu */

static heddle_status run_short(struct fold_rows *f, const struct row_fold *fold,
                               const struct hd_cuda_rows_choice *choice) {
  const u32 length = (u32)fold->view.length;
  const struct rows_short_args args = {.fold = *fold,
                                       .pitch = choice->pitch,
                                       .cut = ((1u << CUT_BITS) + length - 1) / length,
                                       .ends = f->job.ends};
  const struct hd_cuda_choice *launch = &choice->launch;
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  hd_cuda_row_key(&f->job, launch->file, false, false, false, &key);
  hd_cuda_kernel_define(&key, "HEDDLE_ROWS", (int)choice->rows);
  hd_cuda_kernel_define(&key, "HEDDLE_TIGHT",
                        f->job.fold->verb != HD_DOT && fold->view.stride[0] == (i64)length);
  hd_cuda_kernel_define(&key, "HEDDLE_PADDED", choice->pitch != length);
  hd_cuda_kernel_define(&key, "HEDDLE_OUT", f->job.fold->out_type);
  hd_cuda_kernel_define(&key, "HEDDLE_INIT", f->job.fold->init != NULL);
  HD_TRY(hd_cuda_kernel(f->call, &key, launch->kernel, launch->threads, launch->shared_bytes,
                        &kernel));
  const u64 blocks = launch->blocks ? launch->blocks : hd_cuda_blocks_at_once(f->call, &kernel);
  return hd_cuda_launch(f->call, &kernel, blocks, &args, sizeof args);
}

/* Slots beside the parts' that a row's rest has: one for each block of chunks and of elements. */
static u64 rest_slots(const struct fold_rows *f, u64 length, const struct hd_cuda_rows_choice *c) {
  const u64 chunks = length / f->job.chunk - (c->parts << c->level), tail = length % f->job.chunk;
  return (u64)__builtin_popcountll(chunks) + (u64)__builtin_popcountll(tail);
}

static heddle_status run_per_group(struct fold_rows *f, const struct row_fold *fold,
                                   const struct hd_cuda_rows_choice *choice) {
  struct rows_parts_args args = {
      .fold = *fold, .parts = choice->parts, .level = choice->level, .ends = f->job.ends};
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  const u64 slots = choice->parts + rest_slots(f, fold->view.length, choice);
  hd_cuda_row_key(&f->job, choice->launch.file, false, true, false, &key);
  hd_cuda_kernel_define(&key, "HEDDLE_WIDTH", choice->width);
  HD_TRY(hd_cuda_kernel(f->call, &key, choice->launch.kernel, choice->launch.threads, 0, &kernel));
  if (choice->parts) {
    HD_TRY(row_counters(f, &args));
    HD_TRY(hd_cuda_scratch(f->call, (size_t)(slots * fold->view.rows) * f->job.total_bytes,
                           &args.slots));
  }
  return hd_cuda_launch(f->call, &kernel, choice->launch.blocks, &args, sizeof args);
}

static heddle_status run_per_thread(struct fold_rows *f, const struct row_fold *fold,
                                    const struct hd_cuda_rows_choice *choice) {
  struct rows_parts_args args = {
      .fold = *fold, .parts = choice->parts, .level = choice->level, .ends = f->job.ends};
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  const struct hd_cuda_choice *launch = &choice->launch, *then = &choice->then;
  hd_cuda_row_key(&f->job, launch->file, false, true, false, &key);
  HD_TRY(hd_cuda_kernel(f->call, &key, launch->kernel, launch->threads, 0, &kernel));
  HD_TRY(part_slots(f, fold, &args));
  HD_TRY(hd_cuda_launch(f->call, &kernel, launch->blocks, &args, sizeof args));
  if (!then->kernel) return HEDDLE_OK;
  HD_TRY(hd_cuda_kernel(f->call, &key, then->kernel, then->threads, 0, &kernel));
  return hd_cuda_launch(f->call, &kernel, then->blocks, &args, sizeof args);
}

/* ---- all rows -------------------------------------------------------------------------------- */

static i64 step_of(const struct row_view *view, i64 step) { return view->length < 2 ? 1 : step; }

static heddle_status run(void *arg, const struct row_view *view, i64 step, u64 r, cu_pointer x,
                         cu_pointer y) {
  struct fold_rows *f = arg;
  const struct row_fold fold = {*view, {x, y, step_of(view, step)}, out_of_row(f, r)};
  struct hd_cuda_rows_choice choice;
  hd_cuda_rows_choose_fold(hd_cuda_limits(f->call->cuda), &f->job, view, fold.from.step, &choice);
  if (view->offsets) return run_segments(f, &fold, &choice);
  if (choice.pitch) return run_short(f, &fold, &choice);
  if (choice.rows) return run_per_warp(f, &fold, &choice);
  if (choice.width) return run_per_group(f, &fold, &choice);
  return choice.columns ? run_per_thread(f, &fold, &choice) : run_per_block(f, &fold, &choice);
}

/* A row that is longer than a part is appended piece by piece. */
static heddle_status run_long(void *arg, u64 r, u64 at, size_t n, u64 length, cu_pointer x,
                              cu_pointer y) {
  struct fold_rows *f = arg;
  const struct row_out out = out_of_row(f, r);
  if (!at) {
    hd_cuda_fold_run_start(&f->run, f->job.fold);
    HD_TRY(hd_cuda_scratch(f->call, hd_cuda_fold_run_bytes(&f->run), &f->run.memory));
  }
  HD_TRY(hd_cuda_fold_append(f->call, &f->run, x, y, n));
  if (at + n < length) return HEDDLE_OK;
  return hd_cuda_fold_result_of(
      f->call, &f->run, 0, 0, 0,
      (struct hd_cuda_fold_results){.value = out.value, .index = out.index});
}

static struct row_out row_out_of(const struct hd_fold *fold, cu_pointer value, cu_pointer index) {
  return (struct row_out){.value = value,
                          .index = index,
                          .type = (u32)fold->out_type,
                          .has_init = fold->init != NULL,
                          .figure = (u16)fold->figures,
                          .divisor = fold->divisor};
}

static heddle_status place_results(struct fold_rows *f, struct hd_fold_out out, u64 rows) {
  struct hd_cuda_call *call = f->call;
  const struct hd_fold *fold = f->job.fold;
  void *value = fold->verb == HD_DESCRIBE ? (void *)out.description : out.value;
  const size_t bytes = (size_t)rows * f->job.out_bytes;
  const u32 unit = fold->verb == HD_DESCRIBE ? 8 : f->job.out_bytes;
  HD_TRY(hd_cuda_result(call, fold->verb == HD_ARGREDUCE ? "value" : "out", value, bytes, unit,
                        &f->out.value));
  HD_TRY(hd_cuda_result(call, "index", out.index, (size_t)rows * sizeof(u64), sizeof(u64),
                        &f->out.index));
  f->out = row_out_of(fold, f->out.value, f->out.index);
  /* The value of an empty row stays as it is, on its way there and back, too. */
  if (fold->verb == HD_ARGREDUCE && value && f->out.value != (cu_pointer)(uintptr_t)value)
    return hd_cuda_upload(call, f->out.value, value, bytes);
  return HEDDLE_OK;
}

static heddle_status fold_rows(struct fold_rows *f, const void *x, const void *y,
                               const heddle_rows *rows, struct hd_fold_out out) {
  struct hd_cuda_row_plan plan;
  enum hd_cuda_memory_space space = HD_SPACE_HOST;
  if (rows->offsets)
    HD_TRY(hd_cuda_find_space(f->call, "rows->offsets", rows->offsets,
                              (rows->segments + 1) * sizeof(u64), sizeof(u64), &space));
  hd_cuda_row_plan_make(&plan, rows, space == HD_SPACE_DEVICE);
  if (!plan.view.rows) return HEDDLE_OK;
  if (rows->offsets)
    HD_TRY(hd_cuda_input(f->call, "rows->offsets", rows->offsets,
                         (rows->segments + 1) * sizeof(u64), sizeof(u64), &plan.view.offsets));
  HD_TRY(place_results(f, out, plan.view.rows));
  heddle_status status = hd_cuda_row_see_offsets(f->call, &plan, x, y);
  if (!status)
    status = hd_cuda_row_copy_in(f->call, &plan, x, y, f->job.element_bytes, run, run_long, f);
  hd_cuda_row_plan_end(f->call, &plan);
  return status;
}

heddle_status hd_cuda_fold_segments(struct hd_cuda_call *call, const struct hd_fold *fold,
                                    cu_pointer x, cu_pointer offsets, u64 segments,
                                    cu_pointer out) {
  const struct row_view view = {.offsets = offsets, .rows = segments, .dims = 1, .shape = {1}};
  struct fold_rows f = {.call = call};
  HD_TRY(hd_cuda_row_job_make(&f.job, fold));
  f.out = row_out_of(fold, out, 0);
  return run(&f, &view, 1, 0, x, 0);
}

heddle_status hd_cuda_fold_rows_explain(heddle_context *ctx, const struct hd_fold *fold,
                                        const heddle_rows *rows, heddle_plan *out) {
  struct hd_cuda_row_job job;
  struct hd_cuda_row_plan plan;
  struct hd_cuda_rows_choice choice;
  HD_TRY(hd_cuda_row_job_make(&job, fold));
  hd_cuda_row_plan_make(&plan, rows, true);
  if (rows->offsets) plan.view.offsets = HD_FAKE_ADDRESS;
  hd_cuda_rows_choose_fold(hd_cuda_limits(ctx->data), &job, &plan.view,
                           step_of(&plan.view, plan.step), &choice);
  return hd_cuda_explain(ctx, &choice.launch, &choice.then, out);
}

heddle_status hd_cuda_fold_rows_in(struct hd_cuda_call *call, const struct hd_fold *fold,
                                   const void *x, const void *y, const heddle_rows *rows,
                                   struct hd_fold_out out) {
  struct fold_rows f = {.call = call};
  HD_TRY(hd_cuda_row_job_make(&f.job, fold));
  return fold_rows(&f, x, y, rows, out);
}

heddle_status hd_cuda_fold_found(struct hd_cuda_call *call, const struct hd_fold *fold,
                                 cu_pointer x, const struct hd_cuda_row_found *found, void *out) {
  struct fold_rows f = {.call = call};
  const struct row_view view = hd_cuda_row_found_view(found);
  HD_TRY(hd_cuda_row_job_make(&f.job, fold));
  HD_TRY(place_results(&f, (struct hd_fold_out){.value = out}, found->most));
  return run(&f, &view, 1, 0, x, 0);
}

heddle_status hd_cuda_fold_rows(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                                const void *y, const heddle_rows *rows, struct hd_fold_out out) {
  struct hd_cuda_call call;
  struct fold_rows f = {.call = &call};
  HD_TRY(hd_cuda_row_job_make(&f.job, fold));
  HD_TRY(hd_cuda_enter(ctx, fold->entry, &call));
  return hd_cuda_leave(&call, fold_rows(&f, x, y, rows, out));
}

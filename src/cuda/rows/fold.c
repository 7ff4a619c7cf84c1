/* fold.c - reduce, argreduce, dot and describe along rows, on the device
 *
 * Method   Three shapes of kernels, of which each gives the same bits (kernels/rows/strided.cu,
 *          kernels/rows/segments.cu, kernels/rows/columns.cu): warps that fold rows of their own, blocks that share
 *          long rows, and threads that fold a column each where neighbours in memory belong to
 *          neighbouring rows. Segments are shared out on the device, which alone may know the offsets.
 * Source   docs/order.md, rule 11 */
#include "cuda/core/tune.h"
#include "rows.h"

struct fold_rows {
  struct hd_cuda_call *call;
  struct hd_cuda_row_job job;
  struct hd_cuda_row_out out;     /* of row 0 */
  cu_pointer list, pieces, slots; /* segments; made by the first launch */
  struct hd_cuda_fold_run run;    /* of a row that comes in pieces */
};

enum {
  SEGMENT_WARPS = 8, /* a block of kernels/rows/segments.cu */
  PASS_PIECE = 128,  /* kernels/rows/pass.h: a stage is a whole number of these bytes */
  OWN_BYTES = 2048,  /* of its own shared memory, at most, and what the driver takes */

  COUNTERS = 16384,    /* of rows that several blocks share, behind row_work in the tickets */
  COUNTERS_AT = 256,   /* bytes */
  MOST_PIECES = 32768, /* of all rows */
  EVEN_THREADS = 128,
  SPLIT_THREADS = 256,

  SHORT_CHUNKS = 8,    /* rows of fewer are a warp's own */
  COLUMN_LEVELS = 15,  /* kernels/rows/columns.cu: COUNTER_LEVELS - 1 */
  COLUMNS_TOGETHER = 8 /* neighbouring rows that make a load of a warp worth its sectors */
};

static struct hd_cuda_row_out out_of_row(const struct fold_rows *f, u64 r) {
  struct hd_cuda_row_out out = f->out;
  if (out.value) out.value += r * f->job.out_bytes;
  if (out.index) out.index += r * sizeof(u64);
  return out;
}

static u64 divide_up(u64 a, u64 b) { return (a + b - 1) / b; }

/* Warps that a device runs at once, more or less. */
static u64 warps_at_once(const struct fold_rows *f) {
  return (u64)hd_cuda_limits(f->call->cuda)->sms * 32;
}

/* ---- segments ------------------------------------------------------------------------------------ */

/* Bytes of a block's stages, as kernels/rows/pass.h lays them out; 0: none, for want of bulk copies or
 * of room. */
static u32 stage_bytes(const struct fold_rows *f, u32 *stages) {
  const struct hd_cuda_limits *limits = hd_cuda_limits(f->call->cuda);
  const u64 half = f->job.element_bytes == 8 ? 512 : 1024;
  const u64 array =
      ((half + half / 8) * f->job.element_bytes + 2 * PASS_PIECE - 1) / PASS_PIECE * PASS_PIECE;
  const u64 arrays = f->job.fold->verb == HD_DOT ? 2 : 1;
  *stages = f->job.is_number ? hd_cuda_tune(limits)->rows.stages : 0;
  const u64 room = (u64)limits->shared_per_block, stage = SEGMENT_WARPS * arrays * array;
  if (2 * (*stages * stage + OWN_BYTES) > room && *stages > 1) *stages = 1; /* two blocks each */
  if (*stages * stage + OWN_BYTES > room) *stages = 0;
  return *stages * (u32)stage;
}

static heddle_status run_segments(struct fold_rows *f, const struct hd_cuda_row_view *view,
                                  struct hd_cuda_row_source from, struct hd_cuda_row_out out) {
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  cu_pointer work, fault = hd_cuda_fault(f->call);
  u32 stages;
  const u32 bytes = stage_bytes(f, &stages);
  hd_cuda_row_key(&f->job, "rows/segments.cu", true, false, false, &key);
  hd_cuda_kernel_define(&key, "HEDDLE_STAGES", stages);
  HD_TRY(hd_cuda_kernel(f->call, &key, "fold_segments", SEGMENT_WARPS * 32, bytes, &kernel));
  HD_TRY(hd_cuda_region(f->call, HD_REGION_TICKETS, HD_ROW_SHOWN_END, &work));
  if (!f->list) {
    HD_TRY(hd_cuda_scratch(f->call, HD_ROW_LIST * HD_ROW_ENTRY_BYTES, &f->list));
    HD_TRY(hd_cuda_scratch(f->call, HD_ROW_LIST * HD_ROW_PIECE_BYTES, &f->pieces));
    HD_TRY(hd_cuda_scratch(f->call, HD_ROW_LIST * (size_t)f->job.total_bytes, &f->slots));
  }
  struct hd_cuda_row_view copy = *view;
  void *arguments[] = {&copy,    &from,      &out,      &f->job.ends, &work,
                       &f->list, &f->pieces, &f->slots, &fault};
  const struct hd_cuda_limits *limits = hd_cuda_limits(f->call->cuda);
  u64 blocks = (u64)limits->sms * (kernel.blocks_per_sm ? kernel.blocks_per_sm : 1);
  return hd_cuda_launch(f->call, &kernel, blocks, arguments);
}

/* ---- rows of an axis, by warps and blocks ---------------------------------------------------------- */

/* A quad of elements is one load in every row. */
static bool has_quads(const struct fold_rows *f, const struct hd_cuda_row_view *view,
                      const struct hd_cuda_row_source *from) {
  const u64 bytes = f->job.element_bytes < 4 ? 4 * f->job.element_bytes : 16;
  if (!f->job.is_number || from->step != 1 || from->x % bytes || from->y % bytes) return false;
  for (u64 d = 0; d < view->dims; d++)
    if (view->shape[d] > 1 && (u64)view->stride[d] * f->job.element_bytes % bytes) return false;
  return true;
}

static heddle_status run_even(struct fold_rows *f, const struct hd_cuda_kernel_key *key,
                              const struct hd_cuda_row_view *view, struct hd_cuda_row_source from,
                              struct hd_cuda_row_out out) {
  struct hd_cuda_kernel kernel;
  struct hd_cuda_row_view copy = *view;
  HD_TRY(hd_cuda_kernel(f->call, key, "fold_rows_even", EVEN_THREADS, 0, &kernel));
  u32 rows = 32;
  while (rows > 1 &&
         (rows * view->length > hd_cuda_tune(hd_cuda_limits(f->call->cuda))->rows.batch ||
          view->rows / rows < 2 * warps_at_once(f)))
    rows /= 2;
  void *arguments[] = {&copy, &from, &out, &f->job.ends, &rows};
  return hd_cuda_launch(f->call, &kernel, divide_up(divide_up(view->rows, rows), EVEN_THREADS / 32),
                        arguments);
}

static heddle_status run_split(struct fold_rows *f, const struct hd_cuda_kernel_key *key,
                               const struct hd_cuda_row_view *view, struct hd_cuda_row_source from,
                               struct hd_cuda_row_out out) {
  struct hd_cuda_kernel kernel;
  struct hd_cuda_row_view copy = *view;
  cu_pointer tickets, slots = 0;
  const u64 chunks = view->length / f->job.chunk;
  u32 level = hd_cuda_tune(hd_cuda_limits(f->call->cuda))->rows.level, pieces = 0;
  HD_TRY(hd_cuda_kernel(f->call, key, "fold_rows_split", SPLIT_THREADS, 0, &kernel));
  HD_TRY(
      hd_cuda_region(f->call, HD_REGION_TICKETS, COUNTERS_AT + COUNTERS * sizeof(u32), &tickets));
  tickets += COUNTERS_AT;
  while (level > 3 && (chunks >> level) * view->rows < warps_at_once(f)) level--;
  while ((chunks >> level) > MOST_PIECES / view->rows) level++;
  if (view->rows <= COUNTERS && chunks >> level > 1) pieces = (u32)(chunks >> level);
  if (pieces)
    HD_TRY(hd_cuda_scratch(f->call, (size_t)(pieces * view->rows * f->job.total_bytes), &slots));
  void *arguments[] = {&copy, &from, &out, &f->job.ends, &slots, &tickets, &pieces, &level};
  return hd_cuda_launch(f->call, &kernel, pieces ? pieces * view->rows : view->rows, arguments);
}

/* ---- rows of an axis, by threads --------------------------------------------------------------------- */

static i64 magnitude(i64 x) { return x < 0 ? -x : x; }

static bool has_columns(const struct fold_rows *f, const struct hd_cuda_row_view *view, i64 step) {
  if ((!f->job.is_number && f->job.fold->verb != HD_ARGREDUCE) || view->length < 2) return false;
  return view->shape[0] >= COLUMNS_TOGETHER && magnitude(view->stride[0]) < magnitude(step) &&
         magnitude(view->stride[0]) <= 4;
}

static heddle_status run_columns(struct fold_rows *f, const struct hd_cuda_row_view *view,
                                 struct hd_cuda_row_source from, struct hd_cuda_row_out out) {
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel, end;
  struct hd_cuda_row_view copy = *view;
  cu_pointer slots = 0;
  const u64 groups = divide_up(view->rows, 32), chunks = view->length / f->job.chunk;
  u64 parts = chunks;
  u32 level = 0;
  hd_cuda_row_key(&f->job, "rows/columns.cu", false, true, false, &key);
  HD_TRY(hd_cuda_kernel(f->call, &key, "fold_columns", EVEN_THREADS, 0, &kernel));
  while (level < COLUMN_LEVELS && (parts * groups > 8 * warps_at_once(f) || parts >> COLUMN_LEVELS))
    parts = chunks >> ++level;
  /* Threads enough without parts, or nothing to part. */
  if (!(chunks >> COLUMN_LEVELS) && (groups > 2 * warps_at_once(f) || !parts)) parts = 0;
  if (parts)
    HD_TRY(hd_cuda_scratch(f->call, (size_t)(parts * view->rows) * f->job.total_bytes, &slots));
  void *arguments[] = {&copy, &from, &out, &f->job.ends, &slots, &parts, &level};
  HD_TRY(hd_cuda_launch(f->call, &kernel,
                        divide_up(groups * (parts ? parts : 1), EVEN_THREADS / 32), arguments));
  if (!parts) return HEDDLE_OK;
  HD_TRY(hd_cuda_kernel(f->call, &key, "fold_columns_end", EVEN_THREADS, 0, &end));
  return hd_cuda_launch(f->call, &end, divide_up(view->rows, EVEN_THREADS), arguments);
}

/* ---- all rows ---------------------------------------------------------------------------------------- */

static heddle_status run(void *arg, const struct hd_cuda_row_view *view, i64 step, u64 r,
                         cu_pointer x, cu_pointer y) {
  struct fold_rows *f = arg;
  const struct hd_cuda_row_source from = {x, y, view->length < 2 ? 1 : step};
  const struct hd_cuda_row_out out = out_of_row(f, r);
  struct hd_cuda_kernel_key key;
  if (view->offsets) return run_segments(f, view, from, out);
  if (has_columns(f, view, from.step)) return run_columns(f, view, from, out);
  hd_cuda_row_key(&f->job, "rows/strided.cu", false, from.step != 1, has_quads(f, view, &from),
                  &key);
  const bool split = view->length / f->job.chunk >= SHORT_CHUNKS;
  hd_cuda_kernel_define(&key, "HEDDLE_SPLIT", split);
  hd_cuda_kernel_define(&key, "HEDDLE_BRIEF", view->length < f->job.chunk);
  if (!split) return run_even(f, &key, view, from, out);
  return run_split(f, &key, view, from, out);
}

/* A row that is longer than a part is appended piece by piece. */
static heddle_status run_long(void *arg, u64 r, u64 at, size_t n, u64 length, cu_pointer x,
                              cu_pointer y) {
  struct fold_rows *f = arg;
  const struct hd_cuda_row_out out = out_of_row(f, r);
  if (!at) {
    hd_cuda_fold_run_start(&f->run, f->job.fold);
    HD_TRY(hd_cuda_scratch(f->call, hd_cuda_fold_run_bytes(&f->run), &f->run.memory));
  }
  HD_TRY(hd_cuda_fold_append(f->call, &f->run, x, y, n));
  if (at + n < length) return HEDDLE_OK;
  return hd_cuda_fold_result_of(f->call, &f->run, 0, 0, 0,
                                (struct hd_cuda_fold_results){out.value, out.index});
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
  f->out.type = fold->out_type;
  f->out.has_init = fold->init != NULL;
  /* The value of an empty row stays as it is, on its way there and back, too. */
  if (fold->verb == HD_ARGREDUCE && value && f->out.value != (cu_pointer)(uintptr_t)value)
    return hd_cuda_upload(call, f->out.value, value, bytes);
  return HEDDLE_OK;
}

static heddle_status fold_rows(struct fold_rows *f, const void *x, const void *y,
                               const heddle_rows *rows, struct hd_fold_out out) {
  struct hd_cuda_row_plan plan;
  enum hd_cuda_memory_space place = HD_PLACE_HOST;
  if (rows->offsets)
    HD_TRY(hd_cuda_place(f->call, "rows->offsets", rows->offsets,
                         (rows->segments + 1) * sizeof(u64), sizeof(u64), &place));
  hd_cuda_row_plan_make(&plan, rows, place == HD_PLACE_DEVICE);
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

heddle_status hd_cuda_fold_rows(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                                const void *y, const heddle_rows *rows, struct hd_fold_out out) {
  struct hd_cuda_call call;
  struct fold_rows f = {.call = &call};
  HD_TRY(hd_cuda_row_job_make(&f.job, fold));
  HD_TRY(hd_cuda_enter(ctx, fold->entry, &call));
  return hd_cuda_leave(&call, fold_rows(&f, x, y, rows, out));
}

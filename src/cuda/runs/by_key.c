/* by_key.c - folds and scans of the values of runs of equal keys, on a device
 *
 * Method   Runs are found by one pass of cuda/select, whose offsets are segments to cuda/rows and cuda/exact, with
 *          their number in device memory: nothing waits. Where an array is the host's, keys are copied into
 *          scratch, the number of runs is waited for, and values come as those of segments do.
 * Memory   the offset of every run. How many there will be is not known before: room for one an element, or, if
 *          the device has not as much and may be waited for, runs are counted before
 * Limits   keys of the host, and offsets, fit the device's memory */
#include "cuda/exact/exact.h"
#include "cuda/rows/rows.h"
#include "cuda/staging/move.h"
#include "host/status.h"
#include "runs.h"

struct by_key {
  struct hd_cuda_call *call;
  struct hd_cuda_select_job job;
  const struct hd_fold *fold;
  const struct hd_scan *scan; /* NULL: a fold */
  const void *keys, *values;
  void *keys_out, *out;
  u64 *runs;
  u64 count, found; /* elements; runs, where the host knows */
  struct hd_cuda_select_arrays arrays;
  struct hd_cuda_row_found rows;
};

static const char *name_of_values(const struct by_key *b) { return b->scan ? "in" : "values"; }
static const char *name_of_out(const struct by_key *b) { return b->scan ? "out" : "values_out"; }

/* ---- memory ---------------------------------------------------------------------------------- */

/* Room for one more than `runs`. */
static heddle_status take_offsets(struct by_key *b, u64 runs) {
  b->rows.most = runs;
  HD_TRY(hd_cuda_scratch(b->call, (size_t)(runs + 1) * sizeof(u64), &b->rows.offsets));
  b->arrays.positions = b->rows.offsets;
  return HEDDLE_OK;
}

static heddle_status count_runs(struct by_key *b) {
  struct hd_cuda_select_arrays a = b->arrays;
  u64 found;
  HD_TRY(hd_cuda_scratch(b->call, sizeof(u64), &a.total));
  HD_TRY(hd_cuda_select_count(&b->job, &a));
  HD_TRY(hd_cuda_select_fetch(b->call, a.total, &found));
  return take_offsets(b, found);
}

static heddle_status find_room(struct by_key *b) {
  const struct hd_cuda_mark mark = hd_cuda_scratch_mark(b->call);
  struct hd_message kept;
  hd_message_keep(&kept);
  heddle_status status = take_offsets(b, b->count);
  if (status != HEDDLE_OUT_OF_MEMORY || b->call->preparing) return status;
  hd_cuda_scratch_reset(b->call, mark);
  status = count_runs(b);
  if (!status) hd_message_restore(&kept);
  return status;
}

/* ---- arrays of the device -------------------------------------------------------------------- */

static heddle_status work_on_found(struct by_key *b) {
  const cu_pointer values = (cu_pointer)(uintptr_t)b->values, out = (cu_pointer)(uintptr_t)b->out;
  if (b->scan) return hd_cuda_scan_found(b->call, b->scan, values, &b->rows, out);
  if (b->fold->exact) return hd_cuda_exact_found(b->call, b->fold, values, &b->rows, out);
  return hd_cuda_fold_found(b->call, b->fold, values, &b->rows, b->out);
}

static heddle_status run_device(struct by_key *b) {
  HD_TRY(find_room(b));
  b->arrays.out = (cu_pointer)(uintptr_t)b->keys_out;
  if (b->runs)
    HD_TRY(hd_cuda_result(b->call, "runs", b->runs, sizeof(u64), sizeof(u64), &b->arrays.total));
  else
    HD_TRY(hd_cuda_scratch(b->call, sizeof(u64), &b->arrays.total));
  b->rows.count = b->arrays.total;
  HD_TRY(hd_cuda_select_pass(&b->job, &b->arrays));
  return work_on_found(b);
}

/* ---- arrays of the host ---------------------------------------------------------------------- */

static heddle_status bring_keys(struct by_key *b, enum hd_cuda_memory_space space) {
  const size_t bytes = (size_t)b->count * b->job.key_bytes;
  const struct hd_cuda_operand operand = {
      .what = "keys", .in = b->keys, .element_bytes = 1, .space = space};
  if (space == HD_SPACE_DEVICE) return HEDDLE_OK;
  HD_TRY(hd_cuda_scratch(b->call, bytes, &b->arrays.of));
  b->arrays.in = b->arrays.of;
  return hd_cuda_move(b->call, operand, b->arrays.of, bytes);
}

/* Keys of runs, to where they are wanted: on the device already if that is there. */
static heddle_status send_keys(struct by_key *b, enum hd_cuda_memory_space space) {
  const struct hd_cuda_operand operand = {
      .what = "keys_out", .out = b->keys_out, .element_bytes = 1, .space = space};
  if (!b->keys_out || space == HD_SPACE_DEVICE) return HEDDLE_OK;
  return hd_cuda_move(b->call, operand, b->arrays.out, (size_t)b->found * b->job.key_bytes);
}

static heddle_status work_on_rows(struct by_key *b) {
  const heddle_rows rows = {.size = sizeof rows,
                            .offsets = (const u64 *)(uintptr_t)b->rows.offsets,
                            .segments = (size_t)b->found};
  const struct hd_fold_out out = {.value = b->out};
  if (b->scan) return hd_cuda_scan_rows_in(b->call, b->scan, b->values, &rows, b->out);
  if (b->fold->exact) return hd_cuda_exact_rows_in(b->call, b->fold, b->values, &rows, b->out);
  return hd_cuda_fold_rows_in(b->call, b->fold, b->values, NULL, &rows, out);
}

static heddle_status run_host(struct by_key *b, enum hd_cuda_memory_space keys,
                              enum hd_cuda_memory_space keys_out) {
  HD_TRY(hd_cuda_scratch(b->call, sizeof(u64), &b->arrays.total));
  HD_TRY(bring_keys(b, keys));
  b->arrays.out = (cu_pointer)(uintptr_t)b->keys_out;
  /* what is brought in scratch may be written over */
  if (b->keys_out && keys_out != HD_SPACE_DEVICE) {
    b->arrays.out = b->arrays.of;
    if (keys == HD_SPACE_DEVICE)
      HD_TRY(hd_cuda_scratch(b->call, (size_t)b->count * b->job.key_bytes, &b->arrays.out));
  }
  HD_TRY(find_room(b));
  HD_TRY(hd_cuda_select_pass(&b->job, &b->arrays));
  HD_TRY(hd_cuda_select_fetch(b->call, b->arrays.total, &b->found));
  HD_TRY(send_keys(b, keys_out));
  HD_TRY(work_on_rows(b));
  return b->runs ? hd_cuda_select_tell(b->call, "runs", b->found, b->runs) : HEDDLE_OK;
}

/* ---- the calls ------------------------------------------------------------------------------- */

static heddle_status find_space(const struct by_key *b, const char *what, const void *array,
                                u32 bytes, enum hd_cuda_memory_space *space) {
  *space = HD_SPACE_DEVICE;
  if (!array) return HEDDLE_OK;
  return hd_cuda_find_space(b->call, what, array, (size_t)b->count * bytes, bytes, space);
}

static heddle_status run(struct by_key *b, struct hd_cuda_call *call, const struct hd_runs *job) {
  const u32 value_bytes = (u32)hd_cuda_fold_element_bytes(b->fold);
  const u32 out_bytes = (u32)hd_cuda_fold_result_bytes(b->fold);
  enum hd_cuda_memory_space keys, values, keys_out, out;
  b->call = call;
  b->job = hd_cuda_runs_job(call, job->type, b->keys_out != NULL, true);
  if (!b->count) return hd_cuda_select_tell(call, "runs", 0, b->runs);
  HD_TRY(find_space(b, "keys", b->keys, b->job.key_bytes, &keys));
  HD_TRY(find_space(b, name_of_values(b), b->values, value_bytes, &values));
  HD_TRY(find_space(b, "keys_out", b->keys_out, b->job.key_bytes, &keys_out));
  HD_TRY(find_space(b, name_of_out(b), b->out, out_bytes, &out));
  b->arrays.of = b->arrays.in = (cu_pointer)(uintptr_t)b->keys;
  b->arrays.count = b->count;
  const bool device = keys == HD_SPACE_DEVICE && values == HD_SPACE_DEVICE &&
                      keys_out == HD_SPACE_DEVICE && out == HD_SPACE_DEVICE;
  if (device || call->preparing) return run_device(b);
  return run_host(b, keys, keys_out);
}

heddle_status hd_cuda_reduce_by_key(heddle_context *ctx, const struct hd_fold *fold,
                                    const struct hd_runs *job, const void *keys, const void *values,
                                    size_t count, void *keys_out, void *out, u64 *runs) {
  struct by_key b = {.fold = fold,
                     .keys = keys,
                     .values = values,
                     .keys_out = keys_out,
                     .out = out,
                     .runs = runs,
                     .count = count};
  struct hd_cuda_call call;
  HD_TRY(hd_cuda_enter(ctx, fold->entry, &call));
  return hd_cuda_leave(&call, run(&b, &call, job));
}

heddle_status hd_cuda_scan_by_key(heddle_context *ctx, const struct hd_scan *scan,
                                  const struct hd_runs *job, const void *keys, const void *in,
                                  size_t count, void *out) {
  struct by_key b = {
      .fold = &scan->fold, .scan = scan, .keys = keys, .values = in, .out = out, .count = count};
  struct hd_cuda_call call;
  HD_TRY(hd_cuda_enter(ctx, scan->fold.entry, &call));
  return hd_cuda_leave(&call, run(&b, &call, job));
}

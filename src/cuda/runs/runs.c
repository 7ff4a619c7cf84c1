/* runs.c - where runs of equal neighbours begin, on a device
 *
 * Method   What differs from its left neighbour is selected, with its position: one pass of cuda/select. */
#include "runs.h"

#include "host/status.h"

struct hd_cuda_select_job hd_cuda_runs_job(struct hd_cuda_call *call, heddle_type type, bool keys,
                                           bool offsets) {
  const u32 bytes = (u32)heddle_type_size(type);
  return (struct hd_cuda_select_job){.call = call,
                                     .test = hd_cuda_select_runs_test(type),
                                     .key_bytes = bytes,
                                     .is_float = hd_is_float(type),
                                     .runs = true,
                                     .value_bytes = keys ? bytes : 0,
                                     .position_bytes = offsets ? sizeof(u64) : 0,
                                     .ends = offsets};
}

static heddle_status runs_dense(const struct hd_cuda_select_job *job, const void *in, u64 count,
                                void *keys_out, u64 *offsets, u64 *runs) {
  struct hd_cuda_select_arrays arrays = {.of = (cu_pointer)(uintptr_t)in,
                                         .in = (cu_pointer)(uintptr_t)in,
                                         .out = (cu_pointer)(uintptr_t)keys_out,
                                         .positions = (cu_pointer)(uintptr_t)offsets,
                                         .count = count};
  HD_TRY(hd_cuda_output(job->call, "runs", runs, sizeof(u64), sizeof(u64), &arrays.total));
  return hd_cuda_select_dense(job, &arrays);
}

static heddle_status run(struct hd_cuda_call *call, heddle_type type, const void *in, size_t count,
                         void *keys_out, u64 *offsets, u64 *runs) {
  const struct hd_cuda_select_job job =
      hd_cuda_runs_job(call, type, keys_out != NULL, offsets != NULL);
  struct hd_cuda_select_operands o = {
      .of = {.what = "in", .at = (void *)(uintptr_t)in, .bytes = job.key_bytes},
      .in = {.what = "in", .at = (void *)(uintptr_t)in, .bytes = job.value_bytes},
      .out = {.what = "keys_out", .at = keys_out, .bytes = job.value_bytes},
      .positions = {.what = "offsets", .at = offsets, .bytes = job.position_bytes}};
  bool host;
  u64 found = 0;
  if (!count) {
    if (offsets) HD_TRY(hd_cuda_select_tell(call, "offsets", 0, offsets));
    return hd_cuda_select_tell(call, "runs", 0, runs);
  }
  HD_TRY(hd_cuda_select_spaces(call, &o, count, job.ends, &host));
  if (!host) return runs_dense(&job, in, count, keys_out, offsets, runs);
  HD_TRY(hd_cuda_select_host(&job, &o, count, &found));
  return hd_cuda_select_tell(call, "runs", found, runs);
}

heddle_status hd_cuda_runs(heddle_context *ctx, const struct hd_runs *job, const void *in,
                           size_t count, void *keys_out, u64 *offsets, u64 *runs) {
  struct hd_cuda_call call;
  HD_TRY(hd_cuda_enter(ctx, job->entry, &call));
  return hd_cuda_leave(&call, run(&call, job->type, in, count, keys_out, offsets, runs));
}

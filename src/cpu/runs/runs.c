/* runs.c - runs of equal neighbours, and scans of their values by offsets */
#include "runs.h"

#include "cpu/exact/exact.h"
#include "cpu/select/select.h"
#include "host/status.h"

u64 *hd_cpu_offsets_new(heddle_context *ctx, const char *entry, size_t count) {
  size_t bytes;
  if (hd_product(count, sizeof(u64), &bytes) && bytes <= PTRDIFF_MAX - sizeof(u64))
    return hd_allocate(ctx, bytes + sizeof(u64));
  (void)hd_fail(HEDDLE_OUT_OF_MEMORY,
                "%s: offsets of %zu elements are more than memory can hold; give fewer at a time",
                entry, count);
  return NULL;
}

heddle_status hd_cpu_runs(heddle_context *ctx, const struct hd_runs *job, const void *in,
                          size_t count, void *keys_out, u64 *offsets, u64 *runs) {
  const struct hd_cpu_select_kernels *kernels = hd_cpu_select_kernels(ctx);
  const size_t bytes = heddle_type_size(job->type);
  const struct hd_cpu_packed packed = {.entry = job->entry,
                                       .marks = {.kernels = kernels,
                                                 .heads = kernels->heads[job->type],
                                                 .x = in,
                                                 .bytes = bytes,
                                                 .count = count},
                                       .in = in,
                                       .out = keys_out,
                                       .index = (char *)offsets,
                                       .element_bytes = (u32)bytes,
                                       .index_bytes = sizeof *offsets};
  heddle_status status = hd_cpu_pack(ctx, &packed, runs);
  if (!status && offsets) offsets[*runs] = count;
  return status;
}

heddle_status hd_cpu_scan_by_key(heddle_context *ctx, const struct hd_scan *scan,
                                 const struct hd_runs *job, const void *keys, const void *in,
                                 size_t count, void *out) {
  u64 runs, *offsets = hd_cpu_offsets_new(ctx, job->entry, count);
  if (!offsets) return HEDDLE_OUT_OF_MEMORY;
  heddle_status status = hd_cpu_runs(ctx, job, keys, count, NULL, offsets, &runs);
  const heddle_rows rows = {.size = sizeof rows, .offsets = offsets, .segments = (size_t)runs};
  if (!status) status = hd_cpu_scan_rows(ctx, scan, in, &rows, out);
  hd_release(ctx, offsets, (count + 1) * sizeof *offsets);
  return status;
}

void hd_cpu_by_key_choose(heddle_context *ctx, const struct hd_asked *asked, size_t count,
                          struct hd_cpu_choice *choice) {
  const struct hd_fold *fold = &asked->scan.fold;
  const struct hd_cpu_marks marks = {.count = count};
  const bool scan = asked->call == HEDDLE_CALL_SCAN_BY_KEY;
  struct hd_cpu_fold_kernel storage;
  *choice = (struct hd_cpu_choice){.strategy = scan || fold->exact ? "offsets" : "runs",
                                   .file = scan ? "cpu/runs/runs.c" : "cpu/runs/by_key.c",
                                   .threads = hd_cpu_marks_threads(ctx, &marks)};
  choice->kernel = fold->exact ? hd_cpu_exact_call(ctx->kernels, fold).kernel->name
                               : hd_cpu_fold_kernel(ctx->kernels, fold, &storage)->name;
}

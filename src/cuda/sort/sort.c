/* sort.c - sort, sort_pairs and argsort of a whole array on a device
 *
 * Method   Arrays of the host are copied into scratch, sorted there, and copied back (host.c), in parts where the
 *          device has no room for all of it (parts.c).
 * Limits   an array of the device and what its sort takes fit its memory */
#include "sort.h"

#include "host/status.h"

static heddle_status take_scratch(struct hd_cuda_call *call, const struct hd_sort *sort,
                                  struct hd_cuda_sort_scratch *scratch) {
  enum hd_cuda_memory_space space = HD_SPACE_DEVICE;
  *scratch = (struct hd_cuda_sort_scratch){0};
  if (!sort->scratch) return HEDDLE_OK;
  HD_TRY(
      hd_cuda_find_space(call, "options->scratch", sort->scratch, sort->scratch_bytes, 1, &space));
  if (space != HD_SPACE_DEVICE)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `options->scratch` is host memory; a sort on %s takes memory of the device",
                   call->entry, call->ctx->device);
  const cu_pointer at = (cu_pointer)(uintptr_t)sort->scratch, first = (at + 255) & ~(cu_pointer)255;
  if (first - at >= sort->scratch_bytes) return HEDDLE_OK;
  scratch->at = first;
  scratch->left = (sort->scratch_bytes - (first - at)) & ~(u64)255;
  return HEDDLE_OK;
}

static heddle_status sort_array(struct hd_cuda_call *call, const struct hd_sort *sort,
                                const struct hd_sort_arrays *arrays, size_t count) {
  struct hd_cuda_sort_scratch scratch;
  struct hd_cuda_sort_job job;
  const struct hd_cuda_sort_rows rows = {.rows = 1, .length = count, .elements = count};
  hd_cuda_sort_job_make(&job, call, sort, &scratch);
  HD_TRY(take_scratch(call, sort, &scratch));
  return hd_cuda_sort_arrays(&job, arrays, &rows, 0, count);
}

heddle_status hd_cuda_sort(heddle_context *ctx, const struct hd_sort *sort,
                           const struct hd_sort_arrays *arrays, size_t count) {
  struct hd_cuda_call call;
  HD_TRY(hd_cuda_enter(ctx, sort->entry, &call));
  return hd_cuda_leave(&call, sort_array(&call, sort, arrays, count));
}

heddle_status hd_cuda_sort_scratch(heddle_context *ctx, const struct hd_sort *sort, size_t count,
                                   size_t *bytes) {
  struct hd_cuda_call call;
  struct hd_cuda_sort_job job;
  struct hd_cuda_sort_scratch scratch = {0};
  HD_TRY(hd_cuda_enter(ctx, sort->entry, &call));
  hd_cuda_sort_job_make(&job, &call, sort, &scratch);
  const u64 all = hd_cuda_sort_bytes(&job, count);
  *bytes = all ? (size_t)all + 256 : 0; /* wherever it begins */
  return hd_cuda_leave(&call, HEDDLE_OK);
}

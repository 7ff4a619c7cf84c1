/* job.c - what the kernels of rows need to know of a job: sizes, defines, init and identity */
#include <string.h>

#include "host/status.h"
#include "rows.h"

heddle_status hd_cuda_row_job_make(struct hd_cuda_row_job *job, const struct hd_fold *fold) {
  const heddle_custom *custom = fold->custom;
  memset(job, 0, sizeof *job);
  if (custom && custom->element_bytes > HD_FOLD_TOTAL_BYTES)
    return hd_fail(HEDDLE_UNSUPPORTED,
                   "%s: `options->custom->element_bytes` is %zu; a GPU takes elements of up to %d "
                   "bytes",
                   fold->entry, custom->element_bytes, HD_FOLD_TOTAL_BYTES);
  job->fold = fold;
  job->total_bytes = (u32)hd_cuda_fold_total_bytes(fold);
  job->element_bytes = (u32)hd_cuda_fold_element_bytes(fold);
  job->out_bytes = (u32)hd_cuda_fold_result_bytes(fold);
  job->is_number = !custom && (fold->verb == HD_REDUCE || fold->verb == HD_DOT);
  job->chunk = 2048;
  if (!hd_cuda_fold_is_order_free(fold)) job->chunk = hd_cuda_fold_chunk(fold);
  hd_cuda_fold_ends(fold, fold->init != NULL, &job->ends);
  return HEDDLE_OK;
}

void hd_cuda_row_key(const struct hd_cuda_row_job *job, const char *file, bool segments,
                     bool strided, bool quads, struct hd_cuda_kernel_key *key) {
  *key = (struct hd_cuda_kernel_key){.file = file};
  hd_cuda_fold_defines(key, job->fold);
  hd_cuda_kernel_define(key, "HEDDLE_SEGMENTS", segments);
  hd_cuda_kernel_define(key, "HEDDLE_STRIDED", strided);
  hd_cuda_kernel_define(key, "HEDDLE_QUADS", quads);
}

/* dense.c - rows one behind the other in device memory: short ones, those that a block has room for, and longer ones */
#include "host/status.h"
#include "sort.h"

heddle_status hd_cuda_sort_take(const struct hd_cuda_sort_job *job, u64 bytes, cu_pointer *out) {
  const u64 room = (bytes + 255) & ~(u64)255;
  struct hd_cuda_sort_scratch *scratch = job->scratch;
  if (room > scratch->left) return hd_cuda_scratch(job->call, bytes, out);
  *out = scratch->at;
  scratch->at += room;
  scratch->left -= room;
  return HEDDLE_OK;
}

heddle_status hd_cuda_sort_dense(const struct hd_cuda_sort_job *job,
                                 const struct hd_cuda_sort_arrays *arrays,
                                 const struct hd_cuda_sort_rows *rows) {
  u64 most = hd_cuda_sort_block_most(job);
  if (!rows->elements) return HEDDLE_OK;
  if (rows->rows == 1 && !rows->offsets && hd_cuda_sort_is_counted(job, rows->length))
    return hd_cuda_sort_counted(job, arrays, rows->length);
  if (!rows->offsets && rows->length <= SHORT_MOST) return hd_cuda_sort_shorts(job, arrays, rows);
  if (!rows->offsets)
    return rows->length <= most ? hd_cuda_sort_blocks(job, arrays, rows)
                                : hd_cuda_sort_steps(job, arrays, rows, 0);
  most /=
      2; /* as a block takes segments that begin among as many elements, and the end of the last */
  HD_TRY(hd_cuda_sort_blocks(job, arrays, rows));
  return rows->length <= most ? HEDDLE_OK : hd_cuda_sort_steps(job, arrays, rows, most);
}

u64 hd_cuda_sort_bytes(const struct hd_cuda_sort_job *job, u64 count) {
  if (hd_cuda_sort_is_counted(job, count)) return hd_cuda_sort_counted_bytes(job);
  return count <= hd_cuda_sort_block_most(job) ? 0 : hd_cuda_sort_step_bytes(job, count);
}

u64 hd_cuda_sort_rows_bytes(const struct hd_cuda_sort_job *job,
                            const struct hd_cuda_sort_rows *rows) {
  const u64 most = hd_cuda_sort_block_most(job) / (rows->offsets ? 2 : 1);
  if (rows->rows == 1 && !rows->offsets) return hd_cuda_sort_bytes(job, rows->length);
  if (rows->length <= most) return 0;
  const u64 longs = rows->elements / most + 1; /* or fewer */
  return hd_cuda_sort_step_bytes(job, rows->elements) +
         longs * job->digits * SORT_BINS * sizeof(u64);
}

/* dense.c - rows one behind the other in device memory: short ones, those that a block has room for, and
 * longer ones */
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

/* How rows of one length are sorted. */
enum way { COUNTED, SHORT, NETWORK, MERGED, BLOCK, STEPS };
static enum way way_of(const struct hd_cuda_sort_job *job, const struct hd_cuda_sort_rows *rows) {
  if (rows->rows == 1 && hd_cuda_sort_is_counted(job, rows->length)) return COUNTED;
  if (rows->length <= SHORT_MOST) return SHORT;
  if (rows->length <= hd_cuda_sort_network_most(job, rows->rows)) return NETWORK;
  if (rows->rows == 1 && hd_cuda_sort_is_merged(job, rows->length)) return MERGED;
  return rows->length <= hd_cuda_sort_block_most(job) ? BLOCK : STEPS;
}

heddle_status hd_cuda_sort_dense_choose(const struct hd_cuda_sort_job *job,
                                        const struct hd_cuda_sort_rows *rows,
                                        struct hd_cuda_choice *first, struct hd_cuda_choice *then) {
  *then = (struct hd_cuda_choice){0};
  if (rows->offsets) {
    hd_cuda_sort_blocks_choose(job, rows, first);
    if (rows->length > hd_cuda_sort_block_most(job) / 2) then->kernel = "heddle_sort_count";
    return HEDDLE_OK;
  }
  switch (way_of(job, rows)) {
  case COUNTED: return hd_cuda_sort_counted_choose(job, rows->length, first);
  case SHORT: hd_cuda_sort_shorts_choose(job, rows, first); return HEDDLE_OK;
  case NETWORK: hd_cuda_sort_network_choose(job, rows, first); return HEDDLE_OK;
  case MERGED: hd_cuda_sort_merged_choose(job, rows->length, first, then); return HEDDLE_OK;
  case BLOCK: hd_cuda_sort_blocks_choose(job, rows, first); return HEDDLE_OK;
  case STEPS: break;
  }
  hd_cuda_sort_steps_choose(job, rows, first, then);
  return HEDDLE_OK;
}

/* Segments that a block has room for, then longer ones. A block takes those that begin among so many elements, and
 * the end of the last. */
static heddle_status sort_segments(const struct hd_cuda_sort_job *job,
                                   const struct hd_cuda_sort_arrays *arrays,
                                   const struct hd_cuda_sort_rows *rows) {
  const u64 most = hd_cuda_sort_block_most(job) / 2;
  HD_TRY(hd_cuda_sort_blocks(job, arrays, rows));
  return rows->length <= most ? HEDDLE_OK : hd_cuda_sort_steps(job, arrays, rows, most);
}

heddle_status hd_cuda_sort_dense(const struct hd_cuda_sort_job *job,
                                 const struct hd_cuda_sort_arrays *arrays,
                                 const struct hd_cuda_sort_rows *rows) {
  if (!rows->elements) return HEDDLE_OK;
  if (rows->offsets) return sort_segments(job, arrays, rows);
  switch (way_of(job, rows)) {
  case COUNTED: return hd_cuda_sort_counted(job, arrays, rows->length);
  case SHORT: return hd_cuda_sort_shorts(job, arrays, rows);
  case NETWORK: return hd_cuda_sort_network(job, arrays, rows);
  case MERGED: return hd_cuda_sort_merged(job, arrays, rows->length);
  case BLOCK: return hd_cuda_sort_blocks(job, arrays, rows);
  case STEPS: break;
  }
  return hd_cuda_sort_steps(job, arrays, rows, 0);
}

u64 hd_cuda_sort_bytes(const struct hd_cuda_sort_job *job, u64 count) {
  if (hd_cuda_sort_is_counted(job, count)) return hd_cuda_sort_counted_bytes(job);
  const struct hd_cuda_sort_rows one = {.rows = 1, .length = count, .elements = count};
  if (way_of(job, &one) == MERGED) return hd_cuda_sort_merged_bytes(job, count);
  return way_of(job, &one) == STEPS ? hd_cuda_sort_step_bytes(job, count) : 0;
}

u64 hd_cuda_sort_rows_bytes(const struct hd_cuda_sort_job *job,
                            const struct hd_cuda_sort_rows *rows) {
  const u64 most = hd_cuda_sort_block_most(job) / (rows->offsets ? 2 : 1);
  if (rows->rows == 1 && !rows->offsets) return hd_cuda_sort_bytes(job, rows->length);
  if (rows->offsets ? rows->length <= most : way_of(job, rows) != STEPS) return 0;
  const u64 longs = rows->elements / most + 1; /* or fewer */
  return hd_cuda_sort_step_bytes(job, rows->elements) +
         longs * job->digits * SORT_BINS * sizeof(u64);
}

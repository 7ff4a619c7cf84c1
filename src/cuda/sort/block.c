/* block.c - rows that a block has room for: kernels/sort/block.cu */
#include "host/status.h"
#include "sort.h"

u32 hd_cuda_sort_block_most(const struct hd_cuda_sort_job *job) {
  const struct hd_cuda_sort_sizes sizes = hd_cuda_sort_block_sizes(hd_cuda_limits(job->call->cuda));
  return sizes.threads * sizes.items;
}

/* Dynamic shared memory of a block: as ROOM_ROWS of the kernel ends. */
static u32 shared_bytes(const struct hd_cuda_sort_job *job, u32 most, bool segments) {
  return most * ((job->key_bytes == 8 ? 8 : 4) + (segments ? 4u : 2u));
}

heddle_status hd_cuda_sort_blocks(const struct hd_cuda_sort_job *job,
                                  const struct hd_cuda_sort_arrays *arrays,
                                  const struct hd_cuda_sort_rows *rows) {
  const struct hd_cuda_sort_sizes sizes = hd_cuda_sort_block_sizes(hd_cuda_limits(job->call->cuda));
  const u32 most = sizes.threads * sizes.items;
  const bool segments = rows->offsets != NULL;
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  struct sort_block_args a = {.map = job->map,
                              .keys = arrays->keys,
                              .values = arrays->values,
                              .keys_out = arrays->keys_out,
                              .values_out = arrays->values_out,
                              .rows = rows->rows,
                              .length = rows->length,
                              .bit_begin = job->bit_begin,
                              .bit_end = job->bit_end};
  u64 blocks;
  if (segments) {
    a.offsets = rows->device;
    a.first = rows->offsets[0];
    a.at_once = most / 2;
    blocks = (rows->elements + a.at_once - 1) / a.at_once;
  } else {
    a.at_once = (u32)(most / rows->length < rows->rows ? most / rows->length : rows->rows);
    blocks = (rows->rows + a.at_once - 1) / a.at_once;
  }
  hd_cuda_sort_key(job, "sort/block.cu", job->sort->value_bytes, &key);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", sizes.threads);
  hd_cuda_kernel_define(&key, "HEDDLE_ITEMS", sizes.items);
  hd_cuda_kernel_define(&key, "HEDDLE_MOST", most / 2);
  hd_cuda_kernel_define(&key, "HEDDLE_SEGMENTS", segments);
  hd_cuda_kernel_define(&key, "HEDDLE_SINGLE", !segments && a.at_once == 1);
  HD_TRY(hd_cuda_kernel(job->call, &key, "heddle_sort_block", sizes.threads,
                        shared_bytes(job, most, segments), &kernel));
  return hd_cuda_launch(job->call, &kernel, blocks, &a, sizeof a);
}

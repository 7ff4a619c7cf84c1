/* block.c - rows that a block has room for: kernels/sort/block.cu */
#include "host/status.h"
#include "sort.h"

static struct hd_cuda_sort_sizes sizes_of(const struct hd_cuda_sort_job *job) {
  return hd_cuda_sort_block_sizes(hd_cuda_limits(job->call->cuda), job->key_bytes,
                                  job->sort->value_bytes);
}

u32 hd_cuda_sort_block_most(const struct hd_cuda_sort_job *job) {
  const struct hd_cuda_sort_sizes sizes = sizes_of(job);
  return sizes.threads * sizes.items;
}

/* Dynamic shared memory of a block: as ROOM_ROWS of the kernel ends. */
static u32 shared_bytes(const struct hd_cuda_sort_job *job, u32 most, bool segments) {
  return most * ((job->key_bytes == 8 ? 8 : 4) + (segments ? 4u : 2u));
}

/* Rows of a block; of segments, the elements among which those begin. */
static u32 at_once(const struct hd_cuda_sort_job *job, const struct hd_cuda_sort_rows *rows) {
  const u32 most = hd_cuda_sort_block_most(job);
  if (rows->offsets) return most / 2;
  return (u32)(most / rows->length < rows->rows ? most / rows->length : rows->rows);
}

void hd_cuda_sort_blocks_choose(const struct hd_cuda_sort_job *job,
                                const struct hd_cuda_sort_rows *rows,
                                struct hd_cuda_choice *choice) {
  const struct hd_cuda_sort_sizes sizes = sizes_of(job);
  const u64 each = at_once(job, rows), all = rows->offsets ? rows->elements : rows->rows;
  *choice = (struct hd_cuda_choice){
      .strategy = "block",
      .file = "sort/block.cu",
      .kernel = "heddle_sort_block",
      .threads = sizes.threads,
      .shared_bytes = shared_bytes(job, sizes.threads * sizes.items, rows->offsets != NULL),
      .blocks = (all + each - 1) / each};
}

heddle_status hd_cuda_sort_blocks(const struct hd_cuda_sort_job *job,
                                  const struct hd_cuda_sort_arrays *arrays,
                                  const struct hd_cuda_sort_rows *rows) {
  const u32 most = hd_cuda_sort_block_most(job);
  const bool segments = rows->offsets != NULL;
  struct hd_cuda_choice choice;
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  hd_cuda_sort_blocks_choose(job, rows, &choice);
  struct sort_block_args a = hd_cuda_sort_block_args(job, arrays, rows);
  a.at_once = at_once(job, rows);
  if (segments) a.offsets = rows->device, a.first = rows->offsets[0];
  hd_cuda_sort_key(job, choice.file, job->sort->value_bytes, &key);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", choice.threads);
  hd_cuda_kernel_define(&key, "HEDDLE_ITEMS", most / choice.threads);
  hd_cuda_kernel_define(&key, "HEDDLE_MOST", most / 2);
  hd_cuda_kernel_define(&key, "HEDDLE_SEGMENTS", segments);
  hd_cuda_kernel_define(&key, "HEDDLE_SINGLE", !segments && a.at_once == 1);
  HD_TRY(
      hd_cuda_kernel(job->call, &key, choice.kernel, choice.threads, choice.shared_bytes, &kernel));
  return hd_cuda_launch(job->call, &kernel, choice.blocks, &a, sizeof a);
}

/* short.c - rows of at most SHORT_MOST elements: kernels/sort/short.cu */
#include "host/status.h"
#include "sort.h"

enum { THREADS = 128, FEWER_THREADS = 64, SHARED_MOST = 40 << 10 };

static u32 larger(u32 a, u32 b) { return a > b ? a : b; }

/* As room_place of the kernel has them; behind them something may begin at any of its own kind's addresses. */
static u32 room_bytes(u32 elements, u32 bytes) {
  const u32 whole = elements * bytes;
  return (whole + whole / SHORT_LINE * larger(bytes, 4) + 15) & ~15u;
}

/* Whether elements alike may be other bits, or something goes with them. */
static bool is_numbered(const struct hd_cuda_sort_job *job, bool part) {
  return job->sort->value_bytes || job->order == 2 || part;
}

heddle_status hd_cuda_sort_shorts(const struct hd_cuda_sort_job *job,
                                  const struct hd_cuda_sort_arrays *arrays,
                                  const struct hd_cuda_sort_rows *rows) {
  const u32 length = (u32)rows->length, values = job->positions ? 0 : job->sort->value_bytes;
  const u32 largest = larger(job->key_bytes, values);
  const bool part = job->bit_begin || job->bit_end < 8 * job->key_bytes;
  const u32 threads = room_bytes(THREADS * length, largest) > SHARED_MOST ? FEWER_THREADS : THREADS;
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  struct sort_block_args a = {.map = job->map,
                              .keys = arrays->keys,
                              .values = arrays->values,
                              .keys_out = arrays->keys_out,
                              .values_out = arrays->values_out,
                              .rows = rows->rows,
                              .length = length,
                              .bit_begin = job->bit_begin,
                              .bit_end = job->bit_end,
                              .numbers = room_bytes(threads * length, largest)};
  u32 items = 2;
  while (items < length) items *= 2;
  hd_cuda_sort_key(job, "sort/short.cu", job->sort->value_bytes, &key);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", threads);
  hd_cuda_kernel_define(&key, "HEDDLE_ITEMS", items);
  hd_cuda_kernel_define(&key, "HEDDLE_PART", part);
  const u32 numbers = is_numbered(job, part) ? threads * length * (u32)sizeof(u16) : 0;
  HD_TRY(
      hd_cuda_kernel(job->call, &key, "heddle_sort_short", threads, a.numbers + numbers, &kernel));
  return hd_cuda_launch(job->call, &kernel, (rows->rows + threads - 1) / threads, &a, sizeof a);
}

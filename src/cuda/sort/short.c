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

/* Bytes of shared memory before the numbers of elements. */
static u32 numbers_at(const struct hd_cuda_sort_job *job, u32 threads, u32 length) {
  const u32 values = job->positions ? 0 : job->sort->value_bytes;
  return room_bytes(threads * length, larger(job->key_bytes, values));
}

void hd_cuda_sort_shorts_choose(const struct hd_cuda_sort_job *job,
                                const struct hd_cuda_sort_rows *rows,
                                struct hd_cuda_choice *choice) {
  const u32 length = (u32)rows->length;
  const u32 threads = numbers_at(job, THREADS, length) > SHARED_MOST ? FEWER_THREADS : THREADS;
  const u32 numbers = hd_cuda_sort_is_numbered(job) ? threads * length * (u32)sizeof(u16) : 0;
  *choice = (struct hd_cuda_choice){.strategy = "short",
                                    .file = "sort/short.cu",
                                    .kernel = "heddle_sort_short",
                                    .threads = threads,
                                    .shared_bytes = numbers_at(job, threads, length) + numbers,
                                    .blocks = (rows->rows + threads - 1) / threads};
}

heddle_status hd_cuda_sort_shorts(const struct hd_cuda_sort_job *job,
                                  const struct hd_cuda_sort_arrays *arrays,
                                  const struct hd_cuda_sort_rows *rows) {
  struct hd_cuda_choice choice;
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  hd_cuda_sort_shorts_choose(job, rows, &choice);
  struct sort_block_args a = hd_cuda_sort_block_args(job, arrays, rows);
  a.numbers = numbers_at(job, choice.threads, (u32)rows->length);
  u32 items = 2;
  while (items < rows->length) items *= 2;
  hd_cuda_sort_key(job, choice.file, job->sort->value_bytes, &key);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", choice.threads);
  hd_cuda_kernel_define(&key, "HEDDLE_ITEMS", items);
  hd_cuda_kernel_define(&key, "HEDDLE_PART", hd_cuda_sort_is_part(job));
  HD_TRY(
      hd_cuda_kernel(job->call, &key, choice.kernel, choice.threads, choice.shared_bytes, &kernel));
  return hd_cuda_launch(job->call, &kernel, choice.blocks, &a, sizeof a);
}

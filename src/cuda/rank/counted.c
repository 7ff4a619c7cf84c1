/* counted.c - how many elements are below each key of one or two bytes: cuda/histogram/values.c, kernels/sort/fill.cu */
#include "cuda/histogram/values.h"
#include "host/status.h"
#include "rank.h"

enum { STARTS_THREADS = 1024, BYTE_STARTS_THREADS = 256, FILL_ITEMS = 4 };

heddle_status hd_cuda_rank_count(struct hd_cuda_rank *rank, cu_pointer in, u64 count,
                                 cu_pointer *starts) {
  struct hd_cuda_call *call = rank->call;
  const u32 bytes = rank->job.key_bytes;
  const u32 threads = bytes == 1 ? BYTE_STARTS_THREADS : STARTS_THREADS;
  struct hd_sort sort = rank->sort;
  struct hd_cuda_sort_job job;
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  cu_pointer memory;
  sort.what = HD_SORT_KEYS, sort.value_bytes = 0; /* every bit pattern has a key of its own */
  hd_cuda_sort_job_make(&job, call, &sort, &rank->none);
  struct sort_fill_args a = {.map = job.map, .count = count};
  HD_TRY(hd_cuda_scratch(call, hd_cuda_histogram_values_bytes(bytes), &memory));
  HD_TRY(hd_cuda_scratch(call, (((u64)1 << 8 * bytes) + 1) * sizeof(u64), &a.starts));
  HD_TRY(hd_cuda_histogram_values(call, bytes, in, count, memory, &a.counts));
  hd_cuda_sort_key(&job, "sort/fill.cu", 0, &key);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", threads);
  hd_cuda_kernel_define(&key, "HEDDLE_ITEMS", FILL_ITEMS);
  HD_TRY(hd_cuda_kernel(call, &key, "heddle_sort_starts", threads, 0, &kernel));
  *starts = a.starts;
  return hd_cuda_launch(call, &kernel, 1, &a, sizeof a);
}

/* counted.c - keys of one or two bytes alone, counted and written anew: kernels/sort/fill.cu
 *
 * Method   Elements alike are the same bits, so that those of a pattern need not be moved. All is read before
 *          anything is written.
 * Memory   hd_cuda_sort_counted_bytes, whatever the number of elements */
#include "cuda/core/inside.h"
#include "cuda/histogram/values.h"
#include "host/status.h"
#include "sort.h"

enum {
  STARTS_THREADS = 1024,
  BYTE_STARTS_THREADS = 256,
  FILL_THREADS = 256,
  FILL_ITEMS = 4,
  SOFTWARE_BLOCKS = 3,
  /* Fewer elements are sorted sooner by their digits: counts take the time of all patterns. */
  BYTES_WORTH = 1 << 20,
  PAIRS_WORTH = 1 << 23,
  SOFTWARE_WORTH = 3000
};

static u64 starts_bytes(u32 key_bytes) { return (((u64)1 << 8 * key_bytes) + 1) * sizeof(u64); }

bool hd_cuda_sort_is_counted(const struct hd_cuda_sort_job *job, u64 count) {
  const bool all = job->bit_begin == 0 && job->bit_end == 8 * job->key_bytes;
  u64 worth = job->key_bytes == 1 ? BYTES_WORTH : PAIRS_WORTH;
  if (hd_cuda_limits(job->call->cuda)->software) worth = SOFTWARE_WORTH;
  return job->sort->what == HD_SORT_KEYS && job->key_bytes <= 2 && all && count >= worth;
}

u64 hd_cuda_sort_counted_bytes(const struct hd_cuda_sort_job *job) {
  return ((hd_cuda_histogram_values_bytes(job->key_bytes) + 255) & ~(u64)255) +
         starts_bytes(job->key_bytes) + 255;
}

static heddle_status launch(const struct hd_cuda_sort_job *job, const char *name, u32 threads,
                            bool fills, const struct sort_fill_args *a) {
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  u64 blocks = 1;
  hd_cuda_sort_key(job, "sort/fill.cu", 0, &key);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", threads);
  hd_cuda_kernel_define(&key, "HEDDLE_ITEMS", FILL_ITEMS);
  HD_TRY(hd_cuda_kernel(job->call, &key, name, threads, 0, &kernel));
  if (fills) {
    const bool software = hd_cuda_limits(job->call->cuda)->software;
    const u64 most = software ? SOFTWARE_BLOCKS : hd_cuda_blocks_at_once(job->call, &kernel);
    blocks = a->count * job->key_bytes / (16 * FILL_ITEMS * FILL_THREADS) + 1;
    if (blocks > most) blocks = most;
  }
  return hd_cuda_launch(job->call, &kernel, blocks, a, sizeof *a);
}

heddle_status hd_cuda_sort_counted(const struct hd_cuda_sort_job *job,
                                   const struct hd_cuda_sort_arrays *arrays, u64 count) {
  struct sort_fill_args a = {.map = job->map, .out = arrays->keys_out, .count = count};
  cu_pointer memory;
  HD_TRY(hd_cuda_sort_take(job, hd_cuda_histogram_values_bytes(job->key_bytes), &memory));
  HD_TRY(hd_cuda_sort_take(job, starts_bytes(job->key_bytes), &a.starts));
  HD_TRY(
      hd_cuda_histogram_values(job->call, job->key_bytes, arrays->keys, count, memory, &a.counts));
  HD_TRY(launch(job, "heddle_sort_starts",
                job->key_bytes == 1 ? BYTE_STARTS_THREADS : STARTS_THREADS, false, &a));
  return launch(job, "heddle_sort_fill", FILL_THREADS, true, &a);
}

heddle_status hd_cuda_sort_counted_choose(const struct hd_cuda_sort_job *job, u64 count,
                                          struct hd_cuda_choice *first) {
  HD_TRY(hd_cuda_histogram_values_choose(job->call, job->key_bytes, count, first));
  first->strategy = "counted";
  return HEDDLE_OK;
}

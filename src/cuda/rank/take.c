/* take.c - the first elements of an array: the last one's key is found, those up to it are taken and sorted
 *
 * Method   kernels/rank/take.cu, then a sort of pairs of k elements and their positions
 * Memory   as search.c, k elements and positions, and what their sort takes */
#include "cuda/core/inside.h"
#include "host/status.h"
#include "rank.h"

enum { TICKET = 256 };

heddle_status hd_cuda_rank_take_all(struct hd_cuda_rank *rank, const struct rank_take_args *a,
                                    bool sieved) {
  const struct hd_cuda_rank_sizes sizes = hd_cuda_rank_sizes_of(rank, 1);
  const u64 tile = (u64)sizes.threads * sizes.take_items * RANK_TAKEN;
  struct hd_cuda_call *call = rank->call;
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  hd_cuda_kernel_file(&key, "rank/take.cu");
  hd_cuda_kernel_define(&key, "HEDDLE_KEY_BYTES", rank->job.key_bytes);
  hd_cuda_kernel_define(&key, "HEDDLE_ORDER", rank->job.order);
  hd_cuda_kernel_define(&key, "HEDDLE_POSITION_BYTES", rank->sort.value_bytes);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", sizes.threads);
  hd_cuda_kernel_define(&key, "HEDDLE_ITEMS", sizes.take_items);
  hd_cuda_kernel_define(&key, "HEDDLE_SIEVED", sieved);
  HD_TRY(hd_cuda_kernel(call, &key, "heddle_rank_take", sizes.threads, 0, &kernel));
  return hd_cuda_launch(call, &kernel,
                        hd_cuda_rank_blocks(rank, &kernel, (a->count + tile - 1) / tile, 1), a,
                        sizeof *a);
}

static heddle_status take(struct hd_cuda_rank *rank, struct rank_take_args *a) {
  const struct hd_cuda_rank_sizes sizes = hd_cuda_rank_sizes_of(rank, 1);
  const u64 tile = (u64)sizes.threads * sizes.take_items * RANK_TAKEN;
  const u64 bytes = (a->count + tile - 1) / tile * sizeof(u64) + TICKET;
  HD_TRY(hd_cuda_scratch(rank->call, bytes, &a->ticket));
  HD_TRY(hd_cuda_zero(rank->call, a->ticket, bytes));
  a->told = a->ticket + TICKET;
  return hd_cuda_rank_take_all(rank, a, false);
}

heddle_status hd_cuda_rank_take(struct hd_cuda_rank *rank, cu_pointer in, u64 count, cu_pointer out,
                                cu_pointer index) {
  struct hd_cuda_call *call = rank->call;
  const u64 keys = rank->k * rank->job.key_bytes, positions = rank->k * rank->sort.value_bytes;
  const struct hd_cuda_sort_rows row = {.rows = 1, .length = rank->k, .elements = rank->k};
  struct rank_take_args a = {.map = rank->job.map, .in = in, .count = count, .k = rank->k};
  struct hd_sort sort = rank->sort;
  struct hd_cuda_sort_job job;
  HD_TRY(hd_cuda_rank_find(rank, in, count, rank->k - 1, &a.state));
  HD_TRY(hd_cuda_scratch(call, keys, &a.keys));
  HD_TRY(hd_cuda_scratch(call, positions, &a.positions));
  HD_TRY(take(rank, &a));
  if (!out) HD_TRY(hd_cuda_scratch(call, keys, &out));
  if (!index) HD_TRY(hd_cuda_scratch(call, positions, &index));
  sort.what = HD_SORT_PAIRS;
  hd_cuda_sort_job_make(&job, call, &sort, &rank->none);
  const struct hd_cuda_sort_arrays arrays = {.keys = a.keys,
                                             .values = a.positions,
                                             .keys_out = out,
                                             .values_out = index,
                                             .overwrite = true};
  return hd_cuda_sort_dense(&job, &arrays, &row);
}

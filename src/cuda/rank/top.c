/* top.c - at most 32 first elements of rows: kernels/rank/top.cu
 *
 * Method   A warp reads a row once. Long rows want many of them, so that there are warps enough. */
#include "host/status.h"
#include "rank.h"

#include "cuda/core/inside.h"

enum {
  LANES = 32,
  THREADS = 256,
  ITEMS = 32, /* of 4 bytes or fewer: a row of 1,024 at once */
  WIDE_ITEMS = 8,
  SOFTWARE_THREADS = 64,
  SOFTWARE_ITEMS = 4,
  LENGTH_MOST = 1 << 13, /* whatever the number of rows */
  LONG_MOST = 1 << 18,
  LONG_ROWS = 1024
};

bool hd_cuda_rank_is_by_warps(const struct hd_cuda_rank *rank,
                              const struct hd_cuda_sort_rows *rows) {
  if (rank->k > LANES) return false;
  return rows->length <= LENGTH_MOST || (rows->length <= LONG_MOST && rows->rows >= LONG_ROWS);
}

heddle_status hd_cuda_rank_top(const struct hd_cuda_rank *rank,
                               const struct hd_cuda_sort_rows *rows, cu_pointer in, cu_pointer out,
                               cu_pointer index) {
  const u32 bytes = rank->job.key_bytes;
  const bool software = hd_cuda_limits(rank->call->cuda)->software;
  const u32 threads = software ? SOFTWARE_THREADS : THREADS;
  const u64 first = rows->offsets ? rows->offsets[0] : 0;
  const struct rank_top_args a = {.map = rank->job.map,
                                  .in = in + first * bytes,
                                  .out = out,
                                  .index = index,
                                  .offsets = rows->offsets ? rows->device : 0,
                                  .first = first,
                                  .rows = rows->rows,
                                  .length = rows->length,
                                  .k = rank->k};
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  hd_cuda_kernel_file(&key, "rank/top.cu");
  hd_cuda_kernel_define(&key, "HEDDLE_KEY_BYTES", bytes);
  hd_cuda_kernel_define(&key, "HEDDLE_ORDER", rank->job.order);
  hd_cuda_kernel_define(&key, "HEDDLE_INDEX_BYTES", rank->sort.value_bytes);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", threads);
  hd_cuda_kernel_define(&key, "HEDDLE_ITEMS",
                        software     ? SOFTWARE_ITEMS
                        : bytes == 8 ? WIDE_ITEMS
                                     : ITEMS);
  HD_TRY(hd_cuda_kernel(rank->call, &key, "heddle_rank_top", threads, 0, &kernel));
  const u64 blocks = hd_cuda_rank_blocks(rank, &kernel, a.rows, threads / LANES);
  return hd_cuda_launch(rank->call, &kernel, blocks, &a, sizeof a);
}

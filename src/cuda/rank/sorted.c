/* sorted.c - order statistics of rows that are sorted into scratch: kernels/rank/pick.cu, firsts.cu
 *
 * Method   Some rows at a time, so that scratch stays small and what was sorted is still in the cache.
 * Memory   AT_ONCE elements, or a row, and what their sort takes */
#include "host/status.h"
#include "rank.h"

#include "cuda/core/inside.h"

enum { THREADS = 256 };
#define AT_ONCE ((u64)1 << 26) /* elements */

/* Some rows of all. */
struct part {
  struct hd_cuda_sort_rows rows;
  u64 done;       /* rows before */
  u64 first, end; /* elements of the array */
};

static u64 end_of(const struct hd_cuda_sort_rows *all, u64 row) {
  return all->offsets ? all->offsets[row] : row * all->length;
}

/* The next rows, of AT_ONCE elements or of one row; false: there are none. */
static bool next_part(const struct hd_cuda_sort_rows *all, struct part *part) {
  const u64 from = part->done + part->rows.rows;
  if (from >= all->rows) return false;
  u64 to = from + 1, longest = 0;
  if (!all->offsets) {
    const u64 more = all->length ? AT_ONCE / all->length : all->rows, left = all->rows - from;
    to = from + (more < 1 ? 1 : more < left ? more : left);
    longest = all->length;
  }
  while (all->offsets && to < all->rows && end_of(all, to + 1) - end_of(all, from) <= AT_ONCE) to++;
  for (u64 r = from; all->offsets && r < to; r++)
    if (end_of(all, r + 1) - end_of(all, r) > longest)
      longest = end_of(all, r + 1) - end_of(all, r);
  part->done = from;
  part->first = end_of(all, from), part->end = end_of(all, to);
  part->rows = (struct hd_cuda_sort_rows){.rows = to - from,
                                          .length = longest,
                                          .elements = part->end - part->first,
                                          .offsets = all->offsets ? all->offsets + from : NULL,
                                          .device = all->device + from * sizeof(u64)};
  return true;
}

/* ---- ranks and quantiles --------------------------------------------------------------------- */

static heddle_status pick(const struct hd_cuda_rank *rank, const struct part *part, bool array,
                          cu_pointer sorted, cu_pointer out) {
  const struct hd_cuda_rank_wanted *wanted = &rank->wanted;
  const struct hd_quantiles *quantiles = wanted->quantiles;
  struct rank_pick_args a = {.map = rank->job.map,
                             .sorted = sorted,
                             .out = out + part->done * wanted->count * hd_cuda_rank_bytes(rank),
                             .offsets = part->rows.offsets ? part->rows.device : 0,
                             .first = part->first,
                             .rows = part->rows.rows,
                             .length = part->rows.length,
                             .each = wanted->count};
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  if (quantiles) {
    a.method = (u32)quantiles->method;
    a.skip = quantiles->nan == HEDDLE_NAN_SKIP;
    if (array && a.skip && rank->sort.map.is_float) a.fault = hd_cuda_fault(rank->call);
  }
  hd_cuda_rank_key(rank, "rank/pick.cu", &key);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", THREADS);
  HD_TRY(hd_cuda_kernel(rank->call, &key, "heddle_rank_pick", THREADS, 0, &kernel));
  for (; a.at < wanted->count; a.at += a.count) {
    const u64 left = wanted->count - a.at;
    a.count = left < RANK_PICKED ? (u32)left : RANK_PICKED;
    for (u32 j = 0; j < a.count; j++)
      if (quantiles)
        a.wanted.share[j] = wanted->shares[a.at + j];
      else
        a.wanted.rank[j] = wanted->ranks[a.at + j];
    const u64 blocks = hd_cuda_rank_blocks(rank, &kernel, a.rows * a.count, THREADS);
    HD_TRY(hd_cuda_launch(rank->call, &kernel, blocks, &a, sizeof a));
  }
  return HEDDLE_OK;
}

static heddle_status sort_part(const struct hd_cuda_rank *rank, const struct part *part,
                               cu_pointer in, cu_pointer *sorted) {
  const u64 bytes = rank->job.key_bytes, shift = part->first * bytes;
  const u64 before = part->rows.offsets ? 0 : shift; /* segments name elements of the array */
  *sorted = 0;
  if (!part->rows.elements) return HEDDLE_OK;
  HD_TRY(hd_cuda_scratch(rank->call, part->rows.elements * bytes, sorted));
  const struct hd_cuda_sort_arrays arrays = {.keys = in + before,
                                             .keys_out = *sorted - (shift - before)};
  return hd_cuda_sort_dense(&rank->job, &arrays, &part->rows);
}

heddle_status hd_cuda_rank_sorted(struct hd_cuda_rank *rank, const struct hd_cuda_sort_rows *rows,
                                  cu_pointer in, bool array, cu_pointer out) {
  const struct hd_cuda_mark mark = hd_cuda_scratch_mark(rank->call);
  struct part part = {.done = 0};
  while (next_part(rows, &part)) {
    cu_pointer sorted;
    HD_TRY(sort_part(rank, &part, in, &sorted));
    HD_TRY(pick(rank, &part, array, sorted, out));
    hd_cuda_scratch_reset(rank->call, mark); /* the next rows are behind these on the stream */
  }
  return HEDDLE_OK;
}

/* ---- the first elements ---------------------------------------------------------------------- */

/* Positions of all elements of the rows, in order, and how many bytes one has. */
static heddle_status sort_positions(struct hd_cuda_rank *rank, const struct part *part,
                                    cu_pointer in, cu_pointer *positions) {
  struct hd_sort sort = rank->sort;
  struct hd_cuda_sort_job job;
  sort.value_bytes = part->rows.length > (u64)1 << 32 ? 8 : 4;
  hd_cuda_sort_job_make(&job, rank->call, &sort, &rank->none);
  const u64 shift = part->first * job.key_bytes, before = part->rows.offsets ? 0 : shift;
  const u64 moved = part->rows.offsets ? part->first * sort.value_bytes : 0;
  HD_TRY(hd_cuda_scratch(rank->call, part->rows.elements * sort.value_bytes, positions));
  const struct hd_cuda_sort_arrays arrays = {.keys = in + before, .values_out = *positions - moved};
  return hd_cuda_sort_dense(&job, &arrays, &part->rows);
}

static heddle_status pick_firsts(struct hd_cuda_rank *rank, const struct part *part, cu_pointer in,
                                 cu_pointer positions, cu_pointer out, cu_pointer index) {
  const u32 bytes = rank->job.key_bytes, wide = rank->sort.value_bytes;
  const u64 before = part->done * rank->k;
  const struct rank_firsts_args a = {.in = in + part->first * bytes,
                                     .position = positions,
                                     .out = out ? out + before * bytes : 0,
                                     .index = index ? index + before * wide : 0,
                                     .offsets = part->rows.offsets ? part->rows.device : 0,
                                     .first = part->first,
                                     .rows = part->rows.rows,
                                     .length = part->rows.length,
                                     .k = rank->k};
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  hd_cuda_kernel_file(&key, "rank/firsts.cu");
  hd_cuda_kernel_define(&key, "HEDDLE_KEY_BYTES", bytes);
  hd_cuda_kernel_define(&key, "HEDDLE_ORDER", 0); /* elements are moved as they are */
  hd_cuda_kernel_define(&key, "HEDDLE_POSITION_BYTES", a.length > (u64)1 << 32 ? 8 : 4);
  hd_cuda_kernel_define(&key, "HEDDLE_INDEX_BYTES", wide);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", THREADS);
  HD_TRY(hd_cuda_kernel(rank->call, &key, "heddle_rank_firsts", THREADS, 0, &kernel));
  const u64 blocks = hd_cuda_rank_blocks(rank, &kernel, a.rows * a.k, THREADS);
  return hd_cuda_launch(rank->call, &kernel, blocks, &a, sizeof a);
}

/* All elements of rows of one length: a sort that keeps its keys. */
static heddle_status sort_all(struct hd_cuda_rank *rank, const struct hd_cuda_sort_rows *rows,
                              cu_pointer in, cu_pointer out, cu_pointer index) {
  const struct hd_cuda_sort_arrays arrays = {.keys = in, .keys_out = out, .values_out = index};
  struct hd_cuda_sort_job job;
  hd_cuda_sort_job_make(&job, rank->call, &rank->sort, &rank->none);
  return hd_cuda_sort_dense(&job, &arrays, rows);
}

heddle_status hd_cuda_rank_firsts(struct hd_cuda_rank *rank, const struct hd_cuda_sort_rows *rows,
                                  cu_pointer in, cu_pointer out, cu_pointer index) {
  if (rank->k == rows->length && !rows->offsets && out && index)
    return sort_all(rank, rows, in, out, index);
  const struct hd_cuda_mark mark = hd_cuda_scratch_mark(rank->call);
  struct part part = {.done = 0};
  while (next_part(rows, &part)) {
    cu_pointer positions;
    HD_TRY(sort_positions(rank, &part, in, &positions));
    HD_TRY(pick_firsts(rank, &part, in, positions, out, index));
    hd_cuda_scratch_reset(rank->call, mark); /* the next rows are behind these on the stream */
  }
  return HEDDLE_OK;
}

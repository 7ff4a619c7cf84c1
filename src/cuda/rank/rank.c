/* rank.c - nth, partial_sort and quantiles of an array on a device
 *
 * Method   Arrays of the host are copied into scratch. Longer arrays are searched (search.c) or counted (counted.c),
 *          short ones and those of many ranks are sorted (sorted.c), and so are those with weights (weighted.c).
 * Limits   the device has room for an array of the host */
#include "rank.h"

#include "cuda/core/inside.h"
#include "host/status.h"

/* ---- what the files share -------------------------------------------------------------------- */

void hd_cuda_rank_make(struct hd_cuda_rank *rank, struct hd_cuda_call *call,
                       const struct hd_sort *sort) {
  *rank = (struct hd_cuda_rank){.call = call, .sort = *sort};
  hd_cuda_sort_job_make(&rank->job, call, &rank->sort, &rank->none);
}

u32 hd_cuda_rank_bytes(const struct hd_cuda_rank *rank) {
  return rank->wanted.quantiles ? (u32)sizeof(f64) : rank->job.key_bytes;
}

void hd_cuda_rank_key(const struct hd_cuda_rank *rank, const char *file,
                      struct hd_cuda_kernel_key *key) {
  const struct hd_quantiles *quantiles = rank->wanted.quantiles;
  hd_cuda_kernel_file(key, file);
  hd_cuda_kernel_define(key, "HEDDLE_KEY_BYTES", rank->job.key_bytes);
  hd_cuda_kernel_define(key, "HEDDLE_ORDER", rank->job.order);
  hd_cuda_kernel_define(key, "HEDDLE_QUANTILES", quantiles != NULL);
  if (quantiles) hd_cuda_kernel_define(key, "HEDDLE_TYPE", quantiles->type);
}

u64 hd_cuda_rank_blocks(const struct hd_cuda_rank *rank, const struct hd_cuda_kernel *kernel,
                        u64 elements, u64 each) {
  enum { SOFTWARE_BLOCKS = 3 };
  const bool software = hd_cuda_limits(rank->call->cuda)->software;
  const u64 most = software ? SOFTWARE_BLOCKS : hd_cuda_blocks_at_once(rank->call, kernel);
  const u64 blocks = elements / each + (elements % each != 0);
  return blocks < most ? blocks : most;
}

/* ---- an array -------------------------------------------------------------------------------- */

static heddle_status find_array(struct hd_cuda_rank *rank, const void *in, u64 count, void *out) {
  const u32 bytes = hd_cuda_rank_bytes(rank);
  const struct hd_cuda_sort_rows row = {.rows = 1, .length = count, .elements = count};
  cu_pointer from, to;
  HD_TRY(hd_cuda_result(rank->call, "out", out, rank->wanted.count * bytes, bytes, &to));
  HD_TRY(hd_cuda_sort_bring_array(&rank->job, "in", in, count, rank->job.key_bytes, &from));
  if (hd_cuda_rank_is_searched(rank, count)) return hd_cuda_rank_search(rank, from, count, to);
  return hd_cuda_rank_sorted(rank, &row, from, true, to);
}

heddle_status hd_cuda_nth(heddle_context *ctx, const struct hd_sort *sort, const void *in,
                          size_t count, const u64 *ranks, size_t rank_count, void *out) {
  struct hd_cuda_call call;
  struct hd_cuda_rank rank;
  HD_TRY(hd_cuda_enter(ctx, sort->entry, &call));
  hd_cuda_rank_make(&rank, &call, sort);
  rank.wanted = (struct hd_cuda_rank_wanted){.ranks = ranks, .count = rank_count};
  return hd_cuda_leave(&call, find_array(&rank, in, count, out));
}

heddle_status hd_cuda_quantiles(heddle_context *ctx, const struct hd_quantiles *job, const void *in,
                                const void *weights, size_t count, const f64 *q, size_t q_count,
                                f64 *out) {
  struct hd_cuda_call call;
  struct hd_cuda_rank rank;
  HD_TRY(hd_cuda_enter(ctx, job->sort.entry, &call));
  hd_cuda_rank_make(&rank, &call, &job->sort);
  rank.wanted = (struct hd_cuda_rank_wanted){.quantiles = job, .shares = q, .count = q_count};
  if (weights) return hd_cuda_leave(&call, hd_cuda_rank_weighted(&rank, in, weights, count, out));
  return hd_cuda_leave(&call, find_array(&rank, in, count, out));
}

static heddle_status find_firsts(struct hd_cuda_rank *rank, const void *in, u64 count, void *out,
                                 void *index) {
  const u32 bytes = rank->job.key_bytes, wide = rank->sort.value_bytes;
  const struct hd_cuda_sort_rows row = {.rows = 1, .length = count, .elements = count};
  cu_pointer from, to, where;
  HD_TRY(hd_cuda_result(rank->call, "out", out, rank->k * bytes, bytes, &to));
  HD_TRY(hd_cuda_result(rank->call, "index", index, rank->k * wide, wide, &where));
  HD_TRY(hd_cuda_sort_bring_array(&rank->job, "in", in, count, bytes, &from));
  if (hd_cuda_rank_is_sieved(rank, count)) return hd_cuda_rank_sieve(rank, from, count, to, where);
  if (hd_cuda_rank_is_taken(rank, count)) return hd_cuda_rank_take(rank, from, count, to, where);
  return hd_cuda_rank_firsts(rank, &row, from, to, where);
}

heddle_status hd_cuda_partial_sort(heddle_context *ctx, const struct hd_sort *sort, const void *in,
                                   size_t count, size_t k, void *out, void *index) {
  struct hd_cuda_call call;
  struct hd_cuda_rank rank;
  HD_TRY(hd_cuda_enter(ctx, sort->entry, &call));
  hd_cuda_rank_make(&rank, &call, sort);
  rank.k = k;
  return hd_cuda_leave(&call, find_firsts(&rank, in, count, out, index));
}

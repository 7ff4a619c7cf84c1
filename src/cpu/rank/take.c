/* take.c - elements of given ranks, in any order: nth of an array */
#include <stdlib.h>
#include <string.h>

#include "host/status.h"
#include "rank.h"

void hd_cpu_rank_elements(const struct hd_cpu_rank_call *call, const u64 *keys, size_t n,
                          void *out) {
  struct hd_cpu_sort_io io = call->sort.io;
  u32 narrow[HD_RANK_BLOCK];
  const size_t size = io.map.bits / 8;
  io.canonical = false;
  io.keys_out = out;
  io.keys_out_step = (i64)size;
  if (call->key_bytes == 8) {
    call->sort.kernels->unpack(&io, 0, n, keys);
    return;
  }
  for (size_t i = 0, m; i < n; i += m) {
    m = n - i < HD_RANK_BLOCK ? n - i : HD_RANK_BLOCK;
    for (size_t k = 0; k < m; k++) narrow[k] = (u32)keys[i + k];
    call->sort.kernels->unpack(&io, i, m, narrow);
  }
}

static int by_value(const void *a, const void *b) {
  u64 x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  return (x > y) - (x < y);
}

/* Each once, rising; how many. */
static size_t put_in_order(const u64 *ranks, size_t n, u64 *to) {
  size_t kept = 0;
  bool rising = true;
  memcpy(to, ranks, n * sizeof *ranks);
  for (size_t i = 1; i < n; i++) rising &= ranks[i - 1] < ranks[i];
  if (rising) return n;
  qsort(to, n, sizeof *to, by_value);
  for (size_t i = 0; i < n; i++)
    if (!kept || to[kept - 1] != to[i]) to[kept++] = to[i];
  return kept;
}

static size_t index_of(const u64 *ranks, size_t n, u64 rank) {
  size_t low = 0, high = n;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (ranks[middle] <= rank)
      low = middle;
    else
      high = middle;
  }
  return low;
}

heddle_status hd_cpu_rank_take(struct hd_cpu_rank_call *call, size_t n, const u64 *ranks,
                               size_t rank_count, void *out) {
  enum { ON_STACK = 32 };
  const size_t bytes = 3 * rank_count * sizeof(u64);
  u64 few[3 * ON_STACK], *memory = few;
  if (rank_count > ON_STACK) {
    memory = hd_cpu_rank_hold(call, bytes);
    if (!memory) return HEDDLE_OUT_OF_MEMORY;
  }
  u64 *wanted = memory, *found = memory + rank_count, *all = found + rank_count;
  const struct hd_cpu_rank_set set = {NULL, n};
  struct hd_cpu_rank_query query = {.ranks = wanted, .found = found};
  query.rank_count = put_in_order(ranks, rank_count, wanted);
  const heddle_status status = hd_cpu_rank_find(call, set, &query);
  if (!status) {
    for (size_t j = 0; j < rank_count; j++)
      all[j] = found[index_of(wanted, query.rank_count, ranks[j])];
    hd_cpu_rank_elements(call, all, rank_count, out);
  }
  if (memory != few) hd_cpu_rank_give(call, memory, bytes);
  return status;
}

heddle_status hd_cpu_nth(heddle_context *ctx, const struct hd_sort *sort, const void *in,
                         size_t count, const u64 *ranks, size_t rank_count, void *out) {
  struct hd_cpu_rank_call call;
  hd_cpu_rank_call_make(&call, ctx, sort, count, false);
  hd_cpu_rank_point(&call, in);
  pthread_mutex_lock(&ctx->lock);
  const heddle_status status = hd_cpu_rank_take(&call, count, ranks, rank_count, out);
  pthread_mutex_unlock(&ctx->lock);
  return status;
}

/* partial.c - the first elements of the sorted array, and where they were
 *
 * Method   A sample gives a key that the first k are surely not above, and not many more; one read collects those,
 *          and they are sorted, equal ones by position. Where that key is one of many elements, or the sample
 *          was wrong, the k-th key is found first: what is below it, and the first of its like, are as many as are
 *          wanted. Few elements: near.c. A large part of the array: a sort. */
#include <string.h>

#include "host/status.h"
#include "rank.h"

/* Memory of a row of n elements that is sorted: positions of those collected, elements and their positions, items
 * two times. */
size_t hd_cpu_rank_first_bytes(const struct hd_cpu_rank_call *call, size_t n) {
  enum { ITEM = 32, SLACK = 8 * 64 };
  if (call->sort.sort->what == HD_SORT_KEYS) return 0;
  return n * (sizeof(u64) + 2 * sizeof(u64) + 2 * ITEM) + SLACK;
}

/* By the call's room, if it has one. */
static heddle_status sort_by(struct hd_cpu_rank_call *call, struct hd_cpu_sort_call *sort,
                             size_t n) {
  const size_t bytes = n * sort->engine->bytes;
  sort->token = call->sort.token;
  if (!call->room) {
    const heddle_status status = hd_cpu_sort_array(sort, n);
    hd_cpu_sort_call_end(sort);
    return status;
  }
  char *a = hd_cpu_rank_hold(call, bytes), *b = hd_cpu_rank_hold(call, bytes);
  if (!a || !b) return HEDDLE_OUT_OF_MEMORY;
  hd_cpu_sort_near(sort, &sort->io, n, a, b);
  hd_cpu_rank_give(call, b, bytes);
  hd_cpu_rank_give(call, a, bytes);
  return HEDDLE_OK;
}

/* ---- sorts ----------------------------------------------------------------------------------- */

/* Elements at n positions, in order, which are sorted stably: the first k go out. */
static heddle_status sort_some(struct hd_cpu_rank_call *call, const u64 *positions, size_t n,
                               size_t k, void *out, void *index) {
  const struct hd_cpu_sort_io *io = &call->sort.io;
  const size_t size = io->map.bits / 8, places = call->sort.sort->value_bytes;
  const size_t keys_bytes = (n * size + 63) & ~(size_t)63, bytes = keys_bytes + n * places;
  char *keys = hd_cpu_rank_hold(call, bytes);
  if (!keys) return HEDDLE_OUT_OF_MEMORY;
  char *values = keys + keys_bytes;
  for (size_t i = 0; i < n; i++) {
    const u32 narrow = (u32)positions[i];
    memcpy(keys + i * size, io->keys + (i64)positions[i] * io->keys_step, size);
    memcpy(values + i * places, places == 4 ? (const void *)&narrow : &positions[i], places);
  }
  struct hd_sort job = *call->sort.sort;
  job.what = HD_SORT_PAIRS;
  const struct hd_sort_arrays arrays = {keys, values, keys, values};
  struct hd_cpu_sort_call sort;
  hd_cpu_sort_call_start(&sort, call->ctx, &job, &arrays, n);
  const heddle_status status = sort_by(call, &sort, n);
  if (!status && out) memcpy(out, keys, k * size);
  if (!status && index) memcpy(index, values, k * places);
  hd_cpu_rank_give(call, keys, bytes);
  return status;
}

/* All elements. */
static heddle_status sort_all(struct hd_cpu_rank_call *call, size_t n, size_t k, void *out,
                              void *index) {
  const struct hd_cpu_sort_io *io = &call->sort.io;
  const size_t size = io->map.bits / 8, places = call->sort.sort->value_bytes;
  const size_t bytes = n * places;
  char *order = index;
  if (!index || k < n) {
    order = hd_cpu_rank_hold(call, bytes);
    if (!order) return HEDDLE_OUT_OF_MEMORY;
  }
  const struct hd_sort_arrays arrays = {io->keys, NULL, NULL, order};
  struct hd_cpu_sort_call sort;
  hd_cpu_sort_call_start(&sort, call->ctx, call->sort.sort, &arrays, n);
  sort.io.keys_step = io->keys_step;
  const heddle_status status = sort_by(call, &sort, n);
  for (size_t i = 0; i < k && !status && out; i++) {
    u64 at = 0;
    u32 narrow;
    memcpy(places == 4 ? (void *)&narrow : &at, order + i * places, places);
    if (places == 4) at = narrow;
    memcpy((char *)out + i * size, io->keys + (i64)at * io->keys_step, size);
  }
  if (order == index) return status;
  if (!status && index) memcpy(index, order, k * places);
  hd_cpu_rank_give(call, order, bytes);
  return status;
}

/* ---- what is collected ----------------------------------------------------------------------- */

/* The k-th key, what is below it, and the first that are like it, at `positions`, which has room for k. */
static heddle_status collect_exactly(struct hd_cpu_rank_call *call, size_t n, size_t k,
                                     u64 *positions) {
  const struct hd_cpu_rank_set set = {NULL, n};
  const u64 rank = k - 1;
  u64 key;
  size_t below = 0;
  struct hd_cpu_rank_query query = {.ranks = &rank, .rank_count = 1, .found = &key};
  HD_TRY(hd_cpu_rank_find(call, set, &query));
  if (key && query.below) HD_TRY(hd_cpu_rank_collect(call, n, key - 1, positions, k, &below));
  return hd_cpu_rank_collect_equal(call, n, key, positions + below, k - below);
}

heddle_status hd_cpu_rank_first(struct hd_cpu_rank_call *call, size_t n, size_t k, void *out,
                                void *index) {
  const struct hd_cpu_rank_set set = {NULL, n};
  size_t room, count = 0;
  u64 limit;
  if (hd_cpu_rank_first_near(call, n, k, out, index)) return HEDDLE_OK;
  if (n <= HD_RANK_NEAR || k > n / HD_RANK_FIRST_PART) return sort_all(call, n, k, out, index);
  HD_TRY(hd_cpu_rank_limit(call, &set, k - 1, &limit, &room));
  if (room < k) room = k;
  const size_t bytes = room * sizeof(u64);
  u64 *positions = hd_cpu_rank_hold(call, bytes);
  if (!positions) return HEDDLE_OUT_OF_MEMORY;
  heddle_status status = HEDDLE_OK;
  if (room > k) status = hd_cpu_rank_collect(call, n, limit, positions, room, &count);
  if (!status && (count < k || count > room)) {
    status = collect_exactly(call, n, k, positions);
    count = k;
  }
  if (!status) status = sort_some(call, positions, count, k, out, index);
  hd_cpu_rank_give(call, positions, bytes);
  return status;
}

heddle_status hd_cpu_partial_sort(heddle_context *ctx, const struct hd_sort *sort, const void *in,
                                  size_t count, size_t k, void *out, void *index) {
  struct hd_cpu_rank_call call;
  hd_cpu_rank_call_make(&call, ctx, sort, count, true);
  hd_cpu_rank_point(&call, in);
  pthread_mutex_lock(&ctx->lock);
  const heddle_status status = hd_cpu_rank_first(&call, count, k, out, index);
  pthread_mutex_unlock(&ctx->lock);
  return status;
}

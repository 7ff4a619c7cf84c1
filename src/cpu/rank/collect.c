/* collect.c - where the elements are whose keys are up to a limit: one read
 *
 * Method   Threads take parts by a ticket, and room for what a block has by an atomic count. The places of
 *          several threads are sorted afterwards. */
#include <string.h>

#include "host/status.h"
#include "rank.h"

enum { PART = 1 << 16 /* elements of a ticket */ };

struct collecting {
  struct hd_cpu_rank_call *call;
  size_t n, room;
  u64 limit, *positions;
  atomic_size_t ticket, count;
};

static void collect_block(struct collecting *c, size_t first, size_t n) {
  const struct hd_cpu_rank_set set = {NULL, c->n};
  u64 room[HD_RANK_BLOCK];
  u32 places[HD_RANK_BLOCK + HD_RANK_SLACK];
  const void *keys = hd_cpu_rank_keys(c->call, &set, first, n, room);
  const size_t kept = c->call->kernel->up_to(keys, n, c->limit, places);
  if (!kept) return;
  const size_t at = atomic_fetch_add_explicit(&c->count, kept, memory_order_relaxed);
  if (at > c->room || kept > c->room - at) return;
  for (size_t k = 0; k < kept; k++) c->positions[at + k] = first + places[k];
}

static void task(void *arg, size_t worker) {
  struct collecting *c = arg;
  (void)worker;
  for (;;) {
    const size_t first = atomic_fetch_add_explicit(&c->ticket, PART, memory_order_relaxed);
    if (first >= c->n || hd_poll(&c->call->sort.token)) return;
    const size_t end = c->n - first < PART ? c->n : first + PART;
    for (size_t i = first, n; i < end; i += n) {
      n = end - i < HD_RANK_BLOCK ? end - i : HD_RANK_BLOCK;
      const struct hd_cpu_rank_set set = {NULL, c->n};
      hd_cpu_rank_expect(c->call, &set, i + n, n);
      collect_block(c, i, n);
    }
  }
}

static heddle_status put_in_order(struct hd_cpu_rank_call *call, u64 *positions, size_t n) {
  const struct hd_sort job = {.entry = call->sort.sort->entry,
                              .what = HD_SORT_KEYS,
                              .type = HEDDLE_U64,
                              .bit_end = 64,
                              .map = {.bits = 64}};
  const struct hd_sort_arrays arrays = {positions, NULL, positions, NULL};
  struct hd_cpu_sort_call sort;
  hd_cpu_sort_call_start(&sort, call->ctx, &job, &arrays, n);
  sort.token = call->sort.token;
  const heddle_status status = hd_cpu_sort_array(&sort, n);
  hd_cpu_sort_call_end(&sort);
  return status;
}

heddle_status hd_cpu_rank_collect(struct hd_cpu_rank_call *call, size_t n, u64 limit,
                                  u64 *positions, size_t room, size_t *count) {
  const size_t workers = hd_cpu_rank_workers(call, n);
  struct collecting c = {
      .call = call, .n = n, .room = room, .limit = limit, .positions = positions};
  atomic_init(&c.ticket, 0);
  atomic_init(&c.count, 0);
  hd_cpu_sort_run(call->ctx, workers, task, &c);
  *count = c.count;
  HD_TRY(hd_cancellation_status(&call->sort.token, call->sort.sort->entry));
  if (workers == 1 || *count > room || *count < 2) return HEDDLE_OK;
  return put_in_order(call, positions, *count);
}

heddle_status hd_cpu_rank_collect_equal(struct hd_cpu_rank_call *call, size_t n, u64 key,
                                        u64 *positions, size_t wanted) {
  const struct hd_cpu_rank_set set = {NULL, n};
  u64 room[HD_RANK_BLOCK];
  size_t found = 0;
  for (size_t i = 0, m; i < n && found < wanted; i += m) {
    u64 below = 0;
    m = n - i < HD_RANK_BLOCK ? n - i : HD_RANK_BLOCK;
    const void *keys = hd_cpu_rank_keys(call, &set, i, m, room);
    if (!call->kernel->within(keys, m, key, 0, NULL, &below)) continue;
    for (size_t k = 0; k < m && found < wanted; k++)
      if (hd_cpu_rank_key_at(call, keys, k) == key) positions[found++] = i + k;
    if (hd_poll(&call->sort.token)) break;
  }
  return hd_cancellation_status(&call->sort.token, call->sort.sort->entry);
}

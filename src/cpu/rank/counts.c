/* counts.c - keys of given ranks of types of few values: how often each occurs
 *
 * Limits   Counters of 32 bits are emptied in time. */
#include <string.h>

#include "find.h"
#include "host/status.h"

enum {
  PART = 1 << 16,        /* elements of a ticket */
  COUNT_MOST = 1 << 30,  /* elements until counters are emptied */
  LEAST_WORDS = 1 << 17, /* of 16 bits, that are worth as many counters */
  FEW_RANKS = 4 /* of 16 bits, for which bands are looked at in less time than values are counted */
};

struct counting {
  struct hd_cpu_rank_call *call;
  size_t n, values;
  char *memory; /* of each worker: totals, then counters */
  atomic_size_t ticket;
};

bool hd_cpu_rank_is_counted(const struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set,
                            size_t ranks) {
  const u32 bits = call->sort.io.map.bits;
  if (set->keys || bits > HD_SORT_NARROW_BITS || call->sort.io.canonical) return false;
  return bits == 8 || (set->n >= LEAST_WORDS && ranks > FEW_RANKS);
}

static size_t bytes_of(size_t values) { return values * (sizeof(u64) + sizeof(u32)); }
static u64 *totals_of(const struct counting *c, size_t worker) {
  return (u64 *)(void *)(c->memory + worker * bytes_of(c->values));
}

static void empty(u64 *totals, u32 *counts, size_t values) {
  for (size_t v = 0; v < values; v++) totals[v] += counts[v];
  memset(counts, 0, values * sizeof *counts);
}

static void task(void *arg, size_t worker) {
  struct counting *c = arg;
  u64 *totals = totals_of(c, worker);
  u32 *counts = (u32 *)(totals + c->values);
  size_t held = 0;
  memset(totals, 0, bytes_of(c->values));
  for (;;) {
    const size_t first = atomic_fetch_add_explicit(&c->ticket, PART, memory_order_relaxed);
    if (first >= c->n || hd_poll(&c->call->sort.token)) break;
    const size_t m = c->n - first < PART ? c->n - first : PART;
    c->call->sort.kernels->tally(&c->call->sort.io, first, m, counts);
    held += m;
    if (held < COUNT_MOST) continue;
    empty(totals, counts, c->values);
    held = 0;
  }
  empty(totals, counts, c->values);
}

static void pick(const u64 *totals, size_t values, struct hd_cpu_rank_query *query) {
  u64 before = 0;
  size_t j = 0;
  query->above = 0;
  for (size_t v = 0; v < values; v++) {
    before += totals[v];
    if (v >= query->from) query->above += totals[v];
    for (; j < query->rank_count && query->ranks[j] < before; j++) query->found[j] = v;
  }
}

heddle_status hd_cpu_rank_by_counts(struct hd_cpu_rank_call *call,
                                    const struct hd_cpu_rank_set *set,
                                    struct hd_cpu_rank_query *query) {
  struct counting c = {.call = call, .n = set->n, .values = (size_t)1 << call->sort.io.map.bits};
  const size_t workers = hd_cpu_rank_workers(call, set->n);
  c.memory = hd_cpu_rank_hold(call, workers * bytes_of(c.values));
  if (!c.memory) return HEDDLE_OUT_OF_MEMORY;
  atomic_init(&c.ticket, 0);
  hd_cpu_sort_run(call->ctx, workers, task, &c);
  const heddle_status status = hd_cancellation_status(&call->sort.token, call->sort.sort->entry);
  u64 *totals = totals_of(&c, 0);
  for (size_t w = 1; w < workers; w++)
    for (size_t v = 0; v < c.values; v++) totals[v] += totals_of(&c, w)[v];
  if (!status) pick(totals, c.values, query);
  hd_cpu_rank_give(call, c.memory, workers * bytes_of(c.values));
  return status;
}

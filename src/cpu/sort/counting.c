/* counting.c - keys alone of types of few values: how often each occurs, then its run
 *
 * Method  Each thread counts a part of the array, then writes a part of the result, which it finds by
 *         the sums of the counts.
 * Limits  Counters of 32 bits: a thread counts fewer than 2^32 elements at once. */
#include <stdatomic.h>
#include <string.h>

#include "sort.h"

enum {
  COUNT_BLOCK = 1 << 16, /* elements between polls */
  COUNT_MOST = 1 << 30,  /* elements until counters are emptied */
  LEAST_BYTES = 1 << 9,  /* elements of 8 bits that are worth 256 counters */
  LEAST_WORDS = 1 << 17  /* of 16 bits and 65,536 counters */
};

struct counting {
  struct hd_cpu_sort_call *call;
  size_t n, workers;
  char *memory;
  u64 *ends; /* how many elements have this key or a lesser one */
};

static size_t values_of(const struct hd_cpu_sort_call *call) {
  return (size_t)1 << call->io.map.bits;
}

bool hd_cpu_sort_is_counted(const struct hd_cpu_sort_call *call, size_t n) {
  const u32 bits = call->io.map.bits;
  if (bits > HD_SORT_NARROW_BITS || !call->weak) return false;
  return n >= (bits == 8 ? LEAST_BYTES : LEAST_WORDS);
}

size_t hd_cpu_sort_counted_bytes(const struct hd_cpu_sort_call *call) {
  return values_of(call) * (sizeof(u32) + sizeof(u64));
}

static void part_of(const struct counting *c, size_t worker, size_t *first, size_t *n) {
  const size_t share = (c->n + c->workers - 1) / c->workers;
  *first = worker * share < c->n ? worker * share : c->n;
  *n = c->n - *first < share ? c->n - *first : share;
}

/* A thread's totals, then its counters. */
static u64 *totals_of(const struct counting *c, size_t worker) {
  return (u64 *)(void *)(c->memory + worker * hd_cpu_sort_counted_bytes(c->call));
}

static void empty(u64 *totals, u32 *counts, size_t values) {
  for (size_t v = 0; v < values; v++) totals[v] += counts[v];
  memset(counts, 0, values * sizeof *counts);
}

static void count_task(void *arg, size_t worker) {
  struct counting *c = arg;
  const size_t values = values_of(c->call);
  u64 *totals = totals_of(c, worker);
  u32 *counts = (u32 *)(totals + values);
  size_t first, n, held = 0;
  part_of(c, worker, &first, &n);
  memset(totals, 0, hd_cpu_sort_counted_bytes(c->call));
  for (size_t i = 0, m; i < n && !hd_poll(&c->call->token); i += m) {
    m = n - i < COUNT_BLOCK ? n - i : COUNT_BLOCK;
    c->call->kernels->tally(&c->call->io, first + i, m, counts);
    held += m;
    if (held < COUNT_MOST) continue;
    empty(totals, counts, values);
    held = 0;
  }
  empty(totals, counts, values);
}

static void fill_task(void *arg, size_t worker) {
  struct counting *c = arg;
  size_t first, n;
  part_of(c, worker, &first, &n);
  for (size_t i = 0, m; i < n && !hd_poll(&c->call->token); i += m) {
    m = n - i < COUNT_MOST / 16 ? n - i : COUNT_MOST / 16;
    c->call->kernels->fill(&c->call->io, first + i, m, c->ends);
  }
}

heddle_status hd_cpu_sort_counted(struct hd_cpu_sort_call *call, size_t n) {
  struct counting c = {.call = call, .n = n, .workers = hd_cpu_sort_workers(call->ctx, n)};
  const size_t values = values_of(call);
  c.memory = hd_cpu_sort_take(call, c.workers * hd_cpu_sort_counted_bytes(call));
  if (!c.memory) return HEDDLE_OUT_OF_MEMORY;
  hd_cpu_sort_run(call->ctx, c.workers, count_task, &c);
  heddle_status status = hd_cancellation_status(&call->token, call->sort->entry);
  if (status) return status;
  u64 sum = 0;
  c.ends = totals_of(&c, 0);
  for (size_t v = 0; v < values; v++) {
    for (size_t w = 0; w < c.workers; w++) sum += totals_of(&c, w)[v];
    c.ends[v] = sum;
  }
  hd_cpu_sort_run(call->ctx, c.workers, fill_task, &c);
  return hd_cancellation_status(&call->token, call->sort->entry);
}

/* places.c - positions by keys of 8 bits: how often each occurs, then every position to its place
 *
 * Result  what the packed sort gives; equal keys by position
 * Method  Each thread counts a part of the array, and puts its positions behind those of the parts before. */
#include <string.h>

#include "sort.h"

enum {
  LEAST = 1 << 7,        /* elements that are worth 256 counters */
  PLACE_BLOCK = 1 << 16, /* elements between polls */
  VALUES = 256
};

struct places {
  struct hd_cpu_sort_call *call;
  size_t n, workers;
  u64 (*next)[VALUES]; /* a thread: counts, then places */
};

bool hd_cpu_sort_is_placed(const struct hd_cpu_sort_call *call, size_t n) {
  const struct hd_cpu_sort_io *io = &call->io;
  return io->positions && io->map.bits == 8 && call->whole && n >= LEAST;
}

static void part_of(const struct places *p, size_t worker, size_t *first, size_t *n) {
  const size_t share = (p->n + p->workers - 1) / p->workers;
  *first = worker * share < p->n ? worker * share : p->n;
  *n = p->n - *first < share ? p->n - *first : share;
}

static void count_task(void *arg, size_t worker) {
  const struct places *p = arg;
  u64 *counts = p->next[worker];
  size_t first, n;
  part_of(p, worker, &first, &n);
  memset(counts, 0, sizeof *p->next);
  for (size_t i = 0, m; i < n && !hd_poll(&p->call->token); i += m) {
    u32 block[VALUES] = {0};
    m = n - i < PLACE_BLOCK ? n - i : PLACE_BLOCK;
    p->call->kernels->tally(&p->call->io, first + i, m, block);
    for (size_t v = 0; v < VALUES; v++) counts[v] += block[v];
  }
}

/* bytes, of a position, are a constant in each caller. */
static inline __attribute__((always_inline)) void place(const struct places *p, size_t first,
                                                        size_t n, u64 *next, u32 bytes) {
  const struct hd_cpu_sort_io *io = &p->call->io;
  u32 keys[HD_SORT_BLOCK];
  for (size_t i = 0, m; i < n; i += m) {
    m = n - i < HD_SORT_BLOCK ? n - i : HD_SORT_BLOCK;
    p->call->kernels->load(io, first + i, m, keys);
    for (size_t k = 0; k < m; k++) {
      const u64 at = first + i + k;
      const u32 narrow = (u32)at;
      char *to = io->values_out + (i64)next[keys[k]]++ * io->values_out_step;
      memcpy(to, bytes == 4 ? (const void *)&narrow : &at, bytes);
    }
  }
}

static void place_task(void *arg, size_t worker) {
  const struct places *p = arg;
  size_t first, n;
  part_of(p, worker, &first, &n);
  for (size_t i = 0, m; i < n && !hd_poll(&p->call->token); i += m) {
    m = n - i < PLACE_BLOCK ? n - i : PLACE_BLOCK;
    if (p->call->io.value_bytes == 4)
      place(p, first + i, m, p->next[worker], 4);
    else
      place(p, first + i, m, p->next[worker], 8);
  }
}

heddle_status hd_cpu_sort_placed(struct hd_cpu_sort_call *call, size_t n) {
  u64 one[1][VALUES], ends[VALUES], at = 0;
  struct places p = {
      .call = call, .n = n, .workers = hd_cpu_sort_workers(call->ctx, n), .next = one};
  if (p.workers > 1) p.next = hd_cpu_sort_take(call, p.workers * sizeof *p.next);
  if (!p.next) return HEDDLE_OUT_OF_MEMORY;
  hd_cpu_sort_run(call->ctx, p.workers, count_task, &p);
  heddle_status status = hd_cancellation_status(&call->token, call->sort->entry);
  if (status) return status;
  for (size_t v = 0; v < VALUES; v++) {
    for (size_t w = 0; w < p.workers; w++) {
      const u64 count = p.next[w][v];
      p.next[w][v] = at;
      at += count;
    }
    ends[v] = at;
  }
  hd_cpu_sort_run(call->ctx, p.workers, place_task, &p);
  if (call->io.keys_out) call->kernels->fill(&call->io, 0, n, ends);
  return hd_cancellation_status(&call->token, call->sort->entry);
}

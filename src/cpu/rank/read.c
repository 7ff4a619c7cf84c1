/* read.c - one read of a set: each band's keys are kept, what is below it is counted
 *
 * Method   Threads take parts of the set by a ticket. A block of keys is in the nearest cache while every band looks
 *          at it. Keys that are kept gather in a thread's stage, whole stages go to where an atomic count
 *          says: bands hold the same keys whatever the threads do, in an order that means nothing. */
#include <string.h>

#include "find.h"
#include "host/status.h"

enum {
  STAGE = 2 * HD_RANK_BLOCK, /* keys */
  STAGE_BYTES = (STAGE + HD_RANK_SLACK) * 8,
  PART = 1 << 16 /* keys of a ticket */
};

struct reading {
  struct hd_cpu_rank_call *call;
  const struct hd_cpu_rank_set *set;
  struct hd_cpu_rank_band *bands;
  size_t count;
  char *stages;
  atomic_size_t ticket;
};

/* What one thread has found. */
struct found {
  u64 below[HD_RANK_BANDS + 1], inside[HD_RANK_BANDS + 1];
  size_t held[HD_RANK_BANDS + 1]; /* keys of the stage */
};

static void deliver(const struct reading *r, size_t b, const char *stage, size_t n) {
  struct hd_cpu_rank_band *band = &r->bands[b];
  const size_t at = atomic_fetch_add_explicit(&band->used, n, memory_order_relaxed);
  if (at > band->room || n > band->room - at) return;
  memcpy(band->region + at * r->call->key_bytes, stage, n * r->call->key_bytes);
}

static void look(const struct reading *r, const void *keys, size_t n, char *stages,
                 struct found *found) {
  for (size_t b = 0; b < r->count; b++) {
    const struct hd_cpu_rank_band *band = &r->bands[b];
    char *stage = stages + b * STAGE_BYTES, *out = NULL;
    if (band->room) out = stage + found->held[b] * r->call->key_bytes;
    const size_t in =
        r->call->kernel->within(keys, n, band->low, band->width, out, &found->below[b]);
    found->inside[b] += in;
    if (!out) continue;
    found->held[b] += in;
    if (found->held[b] + HD_RANK_BLOCK <= STAGE) continue;
    deliver(r, b, stage, found->held[b]);
    found->held[b] = 0;
  }
}

static void task(void *arg, size_t worker) {
  struct reading *r = arg;
  char *stages = r->stages + worker * r->count * STAGE_BYTES;
  u64 room[HD_RANK_BLOCK];
  struct found found;
  memset(&found, 0, sizeof found);
  for (;;) {
    const size_t first = atomic_fetch_add_explicit(&r->ticket, PART, memory_order_relaxed);
    if (first >= r->set->n || hd_poll(&r->call->sort.token)) break;
    const size_t end = r->set->n - first < PART ? r->set->n : first + PART;
    for (size_t i = first, n; i < end; i += n) {
      n = end - i < HD_RANK_BLOCK ? end - i : HD_RANK_BLOCK;
      hd_cpu_rank_expect(r->call, r->set, i + n, n);
      look(r, hd_cpu_rank_keys(r->call, r->set, i, n, room), n, stages, &found);
    }
  }
  for (size_t b = 0; b < r->count; b++) {
    if (found.held[b]) deliver(r, b, stages + b * STAGE_BYTES, found.held[b]);
    atomic_fetch_add_explicit(&r->bands[b].below, found.below[b], memory_order_relaxed);
    atomic_fetch_add_explicit(&r->bands[b].inside, found.inside[b], memory_order_relaxed);
  }
}

heddle_status hd_cpu_rank_read(struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set,
                               struct hd_cpu_rank_band *bands, size_t count) {
  const size_t workers = hd_cpu_rank_workers(call, set->n);
  const size_t bytes = workers * count * STAGE_BYTES;
  struct reading r = {.call = call, .set = set, .bands = bands, .count = count};
  if (!count) return HEDDLE_OK;
  r.stages = hd_cpu_rank_hold(call, bytes);
  if (!r.stages) return HEDDLE_OUT_OF_MEMORY;
  atomic_init(&r.ticket, 0);
  for (size_t b = 0; b < count; b++) {
    atomic_init(&bands[b].used, 0);
    atomic_init(&bands[b].below, 0);
    atomic_init(&bands[b].inside, 0);
  }
  hd_cpu_sort_run(call->ctx, workers, task, &r);
  hd_cpu_rank_give(call, r.stages, bytes);
  return hd_cancellation_status(&call->sort.token, call->sort.sort->entry);
}

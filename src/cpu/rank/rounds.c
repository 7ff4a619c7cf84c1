/* rounds.c - a piece's keys in bands, counted or kept: a pass of quantiles of data that come in pieces
 *
 * Method   Threads take parts of the piece by a ticket, and count into tables of their own, the first one into the
 *          caller's. A block of keys is in the nearest cache while it is counted. */
#include <string.h>

#include "host/status.h"
#include "rank.h"

enum {
  PART = 1 << 16,        /* elements of a ticket */
  STAGE = HD_RANK_BLOCK, /* keys that gather before they are delivered */
  TABLES_BYTES = 1 << 26 /* of all threads but the first */
};

struct counting {
  struct hd_cpu_rank_call call;
  struct hd_key_count *job;
  size_t n;
  u64 *tables; /* of all threads but the first */
  atomic_size_t ticket, kept;
  atomic_uint_fast64_t nan, least, most;
};

/* What a thread finds. */
struct part {
  u64 *counts, nan, least, most;
  size_t held;
  u64 stage[STAGE];
};

static void gather(atomic_uint_fast64_t *to, u64 value, bool greater) {
  uint_fast64_t old = atomic_load_explicit(to, memory_order_relaxed);
  while ((greater ? value > old : value < old) &&
         !atomic_compare_exchange_weak_explicit(to, &old, value, memory_order_relaxed,
                                                memory_order_relaxed)) {
  }
}

static void deliver(struct counting *c, struct part *part) {
  struct hd_key_count *job = c->job;
  const size_t at = atomic_fetch_add_explicit(&c->kept, part->held, memory_order_relaxed);
  if (at <= job->room && part->held <= job->room - at)
    memcpy(job->keys + at, part->stage, part->held * sizeof *part->stage);
  part->held = 0;
}

/* The last band that does not begin above the key. */
static const struct hd_key_band *band_of(const struct hd_key_count *job, u64 key) {
  const struct hd_key_band *band = job->bands;
  for (size_t n = job->band_count; n > 1;) {
    const size_t half = n / 2;
    band += key >= band[half].low ? half : 0;
    n -= half;
  }
  return band;
}

static void count_key(struct counting *c, struct part *part, const struct hd_key_band *band,
                      u64 key) {
  const u64 d = key - band->low;
  if (d > band->width) return;
  if (part->counts) {
    part->counts[band->first + (d >> band->shift)]++;
    return;
  }
  part->stage[part->held++] = key;
  if (part->held == STAGE) deliver(c, part);
}

/* All keys are in the one band: the first pass. */
static void count_all_u32(const u32 *keys, size_t n, u32 shift, struct part *part) {
  u32 least = 0xffffffffu, most = 0;
  for (size_t i = 0; i < n; i++) {
    least = keys[i] < least ? keys[i] : least;
    most = keys[i] > most ? keys[i] : most;
    part->counts[keys[i] >> shift]++;
  }
  if (least < part->least) part->least = least;
  if (most > part->most) part->most = most;
}

static void count_all_u64(const u64 *keys, size_t n, u32 shift, struct part *part) {
  u64 least = part->least, most = part->most;
  for (size_t i = 0; i < n; i++) {
    least = keys[i] < least ? keys[i] : least;
    most = keys[i] > most ? keys[i] : most;
    part->counts[keys[i] >> shift]++;
  }
  part->least = least, part->most = most;
}

/* Few bands: each picks its keys out of the block, as many at once as a vector has. */
static void count_picked(struct counting *c, const void *keys, size_t n, struct part *part) {
  const struct hd_key_count *job = c->job;
  u64 picked[HD_RANK_BLOCK + HD_RANK_SLACK], below = 0;
  for (size_t b = 0; b < job->band_count; b++) {
    const struct hd_key_band *band = &job->bands[b];
    const size_t m = c->call.kernel->within(keys, n, band->low, band->width, picked, &below);
    for (size_t i = 0; i < m; i++)
      count_key(c, part, band, hd_cpu_rank_key_at(&c->call, picked, i));
  }
}

static void look(struct counting *c, const void *keys, size_t n, struct part *part) {
  enum { FEW = 16 }; /* bands that are cheaper than a search for a key's */
  const struct hd_key_count *job = c->job;
  const struct hd_cpu_rank_call *call = &c->call;
  u64 below = 0;
  if (job->nan_key)
    part->nan +=
        call->kernel->within(keys, n, job->nan_key, call->most - job->nan_key, NULL, &below);
  const bool all = !job->bands->low && job->bands->width == call->most && part->counts;
  if (all && call->key_bytes == 4) {
    count_all_u32(keys, n, job->bands->shift, part);
  } else if (all) {
    count_all_u64(keys, n, job->bands->shift, part);
  } else if (job->band_count <= FEW) {
    count_picked(c, keys, n, part);
  } else {
    for (size_t i = 0; i < n; i++) {
      const u64 key = hd_cpu_rank_key_at(call, keys, i);
      count_key(c, part, band_of(job, key), key);
    }
  }
}

static void task(void *arg, size_t worker) {
  struct counting *c = arg;
  const struct hd_key_count *job = c->job;
  const struct hd_cpu_rank_set set = {NULL, c->n};
  struct part part = {.counts = job->counts, .least = HD_U64_MAX};
  u64 room[HD_RANK_BLOCK];
  if (job->counts && worker) {
    part.counts = c->tables + (worker - 1) * job->slots;
    memset(part.counts, 0, job->slots * sizeof *part.counts);
  }
  for (;;) {
    const size_t first = atomic_fetch_add_explicit(&c->ticket, PART, memory_order_relaxed);
    if (first >= c->n || hd_poll(&c->call.sort.token)) break;
    const size_t end = c->n - first < PART ? c->n : first + PART;
    for (size_t i = first, n; i < end; i += n) {
      n = end - i < HD_RANK_BLOCK ? end - i : HD_RANK_BLOCK;
      look(c, hd_cpu_rank_keys(&c->call, &set, i, n, room), n, &part);
    }
  }
  if (part.held) deliver(c, &part);
  atomic_fetch_add_explicit(&c->nan, part.nan, memory_order_relaxed);
  gather(&c->least, part.least, false);
  gather(&c->most, part.most, true);
}

/* Tables are worth a thread where it counts several elements for each of their counters. */
static size_t workers_of(const struct counting *c) {
  const size_t slots = c->job->counts ? c->job->slots : 1;
  const size_t most = 1 + TABLES_BYTES / (slots * sizeof(u64)), worth = c->n / slots / 4 + 1;
  size_t workers = hd_cpu_rank_workers(&c->call, c->n);
  if (workers > most) workers = most;
  return workers < worth ? workers : worth;
}

static heddle_status count(struct counting *c) {
  struct hd_key_count *job = c->job;
  const size_t workers = workers_of(c);
  const size_t bytes = job->counts ? (workers - 1) * job->slots * sizeof(u64) : 0;
  if (bytes && !(c->tables = hd_cpu_rank_hold(&c->call, bytes))) return HEDDLE_OUT_OF_MEMORY;
  hd_cpu_sort_run(c->call.ctx, workers, task, c);
  for (size_t w = 0; bytes && w + 1 < workers; w++)
    for (size_t i = 0; i < job->slots; i++) job->counts[i] += c->tables[w * job->slots + i];
  if (bytes) hd_cpu_rank_give(&c->call, c->tables, bytes);
  job->kept = c->kept;
  job->nan += c->nan;
  job->least = c->least, job->most = c->most;
  return hd_cancellation_status(&c->call.sort.token, job->sort->entry);
}

heddle_status hd_cpu_count_keys(heddle_context *ctx, struct hd_key_count *job, const void *in,
                                size_t n) {
  struct counting c = {.job = job, .n = n};
  hd_cpu_rank_call_make(&c.call, ctx, job->sort, n, false);
  hd_cpu_rank_point(&c.call, in);
  atomic_init(&c.ticket, 0);
  atomic_init(&c.kept, job->kept);
  atomic_init(&c.nan, 0);
  atomic_init(&c.least, job->least);
  atomic_init(&c.most, job->most);
  pthread_mutex_lock(&ctx->lock);
  const heddle_status status = count(&c);
  pthread_mutex_unlock(&ctx->lock);
  return status;
}

/* tally.c - choosing, filling and adding up the tables of a histogram
 *
 * Method   Several counters a bin while they fit the first-level cache, one beyond that, one table
 *          shared by all threads where private ones would pass MOST_PRIVATE bytes or cost more than
 *          the counting. Weights go into cells with counts of their own. Threads take pieces of about 1 MiB by a ticket.
 * Limits   Counts are exact, and weighted sums exact integers: who counted what cannot be seen. */
#include "tally.h"

#include <stdatomic.h>
#include <string.h>

#include "count.h"
#include "host/status.h"

enum {
  MOST_WAYS_BYTES = 36 << 10, /* of a first-level cache of 32 to 48 KiB, which indices share */
  LEAST_NARROW = 6 << 10,     /* cells; below, 32-bit counters fit the first-level cache */
  MOST_NARROW = 32 << 10,     /* beyond, emptying them costs more than it brings */
  MOST_PRIVATE = 16 << 20,    /* bytes of tables a worker */
  PARALLEL_BYTES = 256 << 10, /* below this a thread costs more than it brings */
  PIECE_BYTES = 1 << 20,
  MOST_COPIED = 24 << 10, /* bytes of cells with copies, in the first-level cache, too */
  WORTH = 4,              /* elements a counter that pay for clearing and adding it up */
  SEGMENT = 1 << 30       /* elements between looks at the 32-bit counters */
};

/* ---- choosing --------------------------------------------------------------------------- */

static bool pays(u64 expected, size_t counters) { return expected / WORTH >= counters; }

static void choose_cells(struct hd_cpu_tally *t, u64 expected) {
  const size_t copied = t->cells << HD_WEIGH_SHIFT;
  t->way = HD_TALLY_CELLS;
  t->weigh.copies = copied * sizeof(struct hd_accumulator) <= MOST_COPIED && pays(expected, copied);
  t->counters = t->weigh.copies ? copied : t->cells;
  t->worker_bytes = t->counters * sizeof(struct hd_accumulator);
  if (t->worker_bytes > MOST_PRIVATE || !pays(expected, t->counters)) t->workers = 1;
}

static void choose(struct hd_cpu_tally *t, u64 expected) {
  size_t cell_bytes = sizeof(u32);
  size_t slots_ways = t->slots * HD_WAYS, bytes_ways = (size_t)HD_WAYS * HD_BYTE_TABLE;
  t->ways = t->channels == 3 ? 6 : 8;
  if (t->plan.way == HD_PLAN_VALUES && pays(expected, bytes_ways)) {
    t->way = HD_TALLY_BYTES;
    t->counters = bytes_ways;
  } else if (slots_ways * sizeof(u32) <= MOST_WAYS_BYTES && pays(expected, slots_ways)) {
    t->way = HD_TALLY_WAYS;
    t->counters = slots_ways;
    t->plan.index.shift = HD_WAYS_SHIFT;
  } else if (t->cells * cell_bytes <= MOST_PRIVATE && pays(expected, t->cells)) {
    bool narrow = t->cells >= LEAST_NARROW && t->cells <= MOST_NARROW;
    t->way = narrow ? HD_TALLY_NARROW : HD_TALLY_FLAT;
    t->counters = t->cells;
    if (narrow) cell_bytes += sizeof(u16);
  } else if (t->workers > 1 && pays(expected, PARALLEL_BYTES)) {
    t->way = HD_TALLY_SHARED;
  } else {
    t->way = HD_TALLY_DIRECT;
    t->workers = 1;
  }
  bool by_cell = t->way == HD_TALLY_FLAT || t->way == HD_TALLY_NARROW;
  t->worker_bytes = by_cell ? t->cells * cell_bytes : t->counters * sizeof(u32);
}

/* Tables for the first `wanted` workers. DIRECT and SHARED ones use the totals. */
static heddle_status make_workers(struct hd_cpu_tally *t, unsigned wanted) {
  for (; t->ready < wanted; t->ready++) {
    struct hd_cpu_worker *w = &t->worker[t->ready];
    if (!t->worker_bytes) continue;
    w->memory = hd_allocate(t->ctx, t->worker_bytes);
    if (!w->memory) return HEDDLE_OUT_OF_MEMORY;
    memset(w->memory, 0, t->worker_bytes);
    if (t->weighted) {
      w->table = w->memory;
    } else {
      w->counters = w->memory;
      if (t->way == HD_TALLY_NARROW) w->narrow = (void *)(w->counters + t->counters);
    }
  }
  return HEDDLE_OK;
}

static heddle_status make_totals(struct hd_cpu_tally *t) {
  t->worker = hd_allocate(t->ctx, t->workers * sizeof *t->worker);
  if (!t->worker) return HEDDLE_OUT_OF_MEMORY;
  memset(t->worker, 0, t->workers * sizeof *t->worker);
  size_t bytes = t->cells * (t->weighted ? sizeof *t->weigh.marks : sizeof *t->total);
  void *memory = hd_allocate(t->ctx, bytes);
  if (!memory) return HEDDLE_OUT_OF_MEMORY;
  memset(memory, 0, bytes);
  if (!t->weighted) {
    t->total = memory;
    return HEDDLE_OK;
  }
  t->weigh.marks = memory;
  return make_workers(t, 1);
}

static void begin_weights(struct hd_cpu_tally *t, const struct hd_histogram *job) {
  const struct hd_cpu_kernels *kernels = t->ctx->kernels;
  t->weighted = job->weights_type != HEDDLE_TYPE_DEFAULT;
  if (!t->weighted) return;
  t->weigh.type = job->weights_type;
  t->weigh.bytes = heddle_type_size(job->weights_type);
  t->weigh.exponent = job->weight_exponent;
  t->weigh.scale = hd_fixed_scale(job->weight_exponent);
  t->weigh.kernel = kernels->histogram->weigh[job->weights_type];
}

heddle_status hd_cpu_tally_make(struct hd_cpu_tally *t, heddle_context *ctx,
                                const struct hd_histogram *job, u64 expected) {
  memset(t, 0, sizeof *t);
  t->ctx = ctx;
  t->channels = job->channels;
  t->slots = job->bins.count + HD_EXTRA_SLOTS;
  t->cells = t->slots * t->channels; /* at most 2^30 + 12 */
  t->workers = ctx->threads;
  begin_weights(t, job);
  heddle_status status = hd_plan_make(&t->plan, ctx, job->type, &job->bins, expected);
  if (status) return status;
  t->kernel = hd_cpu_find_kernel(&t->plan);
  if (t->weighted)
    choose_cells(t, expected);
  else
    choose(t, expected);
  return make_totals(t);
}

void hd_cpu_tally_free(struct hd_cpu_tally *t) {
  if (!t->ctx) return;
  for (unsigned i = 0; i < t->ready; i++) hd_release(t->ctx, t->worker[i].memory, t->worker_bytes);
  hd_release(t->ctx, t->worker, t->workers * sizeof *t->worker);
  hd_release(t->ctx, t->total, t->cells * sizeof *t->total);
  hd_release(t->ctx, t->weigh.marks, t->cells * sizeof *t->weigh.marks);
  hd_plan_free(&t->plan);
}

/* ---- counting ---------------------------------------------------------------------------- */

/* Slots to cells: element i is of channel i % channels. */
static void interleave(u32 *index, size_t n, size_t channels) {
  u32 c = (u32)channels;
  size_t i = 0;
  for (; i + 12 <= n; i += 12)
    for (u32 k = 0; k < 12; k++) index[i + k] = index[i + k] * c + k % c;
  for (u32 k = 0; i < n; i++, k++) index[i] = index[i] * c + k % c;
}

static void empty_narrow(const struct hd_cpu_tally *t, struct hd_cpu_worker *w) {
  for (size_t i = 0; i < t->cells; i++) w->counters[i] += w->narrow[i];
  memset(w->narrow, 0, t->cells * sizeof *w->narrow);
  w->narrow_count = 0;
}

static void count_narrow(const struct hd_cpu_tally *t,
                         const struct hd_cpu_histogram_kernels *kernels, struct hd_cpu_worker *w,
                         u32 *index, size_t n) {
  if (w->narrow_count + n > UINT16_MAX) empty_narrow(t, w);
  w->narrow_count += (u32)n;
  hd_cpu_count_u16(kernels, w->narrow, index, n);
}

static unsigned weigh(const struct hd_cpu_tally *t, struct hd_cpu_worker *w, const void *weights,
                      const u32 *index, size_t n) {
  if (t->weigh.copies && w->room < n) {
    hd_cpu_weigh_carry(w->table, t->counters);
    w->room = HD_CELL_ROOM;
  }
  if (t->weigh.copies) w->room -= n;
  return hd_cpu_weigh_block(&t->weigh, w->table, weights, index, n);
}

/* At most HD_INDEX_BLOCK elements. Returns the marks of their weights. */
static unsigned count_block(const struct hd_cpu_tally *t, struct hd_cpu_worker *w, const void *in,
                            const void *weights, size_t n) {
  const struct hd_cpu_histogram_kernels *kernels =
      ((const struct hd_cpu_kernels *)t->ctx->kernels)->histogram;
  u32 index[HD_INDEX_ROOM];
  hd_cpu_find_slots(&t->plan, t->kernel, in, n, index);
  if (t->way == HD_TALLY_WAYS) {
    hd_cpu_count_copies(kernels, w->counters, t->ways, index, n);
    return 0;
  }
  if (t->channels > 1) interleave(index, n, t->channels);
  if (t->way == HD_TALLY_CELLS) return weigh(t, w, weights, index, n);
  if (t->way == HD_TALLY_NARROW)
    count_narrow(t, kernels, w, index, n);
  else if (t->way == HD_TALLY_FLAT)
    hd_cpu_count_u32(kernels, w->counters, index, n);
  else if (t->way == HD_TALLY_SHARED)
    hd_cpu_count_shared(kernels, t->total, index, n);
  else
    hd_cpu_count_u64(kernels, t->total, index, n);
  return 0;
}

struct pieces {
  struct hd_cpu_tally *tally;
  const unsigned char *in, *weights;
  size_t count, piece; /* elements; piece is a multiple of HD_INDEX_BLOCK */
  atomic_size_t ticket;
  atomic_uint marks; /* of all weights */
  struct hd_cancellation *token;
};

static unsigned count_piece(const struct pieces *p, struct hd_cpu_worker *w, size_t from,
                            size_t n) {
  const struct hd_cpu_tally *t = p->tally;
  const unsigned char *in = p->in + from * t->plan.element_bytes;
  const unsigned char *weights = p->weights ? p->weights + from * t->weigh.bytes : NULL;
  unsigned marks = 0;
  if (t->way == HD_TALLY_BYTES) {
    hd_cpu_count_bytes(w->counters, t->ways, in, n);
    return 0;
  }
  for (size_t i = 0; i < n; i += HD_INDEX_BLOCK)
    marks |= count_block(t, w, in + i * t->plan.element_bytes,
                         weights ? weights + i * t->weigh.bytes : NULL,
                         n - i < HD_INDEX_BLOCK ? n - i : HD_INDEX_BLOCK);
  return marks;
}

static void pieces_task(void *arg, size_t worker) {
  struct pieces *p = arg;
  for (;;) {
    size_t i = atomic_fetch_add_explicit(&p->ticket, 1, memory_order_relaxed);
    if (i > (p->count - 1) / p->piece || hd_poll(p->token)) return;
    size_t from = i * p->piece, left = p->count - from;
    unsigned marks =
        count_piece(p, &p->tally->worker[worker], from, left < p->piece ? left : p->piece);
    if (marks) atomic_fetch_or(&p->marks, marks);
    if (marks & HD_MARK_TOO_LARGE) return;
  }
}

/* ---- adding up --------------------------------------------------------------------------- */

static void add_worker(struct hd_cpu_tally *t, struct hd_cpu_worker *w) {
  const size_t channels = t->channels;
  switch (t->way) {
  case HD_TALLY_DIRECT:
  case HD_TALLY_SHARED: return;
  case HD_TALLY_CELLS:
    hd_cpu_weigh_merge(&t->weigh, t->worker[0].table, w == t->worker ? NULL : w->table, t->cells);
    return;
  case HD_TALLY_NARROW: empty_narrow(t, w); /* fall through */
  case HD_TALLY_FLAT:
    for (size_t i = 0; i < t->cells; i++) t->total[i] += w->counters[i];
    break;
  case HD_TALLY_WAYS:
    for (size_t slot = 0; slot < t->slots; slot++)
      for (unsigned way = 0; way < t->ways; way++)
        t->total[slot * channels + way % channels] += w->counters[slot * HD_WAYS + way];
    break;
  case HD_TALLY_BYTES:
    for (unsigned way = 0; way < t->ways; way++)
      for (unsigned v = 0; v < 256; v++)
        t->total[t->plan.value_slot[v] * channels + way % channels] +=
            w->counters[way * HD_BYTE_TABLE + v];
    break;
  }
  memset(w->counters, 0, t->counters * sizeof *w->counters);
}

static void gather(struct hd_cpu_tally *t) {
  for (unsigned i = 0; t->pending && i < t->ready; i++) add_worker(t, &t->worker[i]);
  t->pending = 0;
}

/* ---- the whole --------------------------------------------------------------------------- */

static unsigned workers_for(const struct hd_cpu_tally *t, size_t count) {
  size_t bytes = count * t->plan.element_bytes, most = bytes / (PARALLEL_BYTES / 2);
  if (bytes < PARALLEL_BYTES) return 1;
  if (t->counters && most > count / WORTH / t->counters) most = count / WORTH / t->counters;
  return most < 1 ? 1 : most < t->workers ? (unsigned)most : t->workers;
}

static heddle_status add_segment(struct hd_cpu_tally *t, const char *entry,
                                 struct hd_cancellation *token, const void *in, const void *weights,
                                 size_t count) {
  unsigned workers = workers_for(t, count);
  heddle_status status = make_workers(t, workers);
  if (status) return status;
  if (t->pending > UINT32_MAX - count) gather(t);
  size_t piece = PIECE_BYTES / t->plan.element_bytes;
  if (piece > count / (4 * (size_t)workers)) piece = count / (4 * (size_t)workers);
  piece -= piece % HD_INDEX_BLOCK;
  struct pieces p = {.tally = t, .in = in, .weights = weights, .count = count, .token = token};
  p.piece = piece ? piece : HD_INDEX_BLOCK;
  t->pending += count;
  t->seen += count;
  if (workers == 1)
    pieces_task(&p, 0);
  else
    hd_parallel(t->ctx, workers, pieces_task, &p);
  if (atomic_load(&p.marks) & HD_MARK_TOO_LARGE)
    return hd_fail(HEDDLE_BAD_DATA,
                   "%s: a weight is not below 2^%d in magnitude, as options->weight_exponent says; "
                   "give the exponent of the largest weight",
                   entry, t->weigh.exponent);
  return hd_cancellation_status(token, entry);
}

heddle_status hd_cpu_tally_add(struct hd_cpu_tally *t, const char *entry, const void *in,
                               const void *weights, size_t count) {
  const unsigned char *x = in, *w = weights;
  struct hd_cancellation token;
  hd_cancellation_start(&token, t->ctx);
  const size_t segment = SEGMENT - SEGMENT % HD_INDEX_BLOCK;
  while (count) {
    size_t n = count < segment ? count : segment;
    heddle_status status = add_segment(t, entry, &token, x, w, n);
    if (status) return status;
    x += n * t->plan.element_bytes;
    if (w) w += n * t->weigh.bytes;
    count -= n;
  }
  return HEDDLE_OK;
}

static u64 cell_count(const struct hd_cpu_tally *t, size_t cell) {
  return t->weighted ? hd_cpu_weigh_accumulator(&t->weigh, t->worker->table, cell)->count
                     : t->total[cell];
}

static f64 cell_sum(const struct hd_cpu_tally *t, size_t cell) {
  const struct hd_accumulator *c = hd_cpu_weigh_accumulator(&t->weigh, t->worker->table, cell);
  return hd_fixed_round(hd_accumulator_sum(*c), t->weigh.exponent, t->weigh.marks[cell]);
}

void hd_cpu_tally_read(struct hd_cpu_tally *t, u64 *counts, heddle_histogram_result *result,
                       f64 *sums) {
  const size_t bins = t->plan.bins.count, channels = t->channels;
  const f64 *edges = t->plan.edges;
  gather(t);
  for (size_t c = 0; c < channels; c++) {
    for (size_t i = 0; counts && i < bins; i++)
      counts[c * bins + i] = cell_count(t, i * channels + c);
    for (size_t i = 0; sums && i < bins; i++) sums[c * bins + i] = cell_sum(t, i * channels + c);
    if (!result) continue;
    result[c].count = t->seen / channels;
    result[c].under = cell_count(t, (bins + HD_SLOT_UNDER) * channels + c);
    result[c].over = cell_count(t, (bins + HD_SLOT_OVER) * channels + c);
    result[c].nan = cell_count(t, (bins + HD_SLOT_NAN) * channels + c);
    result[c].lo = edges ? edges[0] : (f64)t->plan.bins.first;
    result[c].hi = edges ? edges[bins] : (f64)t->plan.bins.first + (f64)bins;
  }
}

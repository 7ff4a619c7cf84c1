/* tally.c - filling the tables of a histogram, and adding them up
 *
 * Method   choose.c says which tables. Threads take pieces of about 1 MiB by a ticket.
 * Limits   Counts are exact, and weighted sums exact integers: who counted what cannot be seen. */
#include "tally.h"

#include <stdatomic.h>
#include <string.h>

#include "axes/axes.h"
#include "axes/squares.h"
#include "count.h"
#include "host/status.h"

enum { PIECE_BYTES = 1 << 20 };

/* Tables for the first `wanted` workers. DIRECT and SHARED ones use the totals. */
static heddle_status make_workers(struct hd_cpu_tally *t, unsigned wanted) {
  for (; t->ready < wanted; t->ready++) {
    struct hd_cpu_worker *w = &t->worker[t->ready];
    if (!t->worker_bytes) continue;
    w->memory = hd_allocate(t->ctx, t->worker_bytes);
    if (!w->memory) return HEDDLE_OUT_OF_MEMORY;
    hd_large_pages(w->memory, t->worker_bytes); /* which any element may ask for */
    memset(w->memory, 0, t->worker_bytes);
    if (t->weighted) {
      if (t->weigh.exact) hd_cpu_tally_exact_worker(t, w);
      w->table = w->memory;
      w->room = HD_ACCUMULATOR_ROOM;
    } else {
      w->counters = w->memory;
      if (t->strategy == HD_TALLY_NARROW) w->narrow = (void *)(w->counters + t->counters);
    }
  }
  return HEDDLE_OK;
}

static heddle_status make_totals(struct hd_cpu_tally *t) {
  t->worker = hd_allocate(t->ctx, t->workers * sizeof *t->worker);
  if (!t->worker) return HEDDLE_OUT_OF_MEMORY;
  memset(t->worker, 0, t->workers * sizeof *t->worker);
  size_t bytes = t->totals * (t->weighted ? sizeof *t->weigh.marks : sizeof *t->total);
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
  t->weights_bytes = t->weigh.bytes;
  t->weigh.exponent = job->weight_exponent;
  t->weigh.scale = hd_fixed_scale(job->weight_exponent);
  t->weigh.kernel = kernels->histogram->weigh[job->weights_type];
  if (job->exact) hd_cpu_tally_exact(t, job);
}

/* Of so many slots. */
static void begin(struct hd_cpu_tally *t, heddle_context *ctx, const struct hd_histogram *job,
                  size_t slots) {
  memset(t, 0, sizeof *t);
  t->ctx = ctx;
  t->channels = job->channels;
  t->slots = slots;
  t->totals = t->slots * t->channels; /* at most 2^30 + 12 */
  t->workers = ctx->threads;
  begin_weights(t, job);
}

heddle_status hd_cpu_tally_plan(struct hd_cpu_tally *t, heddle_context *ctx,
                                const struct hd_histogram *job, u64 expected) {
  begin(t, ctx, job, job->bins.count + HD_EXTRA_SLOTS);
  t->element_bytes = heddle_type_size(job->type);
  heddle_status status = hd_plan_make(&t->plan, ctx, job->type, &job->bins, expected);
  if (status) return status;
  t->kernel = hd_cpu_find_kernel(&t->plan);
  hd_cpu_tally_choose(t, expected);
  return HEDDLE_OK;
}

heddle_status hd_cpu_tally_make(struct hd_cpu_tally *t, heddle_context *ctx,
                                const struct hd_histogram *job, u64 expected) {
  heddle_status status = hd_cpu_tally_plan(t, ctx, job, expected);
  return status ? status : make_totals(t);
}

void hd_cpu_tally_plan_axes(struct hd_cpu_tally *t, heddle_context *ctx,
                            const struct hd_histogram *job, struct hd_cpu_axes *axes,
                            heddle_type squared, u64 expected) {
  begin(t, ctx, job, axes->slots);
  t->axes = axes;
  t->squared = squared;
  if (squared != HEDDLE_TYPE_DEFAULT) t->weights_bytes = heddle_type_size(squared);
  t->element_bytes = axes->dims * heddle_type_size(job->type);
  hd_cpu_tally_choose(t, expected);
}

heddle_status hd_cpu_tally_make_axes(struct hd_cpu_tally *t, heddle_context *ctx,
                                     const struct hd_histogram *job, struct hd_cpu_axes *axes,
                                     heddle_type squared, u64 expected) {
  hd_cpu_tally_plan_axes(t, ctx, job, axes, squared, expected);
  return make_totals(t);
}

void hd_cpu_tally_free(struct hd_cpu_tally *t) {
  if (!t->ctx) return;
  if (t->weigh.exact) hd_cpu_tally_exact_free(t);
  for (unsigned i = 0; i < t->ready; i++) hd_release(t->ctx, t->worker[i].memory, t->worker_bytes);
  hd_release(t->ctx, t->worker, t->workers * sizeof *t->worker);
  hd_release(t->ctx, t->total, t->totals * sizeof *t->total);
  hd_release(t->ctx, t->weigh.marks, t->totals * sizeof *t->weigh.marks);
  hd_plan_free(&t->plan);
}

/* ---- counting ---------------------------------------------------------------------------- */

/* Slots to totals: element i is of channel i % channels. */
static void interleave(u32 *index, size_t n, size_t channels) {
  u32 c = (u32)channels;
  size_t i = 0;
  for (; i + 12 <= n; i += 12)
    for (u32 k = 0; k < 12; k++) index[i + k] = index[i + k] * c + k % c;
  for (u32 k = 0; i < n; i++, k++) index[i] = index[i] * c + k % c;
}

static void empty_narrow(const struct hd_cpu_tally *t, struct hd_cpu_worker *w) {
  for (size_t i = 0; i < t->totals; i++) w->counters[i] += w->narrow[i];
  memset(w->narrow, 0, t->totals * sizeof *w->narrow);
  w->narrow_count = 0;
}

static void count_narrow(const struct hd_cpu_tally *t,
                         const struct hd_cpu_histogram_kernels *kernels, struct hd_cpu_worker *w,
                         u32 *index, size_t n) {
  if (w->narrow_count + n > UINT16_MAX) empty_narrow(t, w);
  w->narrow_count += (u32)n;
  hd_cpu_count_u16(kernels, w->narrow, index, n);
}

static unsigned weigh(struct hd_cpu_tally *t, struct hd_cpu_worker *w, const void *weights,
                      const u32 *index, size_t n) {
  f64 squares[HD_INDEX_BLOCK];
  if (t->squared != HEDDLE_TYPE_DEFAULT) {
    hd_cpu_square(t->squared, weights, n, squares);
    weights = squares;
  }
  if (t->weigh.whole && w->room < n) {
    hd_cpu_weigh_carry(w->table, t->counters);
    w->room = HD_ACCUMULATOR_ROOM;
  }
  if (t->weigh.whole) w->room -= n;
  if (!t->weigh.exact) return hd_cpu_weigh_block(&t->weigh, w->table, weights, index, n);
  return hd_cpu_weigh_exact_block(t->ctx, &t->weigh, w->table, hd_cpu_tally_limbs(t, w), weights,
                                  index, n);
}

/* At most HD_INDEX_BLOCK elements, the first of which is element `at` of the axes' columns. Returns the
 * marks of their weights. */
static unsigned count_block(struct hd_cpu_tally *t, struct hd_cpu_worker *w, const void *in,
                            size_t at, const void *weights, size_t n) {
  const struct hd_cpu_histogram_kernels *kernels =
      ((const struct hd_cpu_kernels *)t->ctx->kernels)->histogram;
  u32 index[HD_INDEX_ROOM];
  if (t->axes)
    hd_cpu_axes_find(t->axes, kernels, (size_t)(w - t->worker), at, n, t->plan.index.shift, index);
  else
    hd_cpu_find_slots(&t->plan, t->kernel, in, n, index);
  if (t->strategy == HD_TALLY_COPIES) {
    hd_cpu_count_copies(kernels, w->counters, t->copies, index, n);
    return 0;
  }
  if (t->channels > 1) interleave(index, n, t->channels);
  if (t->strategy == HD_TALLY_WEIGHTS) return weigh(t, w, weights, index, n);
  if (t->strategy == HD_TALLY_NARROW)
    count_narrow(t, kernels, w, index, n);
  else if (t->strategy == HD_TALLY_FLAT)
    hd_cpu_count_u32(kernels, w->counters, index, n);
  else if (t->strategy == HD_TALLY_SHARED)
    hd_cpu_count_shared(kernels, t->total, index, n);
  else
    hd_cpu_count_u64(kernels, t->total, index, n);
  return 0;
}

struct pieces {
  struct hd_cpu_tally *tally;
  const unsigned char *in, *weights; /* of all elements; NULL: there are none, or axes have them */
  size_t first, count, piece;        /* elements; piece is a multiple of HD_INDEX_BLOCK */
  atomic_size_t ticket;
  atomic_uint marks; /* of all weights */
  struct hd_cancellation *token;
};

static unsigned count_piece(const struct pieces *p, struct hd_cpu_worker *w, size_t from,
                            size_t n) {
  struct hd_cpu_tally *t = p->tally;
  const unsigned char *in = p->in ? p->in + from * t->element_bytes : NULL;
  const unsigned char *weights = p->weights ? p->weights + from * t->weights_bytes : NULL;
  unsigned marks = 0;
  if (t->strategy == HD_TALLY_BYTES) {
    hd_cpu_count_bytes(w->counters, t->copies, in, n);
    return 0;
  }
  for (size_t i = 0; i < n; i += HD_INDEX_BLOCK)
    marks |= count_block(t, w, in ? in + i * t->element_bytes : NULL, from + i,
                         weights ? weights + i * t->weights_bytes : NULL,
                         n - i < HD_INDEX_BLOCK ? n - i : HD_INDEX_BLOCK);
  return marks;
}

static void pieces_task(void *arg, size_t worker) {
  struct pieces *p = arg;
  for (;;) {
    size_t i = atomic_fetch_add_explicit(&p->ticket, 1, memory_order_relaxed);
    if (i > (p->count - 1) / p->piece || hd_poll(p->token)) return;
    size_t from = i * p->piece, left = p->count - from;
    unsigned marks = count_piece(p, &p->tally->worker[worker], p->first + from,
                                 left < p->piece ? left : p->piece);
    if (marks) atomic_fetch_or(&p->marks, marks);
    if (marks & (HD_MARK_TOO_LARGE | HD_MARK_NO_MEMORY)) return;
  }
}

/* ---- adding up --------------------------------------------------------------------------- */

static void add_worker(struct hd_cpu_tally *t, struct hd_cpu_worker *w) {
  const size_t channels = t->channels;
  switch (t->strategy) {
  case HD_TALLY_DIRECT:
  case HD_TALLY_SHARED: return;
  case HD_TALLY_WEIGHTS:
    hd_cpu_weigh_merge(&t->weigh, t->worker[0].table, w == t->worker ? NULL : w->table, t->totals);
    return;
  case HD_TALLY_NARROW: empty_narrow(t, w); /* fall through */
  case HD_TALLY_FLAT:
    for (size_t i = 0; i < t->totals; i++) t->total[i] += w->counters[i];
    break;
  case HD_TALLY_COPIES:
    for (size_t slot = 0; slot < t->slots; slot++)
      for (unsigned copy = 0; copy < t->copies; copy++)
        t->total[slot * channels + copy % channels] += w->counters[slot * HD_COPIES + copy];
    break;
  case HD_TALLY_BYTES:
    for (unsigned copy = 0; copy < t->copies; copy++)
      for (unsigned v = 0; v < 256; v++)
        t->total[t->plan.value_slot[v] * channels + copy % channels] +=
            w->counters[copy * HD_BYTE_TABLE + v];
    break;
  }
  memset(w->counters, 0, t->counters * sizeof *w->counters);
}

void hd_cpu_tally_gather(struct hd_cpu_tally *t) {
  for (unsigned i = 0; t->pending && i < t->ready; i++) add_worker(t, &t->worker[i]);
  t->pending = 0;
}

/* ---- the whole --------------------------------------------------------------------------- */

static heddle_status add_segment(struct hd_cpu_tally *t, const char *entry,
                                 struct hd_cancellation *token, const void *in, const void *weights,
                                 size_t first, size_t count) {
  unsigned workers = hd_cpu_tally_workers(t, count);
  heddle_status status = make_workers(t, workers);
  if (status) return status;
  if (t->pending > UINT32_MAX - count) hd_cpu_tally_gather(t);
  size_t piece = PIECE_BYTES / t->element_bytes;
  if (piece > count / (4 * (size_t)workers)) piece = count / (4 * (size_t)workers);
  piece -= piece % HD_INDEX_BLOCK;
  struct pieces p = {
      .tally = t, .in = in, .weights = weights, .first = first, .count = count, .token = token};
  p.piece = piece ? piece : HD_INDEX_BLOCK;
  t->pending += count;
  t->seen += count;
  if (workers == 1)
    pieces_task(&p, 0);
  else
    hd_parallel(t->ctx, workers, pieces_task, &p);
  if (atomic_load(&p.marks) & HD_MARK_NO_MEMORY)
    return hd_fail(
        HEDDLE_OUT_OF_MEMORY,
        "%s: the allocator of context %s gave no memory for the exact sums of weights that "
        "lie far apart; free some memory, or use fewer threads or bins, or no options->exact",
        entry, t->ctx->device);
  if (atomic_load(&p.marks) & HD_MARK_TOO_LARGE)
    return hd_fail(HEDDLE_BAD_DATA,
                   "%s: a weight is not below 2^%d in magnitude, as options->weight_exponent says; "
                   "give the exponent of the largest weight",
                   entry, t->weigh.exponent);
  return hd_cancellation_status(token, entry);
}

/* Of squares, by a sample of them. */
static void find_exponent(struct hd_cpu_tally *t, const void *weights, size_t count) {
  f64 sample[HD_INDEX_BLOCK];
  const size_t apart = (count + HD_INDEX_BLOCK - 1) / HD_INDEX_BLOCK;
  size_t n = 0;
  if (t->squared == HEDDLE_TYPE_DEFAULT) {
    hd_cpu_weigh_find(&t->weigh, weights, count);
    return;
  }
  for (size_t i = 0; i < count; i += apart)
    hd_cpu_square(t->squared, (const char *)weights + i * t->weights_bytes, 1, &sample[n++]);
  hd_cpu_weigh_find(&t->weigh, sample, n);
}

heddle_status hd_cpu_tally_add(struct hd_cpu_tally *t, const char *entry, const void *in,
                               const void *weights, size_t count) {
  struct hd_cancellation token;
  hd_cancellation_start(&token, t->ctx);
  if (t->weigh.exact && !t->weigh.found && count) find_exponent(t, weights, count);
  const size_t segment = HD_TALLY_SEGMENT - HD_TALLY_SEGMENT % HD_INDEX_BLOCK;
  for (size_t first = 0; first < count; first += segment) {
    const size_t left = count - first;
    heddle_status status =
        add_segment(t, entry, &token, in, weights, first, left < segment ? left : segment);
    if (status) return status;
  }
  return HEDDLE_OK;
}

u64 hd_cpu_tally_count(const struct hd_cpu_tally *t, size_t at) {
  return t->weighted ? hd_cpu_weigh_accumulator(&t->weigh, t->worker->table, at)->count
                     : t->total[at];
}

f64 hd_cpu_tally_sum(const struct hd_cpu_tally *t, size_t at) {
  if (t->weigh.exact) return hd_cpu_tally_exact_total(t, at);
  const struct hd_accumulator *c = hd_cpu_weigh_accumulator(&t->weigh, t->worker->table, at);
  if (!c->count) return 0;
  return hd_fixed_round(hd_accumulator_sum(*c), t->weigh.exponent, t->weigh.marks[at]);
}

void hd_cpu_tally_read(struct hd_cpu_tally *t, u64 *counts, heddle_histogram_result *result,
                       f64 *sums) {
  const size_t bins = t->plan.bins.count, channels = t->channels;
  const f64 *edges = t->plan.edges;
  hd_cpu_tally_gather(t);
  for (size_t c = 0; c < channels; c++) {
    for (size_t i = 0; counts && i < bins; i++)
      counts[c * bins + i] = hd_cpu_tally_count(t, i * channels + c);
    for (size_t i = 0; sums && i < bins; i++)
      sums[c * bins + i] = hd_cpu_tally_sum(t, i * channels + c);
    if (!result) continue;
    result[c].count = t->seen / channels;
    result[c].under = hd_cpu_tally_count(t, (bins + HD_SLOT_UNDER) * channels + c);
    result[c].over = hd_cpu_tally_count(t, (bins + HD_SLOT_OVER) * channels + c);
    result[c].nan = hd_cpu_tally_count(t, (bins + HD_SLOT_NAN) * channels + c);
    result[c].lo = edges ? edges[0] : (f64)t->plan.bins.first;
    result[c].hi = edges ? edges[bins] : (f64)t->plan.bins.first + (f64)bins;
  }
}

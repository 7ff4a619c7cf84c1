/* histogram.c - the histogram of an array in parts: a table a device, added up
 *
 * Method   What the bins or the weights leave open, the range and the exponent, is found in a pass before, of
 *          each part by the device that has it. Then each device counts its parts into a state of its own, and
 *          the states' tables are added: counts are integers, sums of weights fixed-point (rule 14) or exact (rule 15). */
#include <math.h>

#include "bins/index.h"
#include "parts.h"

/* A device's state, made by the thread that works for it. */
struct device_state {
  heddle_context *ctx;
  void *state;
};

struct histogram_work {
  heddle_context *ctx;
  struct hd_histogram job; /* resolved */
  const struct hd_parts *in;
  bool weights, positive; /* what a range is wanted of */
  pthread_mutex_t lock;   /* of what follows */
  f64 range[2];
  size_t states;
  struct device_state *of; /* as many as parts */
};

/* ---- the passes before ----------------------------------------------------------------------- */

static heddle_status range_of_part(heddle_context *ctx, void *arg, size_t i) {
  struct histogram_work *w = arg;
  const struct hd_part *part = &w->in->part[i];
  f64 found[2];
  if (!part->count) return HEDDLE_OK;
  HD_TRY(ctx->backend->histogram_range(ctx, w->weights ? w->job.weights_type : w->job.type,
                                       w->weights ? part->y : part->x, part->count, w->positive,
                                       found));
  pthread_mutex_lock(&w->lock);
  if (found[0] < w->range[0]) w->range[0] = found[0];
  if (found[1] > w->range[1]) w->range[1] = found[1];
  pthread_mutex_unlock(&w->lock);
  return HEDDLE_OK;
}

static heddle_status find_range(struct histogram_work *w, const void *const *where, bool weights,
                                bool positive) {
  w->weights = weights;
  w->positive = positive;
  w->range[0] = INFINITY, w->range[1] = -INFINITY;
  HD_TRY(hd_spread(w->ctx, w->in->parts, where, range_of_part, w));
  w->range[0] += 0.0; /* -0.0 and +0.0 are one value; which came first must not show */
  w->range[1] += 0.0;
  return HEDDLE_OK;
}

static heddle_status resolve(struct histogram_work *w, const void *const *where) {
  heddle_bins *bins = &w->job.bins;
  if (bins->auto_range) {
    const bool log = bins->kind == HEDDLE_BINS_LOG;
    HD_TRY(find_range(w, where, false, log));
    const bool none = w->range[0] > w->range[1];
    bins->lo = !none ? w->range[0] : log ? 1 : 0;
    bins->hi = !none ? w->range[1] : log ? 10 : 1;
  }
  const bool rounds = w->job.weights_type != HEDDLE_TYPE_DEFAULT && !w->job.exact;
  if (!rounds || w->job.weight_exponent != HEDDLE_FIND_EXPONENT) return HEDDLE_OK;
  HD_TRY(find_range(w, where, true, false));
  w->job.weight_exponent =
      w->range[0] > w->range[1] ? 0 : hd_fixed_exponent(w->range[0], w->range[1]);
  return HEDDLE_OK;
}

/* ---- counting -------------------------------------------------------------------------------- */

static void *state_of(struct histogram_work *w, heddle_context *ctx) {
  void *found = NULL;
  pthread_mutex_lock(&w->lock);
  for (size_t i = 0; i < w->states; i++)
    if (w->of[i].ctx == ctx) found = w->of[i].state;
  pthread_mutex_unlock(&w->lock);
  return found;
}

static heddle_status count_part(heddle_context *ctx, void *arg, size_t i) {
  struct histogram_work *w = arg;
  const struct hd_part *part = &w->in->part[i];
  void *state = state_of(w, ctx);
  if (!part->count) return HEDDLE_OK;
  if (!state) {
    HD_TRY(ctx->backend->histogram_begin(ctx, &w->job, &state));
    pthread_mutex_lock(&w->lock);
    w->of[w->states++] = (struct device_state){ctx, state};
    pthread_mutex_unlock(&w->lock);
  }
  return ctx->backend->histogram_update(state, part->x, part->y, part->count);
}

/* All tables in the first one. */
static heddle_status add_up(struct histogram_work *w) {
  const size_t totals = (w->job.bins.count + HD_EXTRA_SLOTS) * w->job.channels;
  const size_t counts_bytes = totals * sizeof(u64);
  const size_t bytes = counts_bytes + totals * hd_histogram_sum_bytes(&w->job);
  if (w->states < 2) return HEDDLE_OK;
  u64 *counts = hd_allocate(w->ctx, bytes), seen;
  if (!counts) return HEDDLE_OUT_OF_MEMORY;
  void *sums = bytes > counts_bytes ? counts + totals : NULL;
  heddle_status status = HEDDLE_OK;
  for (size_t i = 1; i < w->states && !status; i++) {
    status = w->of[i].ctx->backend->histogram_export(w->of[i].state, &seen, counts, sums);
    if (!status) status = w->of[0].ctx->backend->histogram_add(w->of[0].state, seen, counts, sums);
  }
  hd_release(w->ctx, counts, bytes);
  return status;
}

static heddle_status count_all(struct histogram_work *w, u64 *counts,
                               heddle_histogram_result *result, f64 *sums) {
  const void **where;
  HD_TRY(hd_parts_places(w->ctx, w->in, &where));
  heddle_status status = resolve(w, where);
  if (!status) status = hd_spread(w->ctx, w->in->parts, where, count_part, w);
  if (!status) status = add_up(w);
  if (!status) {
    const struct device_state *all = &w->of[0];
    status = all->ctx->backend->histogram_finish(all->state, counts, result, sums);
  }
  for (size_t i = 0; i < w->states; i++) w->of[i].ctx->backend->histogram_free(w->of[i].state);
  hd_parts_places_free(w->ctx, w->in, where);
  return status;
}

heddle_status hd_parts_histogram(heddle_context *ctx, const struct hd_histogram *job,
                                 const struct hd_parts *in, u64 *counts,
                                 heddle_histogram_result *result, f64 *sums) {
  struct histogram_work w = {.ctx = ctx, .job = *job, .in = in};
  if (!in->count) return ctx->backend->histogram(ctx, job, NULL, NULL, 0, counts, result, sums);
  const size_t bytes = in->parts * sizeof *w.of;
  w.of = hd_allocate(ctx, bytes);
  if (!w.of) return HEDDLE_OUT_OF_MEMORY;
  pthread_mutex_init(&w.lock, NULL);
  const heddle_status status = count_all(&w, counts, result, sums);
  pthread_mutex_destroy(&w.lock);
  hd_release(ctx, w.of, bytes);
  return status;
}

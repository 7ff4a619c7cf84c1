/* tally_exact.c - exact sums of weights in the tables of a histogram; see tally.h
 *
 * Method   A total's sum is that of its accumulator and of its rows of limbs, one a worker. Where rows of all
 *          totals were large, workers share them, and wait for each other. */
#include "order/exact/format.h"
#include "tally.h"

enum { MOST_PRIVATE = 64 << 20 }; /* bytes of rows a worker */

void hd_cpu_tally_exact(struct hd_cpu_tally *t, const struct hd_histogram *job) {
  const struct hd_cpu_kernels *kernels = t->ctx->kernels;
  struct hd_cpu_weigh *w = &t->weigh;
  w->exact = kernels->histogram->weigh_exact[job->weights_type];
  w->sums = job->bins.count * job->channels;
  w->span = hd_exact_span_of(hd_exact_format_of_type(job->weights_type), false);
  t->limbs_shared = t->totals * (w->span.end - w->span.first) * sizeof(i64) > MOST_PRIVATE;
  (void)pthread_mutex_init(&t->limbs_lock, NULL);
  (void)pthread_mutex_init(&t->memory_lock, NULL);
}

void hd_cpu_tally_exact_free(struct hd_cpu_tally *t) {
  for (unsigned i = 0; i < t->ready; i++) hd_cpu_limbs_free(t->ctx, &t->worker[i].limbs);
  (void)pthread_mutex_destroy(&t->limbs_lock);
  (void)pthread_mutex_destroy(&t->memory_lock);
}

void hd_cpu_tally_exact_worker(struct hd_cpu_tally *t, struct hd_cpu_worker *worker) {
  worker->limbs = (struct hd_cpu_limbs){.span = t->weigh.span,
                                        .totals = t->totals,
                                        .memory = &t->memory_lock,
                                        .shared = t->limbs_shared ? &t->limbs_lock : NULL};
}

struct hd_cpu_limbs *hd_cpu_tally_limbs(struct hd_cpu_tally *t, struct hd_cpu_worker *worker) {
  return t->limbs_shared ? &t->worker->limbs : &worker->limbs;
}

/* Whether a total has a row anywhere. */
static bool has_rows(const struct hd_cpu_tally *t, size_t at) {
  for (unsigned i = 0; i < t->ready; i++)
    if (hd_cpu_limbs_row(&t->worker[i].limbs, at)) return true;
  return false;
}

static const struct hd_accumulator *accumulator_at(const struct hd_cpu_tally *t, size_t at) {
  return hd_cpu_weigh_accumulator(&t->weigh, t->worker->table, at);
}

/* Carried in the span that is returned. */
static struct hd_exact_span sum_of(const struct hd_cpu_tally *t, size_t at, struct hd_exact *sum) {
  const struct hd_exact_span span = hd_exact_span_with_fixed(t->weigh.span, t->weigh.exponent);
  const u8 marks = t->weigh.marks[at];
  hd_exact_clear(sum, span);
  for (unsigned i = 0; i < t->ready; i++) {
    const i64 *row = hd_cpu_limbs_row(&t->worker[i].limbs, at);
    if (!row) continue;
    hd_cpu_limbs_sum(row, t->weigh.span, sum);
    hd_exact_carry(sum, span); /* makes room for the next */
  }
  hd_cpu_weigh_exact_sum(&t->weigh, *accumulator_at(t, at), sum);
  hd_exact_carry(sum, span);
  sum->nan = (marks & HD_MARK_NAN) != 0;
  sum->plus = (marks & HD_MARK_PLUS) != 0;
  sum->minus = (marks & HD_MARK_MINUS) != 0;
  return span;
}

f64 hd_cpu_tally_exact_total(const struct hd_cpu_tally *t, size_t at) {
  const struct hd_exact_format result = {HD_EXACT_F64};
  const struct hd_accumulator *accumulator = accumulator_at(t, at);
  struct hd_exact sum;
  if (!(accumulator->count >> HD_FIXED_ROOM_BITS) && !has_rows(t, at))
    return hd_fixed_round(hd_accumulator_sum(*accumulator), t->weigh.exponent, t->weigh.marks[at]);
  const struct hd_exact_span span = sum_of(t, at, &sum);
  return hd_exact_round(&sum, span, result);
}

void hd_cpu_tally_exact_sum(const struct hd_cpu_tally *t, size_t at, struct hd_exact *sum) {
  const struct hd_exact_span all = {0, HD_EXACT_LIMBS};
  hd_exact_clear(sum, all);
  const struct hd_exact_span span = sum_of(t, at, sum);
  hd_exact_carry(sum, (struct hd_exact_span){span.first, HD_EXACT_LIMBS});
}

heddle_status hd_cpu_tally_exact_gain(struct hd_cpu_tally *t, size_t at,
                                      const struct hd_exact *sum) {
  struct hd_cpu_limbs *limbs = &t->worker->limbs;
  i64 *row = hd_cpu_limbs_make(t->ctx, limbs, at);
  if (!row) return HEDDLE_OUT_OF_MEMORY;
  const struct hd_exact_span span = limbs->span;
  for (u32 i = span.first; i < span.end; i++) row[i - span.first] += sum->limb[i];
  if (sum->limb[HD_EXACT_LIMBS - 1] < 0)
    row[span.end - 1 - span.first] -= (i64)1 << 32; /* the sign */
  limbs->added++;
  t->weigh.marks[at] |= (u8)((sum->nan ? HD_MARK_NAN : 0) | (sum->plus ? HD_MARK_PLUS : 0) |
                             (sum->minus ? HD_MARK_MINUS : 0));
  return HEDDLE_OK;
}

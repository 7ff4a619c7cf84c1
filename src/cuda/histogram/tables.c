/* tables.c - the tables of a histogram's state, to and from those that every back end takes
 *
 * Method   All tables come to the host, where a sum's parts are put together (kernels/histogram/round.h, sums.h), and go
 *          back where something was added: a round trip, for what is seldom. On a device channels are one behind
 *          the other; in the common form neighbours. */
#include <string.h>

#include "cuda/core/inside.h"
#include "launch.h"
#include "order/exact/fixed_sum.h"
#include "order/exact/format.h"
#include "sums.h"

/* A state's tables on the host: one allocation, as they lie on the device. */
struct host_tables {
  struct hd_cuda_histogram_state *state;
  struct hd_cuda_call call; /* its context alone is looked at */
  struct hd_cuda_count count;
  void *memory;
};

static void *host(u64 address) { return (void *)(uintptr_t)address; }

static heddle_status fetch(struct hd_cuda_histogram_state *p, struct host_tables *t) {
  *t = (struct host_tables){.state = p, .call = {.ctx = p->own.ctx}};
  t->memory = hd_allocate(p->own.ctx, p->tables.bytes);
  if (!t->memory) return HEDDLE_OUT_OF_MEMORY;
  HD_TRY(hd_cuda_copy(p->own.ctx, t->memory, host(p->tables.memory), p->tables.bytes));
  struct hd_cuda_tables here = p->tables;
  struct hd_cuda_window window = p->window;
  here.memory = (cu_pointer)(uintptr_t)t->memory;
  window.words = here.memory + (window.words - p->tables.memory);
  hd_cuda_count_set(&t->count, &t->call, &p->job, p->bins, &here);
  t->count.uncarried = p->uncarried;
  if (p->job.exact) hd_cuda_window_set(&t->count, &window);
  return HEDDLE_OK;
}

static void end(struct host_tables *t) {
  hd_release(t->state->own.ctx, t->memory, t->state->tables.bytes);
}

static void add_128(u64 *low, u64 *high, u64 add_low, u64 add_high) {
  *low += add_low;
  *high += add_high + (*low < add_low);
}

/* A device's counter of a total in the common form. */
static u64 counter_of(const struct host_tables *t, u64 total) {
  const struct hist_args *a = &t->count.args;
  return total % a->channels * a->slots + total / a->channels;
}
/* Whether it is a bin's: nobody asks for the weights of what fell outside. */
static bool is_bin(const struct host_tables *t, u64 total) {
  return total / t->count.args.channels < t->state->job.bins.count;
}

/* ---- out of them ----------------------------------------------------------------------------- */

static struct hd_weight_total total_of(const struct hist_args *a, u64 counter) {
  const u64 *amount = (const u64 *)host(a->amounts) + 2 * counter;
  const u64 *unit = (const u64 *)host(a->units) + 2 * counter;
  const u32 mark = ((const u32 *)host(a->marks))[counter], rest = a->rest_bits;
  u64 low = amount[0], high = amount[1];
  add_128(&low, &high, unit[0] << rest, unit[1] << rest | unit[0] >> (64 - rest));
  if (mark) return (struct hd_weight_total){.marks = mark};
  return (struct hd_weight_total){.sum = {low, (i64)high}};
}

static void export_sum(const struct host_tables *t, u64 total, unsigned char *sums) {
  const struct hd_histogram *job = &t->state->job;
  const size_t bytes = hd_histogram_sum_bytes(job);
  const u64 counter = counter_of(t, total);
  unsigned char *to = sums + total * bytes;
  struct hd_exact sum;
  memset(to, 0, bytes);
  if (!is_bin(t, total)) return;
  if (!job->exact) {
    const struct hd_weight_total fixed = total_of(&t->count.args, counter);
    memcpy(to, &fixed, sizeof fixed);
    return;
  }
  hd_cuda_sums_get(&t->count, counter, &sum);
  hd_exact_narrow(&sum, (struct hd_exact_span){0, HD_EXACT_LIMBS}, hd_histogram_span(job));
  hd_exact_pack(&sum, hd_histogram_span(job), to);
}

heddle_status hd_cuda_histogram_export(void *state, u64 *seen, u64 *counts, void *sums) {
  struct hd_cuda_histogram_state *p = state;
  struct host_tables t;
  heddle_status status = fetch(p, &t);
  *seen = p->seen;
  for (u64 i = 0; i < p->tables.counters && !status; i++) {
    counts[i] = ((const u64 *)host(t.count.args.totals))[counter_of(&t, i)];
    if (sums) export_sum(&t, i, sums);
  }
  end(&t);
  return status;
}

/* ---- into them ------------------------------------------------------------------------------- */

static void add_sum(struct host_tables *t, u64 total, const unsigned char *sums) {
  const struct hd_histogram *job = &t->state->job;
  const struct hist_args *a = &t->count.args;
  const unsigned char *from = sums + total * hd_histogram_sum_bytes(job);
  const u64 counter = counter_of(t, total);
  struct hd_weight_total fixed;
  struct hd_exact sum;
  if (!is_bin(t, total)) return;
  if (job->exact) {
    hd_exact_unpack(from, hd_histogram_span(job), &sum);
    hd_cuda_sums_gain(&t->count, counter, &sum);
    return;
  }
  memcpy(&fixed, from, sizeof fixed);
  u64 *amount = (u64 *)host(a->amounts) + 2 * counter;
  add_128(&amount[0], &amount[1], fixed.sum.low, (u64)fixed.sum.high);
  ((u32 *)host(a->marks))[counter] |= fixed.marks;
}

heddle_status hd_cuda_histogram_add(void *state, u64 seen, const u64 *counts, const void *sums) {
  struct hd_cuda_histogram_state *p = state;
  struct host_tables t;
  heddle_status status = fetch(p, &t);
  for (u64 i = 0; i < p->tables.counters && !status; i++) {
    ((u64 *)host(t.count.args.totals))[counter_of(&t, i)] += counts[i];
    if (sums) add_sum(&t, i, sums);
  }
  if (!status) status = hd_cuda_copy(p->own.ctx, host(p->tables.memory), t.memory, p->tables.bytes);
  if (!status) p->seen += seen, p->uncarried = t.count.uncarried;
  end(&t);
  return status;
}

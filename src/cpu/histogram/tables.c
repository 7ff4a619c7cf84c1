/* tables.c - the tables of a histogram's state, to and from those that every back end takes */
#include <string.h>

#include "cpu/cpu.h"
#include "order/exact/format.h"
#include "tally.h"

/* What is not asked for, the weights of what fell outside of the bins, is 0. */
static void export_exact(const struct hd_cpu_tally *t, size_t at, unsigned char *to) {
  struct hd_exact sum;
  const size_t bytes = hd_exact_packed_bytes(t->weigh.span);
  if (at >= t->weigh.sums) {
    memset(to + at * bytes, 0, bytes);
    return;
  }
  hd_cpu_tally_exact_sum(t, at, &sum);
  hd_exact_narrow(&sum, (struct hd_exact_span){0, HD_EXACT_LIMBS}, t->weigh.span);
  hd_exact_pack(&sum, t->weigh.span, to + at * bytes);
}

static struct hd_weight_total total_of(const struct hd_cpu_tally *t, size_t at,
                                       const struct hd_accumulator *from) {
  if (t->weigh.marks[at]) return (struct hd_weight_total){.marks = t->weigh.marks[at]};
  return (struct hd_weight_total){.sum = hd_accumulator_sum(*from)};
}

heddle_status hd_cpu_histogram_export(void *state, u64 *seen, u64 *counts, void *sums) {
  struct hd_cpu_tally *t = state;
  struct hd_weight_total *totals = sums;
  hd_cpu_tally_gather(t);
  *seen = t->seen;
  for (size_t i = 0; i < t->totals; i++) {
    if (!t->weighted) {
      counts[i] = t->total[i];
      continue;
    }
    const struct hd_accumulator *from = hd_cpu_weigh_accumulator(&t->weigh, t->worker->table, i);
    counts[i] = from->count;
    if (t->weigh.exact)
      export_exact(t, i, sums);
    else
      totals[i] = total_of(t, i, from);
  }
  return HEDDLE_OK;
}

/* The halves of a sum. */
static struct hd_accumulator accumulator_of(struct hd_fixed sum, u64 count) {
  const u64 half = (UINT64_C(1) << HD_HALF_BITS) - 1;
  const u64 high = (u64)sum.high;
  return (struct hd_accumulator){
      .lo = (i64)(sum.low & half),
      .hi = (i64)((sum.low >> HD_HALF_BITS | high << (64 - HD_HALF_BITS)) & half),
      .top = sum.high >> (HD_FIXED_BITS - 64),
      .count = count};
}

static bool is_zero(const unsigned char *packed, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    if (packed[i]) return false;
  return true;
}

static heddle_status add_exact(struct hd_cpu_tally *t, size_t at, const unsigned char *from) {
  const size_t bytes = hd_exact_packed_bytes(t->weigh.span);
  struct hd_exact sum;
  if (at >= t->weigh.sums || is_zero(from + at * bytes, bytes)) return HEDDLE_OK;
  hd_exact_unpack(from + at * bytes, t->weigh.span, &sum);
  return hd_cpu_tally_exact_gain(t, at, &sum);
}

heddle_status hd_cpu_histogram_add(void *state, u64 seen, const u64 *counts, const void *sums) {
  struct hd_cpu_tally *t = state;
  const struct hd_weight_total *totals = sums;
  heddle_status status = HEDDLE_OK;
  hd_cpu_tally_gather(t);
  t->seen += seen;
  for (size_t i = 0; i < t->totals && !status; i++) {
    if (!t->weighted) {
      t->total[i] += counts[i];
      continue;
    }
    const struct hd_fixed none = {0, 0};
    struct hd_accumulator add = accumulator_of(t->weigh.exact ? none : totals[i].sum, counts[i]);
    hd_accumulator_merge(&t->worker->table[t->weigh.copies ? i << HD_WEIGH_SHIFT : i], &add);
    if (t->weigh.exact)
      status = add_exact(t, i, sums);
    else
      t->weigh.marks[i] |= (u8)totals[i].marks;
  }
  return status;
}

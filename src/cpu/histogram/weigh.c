/* weigh.c - weights into accumulators; see weigh.h
 *
 * Method   The ISA's kernel takes groups of finite weights. Weights of other groups, and integers
 *          beyond f64's precision, are taken one by one, with the same units as result.
 * Limits   marks are rare: one that is already there is not written again. */
#include "weigh.h"

/* At most HD_WEIGH_GROUP. */
static unsigned weigh_group(const struct hd_cpu_weigh *w, struct hd_accumulator *table,
                            const void *weights, const u32 *index, size_t n) {
  struct hd_fixed fixed[HD_WEIGH_GROUP];
  u8 marks[HD_WEIGH_GROUP];
  const unsigned shift = w->copies ? HD_WEIGH_SHIFT : 0;
  const size_t copy = w->copies ? HD_WEIGH_COPIES - 1 : 0;
  unsigned all = hd_fixed_weights(w->type, weights, n, w->exponent, fixed, marks);
  for (size_t i = 0; i < n; i++)
    hd_accumulator_add(&table[((size_t)index[i] << shift) + (i & copy)], fixed[i]);
  for (size_t i = 0; all && i < n; i++) {
    u8 *mark = &w->marks[index[i]];
    if (marks[i] & ~__atomic_load_n(mark, __ATOMIC_RELAXED))
      __atomic_fetch_or(mark, marks[i], __ATOMIC_RELAXED);
  }
  return all;
}

unsigned hd_cpu_weigh_block(const struct hd_cpu_weigh *w, struct hd_accumulator *table,
                            const void *weights, const u32 *index, size_t n) {
  const struct hd_cpu_weighing job = {w->scale, table, w->copies, w->whole};
  const char *bytes = weights;
  unsigned marks = 0;
  for (size_t i = 0; i < n;) {
    if (w->kernel) i += w->kernel(&job, bytes + i * w->bytes, index + i, n - i);
    if (i == n) break;
    size_t group = n - i < HD_WEIGH_GROUP ? n - i : HD_WEIGH_GROUP;
    marks |= weigh_group(w, table, bytes + i * w->bytes, index + i, group);
    i += group;
  }
  return marks;
}

void hd_cpu_weigh_carry(struct hd_accumulator *table, size_t accumulators) {
  for (size_t i = 0; i < accumulators; i++) hd_accumulator_carry(&table[i]);
}

void hd_cpu_weigh_merge(const struct hd_cpu_weigh *w, struct hd_accumulator *table,
                        struct hd_accumulator *other, size_t accumulators) {
  const size_t copies = w->copies ? HD_WEIGH_COPIES : 1;
  for (size_t i = 0; i < accumulators; i++, table += copies) {
    for (size_t k = 1; k < copies; k++) hd_accumulator_merge(table, table + k);
    for (size_t k = 0; other && k < copies; k++) hd_accumulator_merge(table, other++);
  }
}

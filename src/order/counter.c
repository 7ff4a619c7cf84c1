/* counter.c - trees of totals in memory, level by level or as they come
 *
 * Neighbours that lie side by side are merged a level of the tree at a time, so that an operator is
 * called once a level. The counter is order/blocks_tmpl.h on pointers to totals. */
#include "counter.h"

#include <assert.h>
#include <string.h>

heddle_status hd_totals_block(const struct hd_merge *merge, void *totals, u32 level,
                              const heddle_custom *custom) {
  heddle_status status = HEDDLE_OK;
  while (level-- > 0 && !status) status = merge->pairs(totals, (size_t)1 << level, custom);
  return status;
}

heddle_status hd_totals_prefix(const struct hd_merge *merge, void *totals, size_t n,
                               const heddle_custom *custom) {
  heddle_status status = HEDDLE_OK;
  unsigned char *at = totals;
  if (n == 2) return merge->combine(totals, at + merge->bytes, custom); /* a short array's time */
  for (size_t left = n; left && !status;) {
    const u32 level = hd_top_bit(left);
    status = hd_totals_block(merge, at, level, custom);
    if (left != n && !status) status = merge->combine(totals, at, custom);
    left ^= (size_t)1 << level;
    at += merge->bytes << level;
  }
  return status;
}

void hd_counter_start(struct hd_counter *counter, const struct hd_merge *merge,
                      const heddle_custom *custom, void *slots) {
  *counter = (struct hd_counter){merge, custom, 0, slots, HEDDLE_OK};
}

static inline unsigned char *slot_of(const struct hd_counter *counter, u32 level) {
  return counter->slot + (size_t)level * counter->merge->bytes;
}

static inline unsigned char *merged(struct hd_counter *counter, unsigned char *left,
                                    const unsigned char *right) {
  if (!counter->status) counter->status = counter->merge->combine(left, right, counter->custom);
  return left;
}

static inline void keep(const struct hd_counter *counter, u32 level, const unsigned char *total) {
  memmove(slot_of(counter, level), total, counter->merge->bytes);
}

#define BLOCKS_NAME counter
#define BLOCKS_COUNTER struct hd_counter
#define BLOCKS_T unsigned char *
#define BLOCKS_OP(k, a, b) merged(k, a, b)
#define BLOCKS_SLOT(k, i) slot_of(k, i)
#define BLOCKS_KEEP(k, i, t) keep(k, i, t)
#include "blocks_tmpl.h"

heddle_status hd_counter_push(struct hd_counter *counter, u32 level, void *total) {
  assert(counter->count >> level << level == counter->count);
  counter_push(counter, counter->count, level, total);
  counter->count += (u64)1 << level;
  return counter->status;
}

heddle_status hd_counter_prefix(const struct hd_counter *counter, void *out) {
  struct hd_counter k = *counter;
  if (!k.count) {
    k.merge->identity(out, k.custom);
    return k.status;
  }
  const u32 top = hd_top_bit(k.count);
  memcpy(out, slot_of(&k, top), k.merge->bytes);
  counter_onto(&k, k.count ^ (u64)1 << top, out);
  return k.status;
}

/* counter.h - totals in memory: trees of neighbours and the counter of aligned blocks (rules 3, 4)
 *
 * What an operator must give is the total of a chunk; all that lies above it is built here, for every
 * verb, type and operator of the CPU. Totals are of any size and in the form of order/total.h. */
#ifndef HEDDLE_ORDER_COUNTER_H
#define HEDDLE_ORDER_COUNTER_H

#include "blocks.h"
#include "types.h"

/* How totals become one. An operator of the caller's own gets `custom`; a status that is not
 * HEDDLE_OK ends the work. */
struct hd_merge {
  u32 bytes;       /* of a total */
  bool order_free; /* HD_TOTAL_IS_ORDER_FREE */
  /* totals[i] = totals[2 i] op totals[2 i + 1] for every i < n */
  heddle_status (*pairs)(void *totals, size_t n, const heddle_custom *custom);
  /* *acc = *acc op *right */
  heddle_status (*combine)(void *acc, const void *right, const heddle_custom *custom);
  /* A total t with t op x == x, to the bit. */
  void (*identity)(void *out, const heddle_custom *custom);
};

/* ---- totals side by side, which are spent ---------------------------------------------------- */

/* totals[0] = the total of the aligned block of 2^level totals (rule 3). */
heddle_status hd_totals_block(const struct hd_merge *merge, void *totals, u32 level,
                              const heddle_custom *custom);
/* totals[0] = the fold from the left of the aligned blocks that tile n > 0 totals, biggest first
 * (rule 4). */
heddle_status hd_totals_prefix(const struct hd_merge *merge, void *totals, size_t n,
                               const heddle_custom *custom);

/* ---- totals that come one after the other ------------------------------------------------------- */

enum { HD_COUNTER_SLOTS = 64 };

/* The totals of the aligned blocks that tile the items so far, one a set bit of their number. */
struct hd_counter {
  const struct hd_merge *merge;
  const heddle_custom *custom;
  u64 count;
  unsigned char *slot;  /* the caller's: HD_COUNTER_SLOTS totals */
  heddle_status status; /* the first that was not HEDDLE_OK */
};

void hd_counter_start(struct hd_counter *counter, const struct hd_merge *merge,
                      const heddle_custom *custom, void *slots);
/* Appends a block of 2^level items; counter->count is a multiple of that. *total is spent. */
heddle_status hd_counter_push(struct hd_counter *counter, u32 level, void *total);
/* *out = the prefix of all items: the identity if there is none. */
heddle_status hd_counter_prefix(const struct hd_counter *counter, void *out);

#endif

/* runs.h - parts of an array as totals of aligned blocks: what devices, hosts and states exchange
 * (rule 13)
 *
 * A run is neighbouring elements, counted from the array's start. It begins at a multiple of the
 * chunk, and so does the run behind it: only the last one may end with a short chunk. Its totals are
 * those of the aligned blocks that tile it, each the largest that begins where the last one ended: of
 * whole chunks first, then of a short chunk's elements (rule 5). Of kinds that are order-free a run
 * begins anywhere and has one total. No elements, no totals.
 *
 * Runs of neighbours merge into that of both, in any association: a block's total depends on its
 * elements alone. */
#ifndef HEDDLE_ORDER_RUNS_H
#define HEDDLE_ORDER_RUNS_H

#include "blocks.h"
#include "result.h"

struct hd_run {
  u64 first, count; /* elements */
};

enum { HD_RUN_TOTALS = 2 * 64 + 16 }; /* at most */

/* Elements of the run's next block, `left` of its elements being left from element `at` on. */
static inline u64 hd_run_block(u32 chunk, u64 at, u64 left) {
  if (left < chunk) return (u64)1 << hd_top_bit(left);
  return (u64)chunk << hd_block_level(at / chunk, left / chunk, 63);
}

/* How many totals a run has. */
static inline u32 hd_run_totals(bool order_free, u32 chunk, struct hd_run run) {
  u32 n = 0;
  if (order_free) return run.count > 0;
  for (u64 block; run.count; run.first += block, run.count -= block, n++)
    block = hd_run_block(chunk, run.first, run.count);
  return n;
}

/* What a run's totals are, and how two become one: `user` is combine's own. A status that is not
 * HEDDLE_OK ends the work. */
struct hd_run_form {
  u32 bytes; /* of a total */
  u32 chunk; /* elements; order_free: unread */
  bool order_free;
  heddle_status (*combine)(void *left, const void *right, void *user);
  void *user;
};

/* hd_total_merge as a form's combine; user: a struct hd_total_form. */
heddle_status hd_run_combine(void *left, const void *right, void *user);

/* totals[..] = those of left and right together, right being where left ends. totals may be
 * left_totals; it has room for the totals of both, side by side. */
heddle_status hd_runs_merge(const struct hd_run_form *form, struct hd_run left,
                            const void *left_totals, struct hd_run right, const void *right_totals,
                            void *totals);
/* *out = the fold of a run's totals from the left: of a run that begins at 0 the array's total. The
 * run has elements. */
heddle_status hd_runs_total(const struct hd_run_form *form, struct hd_run run, const void *totals,
                            void *out);

#endif

/* totals.h - totals of the pieces of an array in parts, and their merge */
#ifndef HEDDLE_PARTS_TOTALS_H
#define HEDDLE_PARTS_TOTALS_H

#include "cut.h"

struct hd_part_totals {
  heddle_context *ctx;
  const struct hd_fold *fold;
  const struct hd_parts *in;
  struct hd_fold_form form;
  struct hd_cut cut;
  u64 first; /* of the parts' elements, in the whole array */
  const void **x, **y,
      **where;            /* of each piece: its elements, and the operand that is some device's */
  unsigned char **totals; /* of each piece */
  unsigned char *memory;  /* seams' elements and totals, behind the arrays above */
  size_t bytes, array_bytes;
};

/* Of parts with elements, which begin at element `first` of an array, a multiple of the chunk. To be ended by
 * hd_part_totals_free, also after a failure. */
heddle_status hd_part_totals_make(heddle_context *ctx, const struct hd_fold *fold,
                                  const struct hd_parts *in, u64 first, struct hd_part_totals *w);
void hd_part_totals_free(struct hd_part_totals *w);

/* A piece's run as it lies in the whole array. */
static inline struct hd_run hd_part_run(const struct hd_part_totals *w, size_t i) {
  const struct hd_run run = w->cut.piece[i].run;
  return (struct hd_run){w->first + run.first, run.count};
}
/* *all and its totals gain piece i, which is behind them; totals has room for 2 * HD_RUN_TOTALS. */
heddle_status hd_part_totals_merge(const struct hd_part_totals *w, size_t i, struct hd_run *all,
                                   void *totals);

#endif

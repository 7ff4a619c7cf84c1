/* fold_args.h - what the host hands to the kernels that fold groups (kernels/base/args.h)
 *
 * A kernel's text includes order/device/total.h before. Addresses are u64, 0 where there is none. */
#ifndef HEDDLE_KERNELS_GROUPS_FOLD_ARGS_H
#define HEDDLE_KERNELS_GROUPS_FOLD_ARGS_H

#include "kernels/base/args.h"

#include "args.h"

/* fold.cu, pieces.cu, end.cu */
struct groups_fold_args {
  u64 x, order, offsets, out;
  u64 groups, width;
  u64 longs, owners; /* struct groups_long; u32 a piece: whose it is */
  u64 long_count, pieces;
  u64 slots;   /* a total a piece and column */
  f64 divisor; /* of a total, if HEDDLE_QUOTIENT */
  u32 bits;
  u32 has_init;
  u64 found; /* struct groups_found, which has the numbers of long groups and of pieces; 0: they are those here */
  struct total_ends ends;
};
HD_LAST_AT(struct groups_fold_args, ends, 14 * 8);

#endif

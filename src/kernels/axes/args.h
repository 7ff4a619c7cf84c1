/* args.h - what the host tells the kernels of histograms of several axes, the same text on both sides
 *
 * A point's slot of the grid is the sum of its bins on each axis times `apart`. Points that have none are
 * at the slot behind the grid's. */
#ifndef HEDDLE_KERNELS_AXES_ARGS_H
#define HEDDLE_KERNELS_AXES_ARGS_H

#include "kernels/histogram/args.h"

#define HD_AXES_MOST 8

struct axis_args {
  struct hist_slots find;
  u64 column;   /* of the launch's first point */
  i64 stride;   /* elements between its points, unless HEDDLE_PACKED */
  u32 apart;    /* slots of the grid between neighbouring bins */
  u32 strategy; /* HD_STRATEGY_MIXED: HD_STRATEGY_ of this axis */
  u64 packed;   /* HD_STRATEGY_BUCKETS: the words of its buckets, as in hist_args */
  u32 table;    /* and where in shared memory they are to lie, in words behind the counters */
};

struct axes_args {
  struct hist_args count; /* of the grid, as of integer bins that count slots */
  struct axis_args axis[HD_AXES_MOST];
  u64 outside; /* u64[3] an axis: points below, above, and NaN on it; or 0 */
  u64 slots;   /* HD_WHERE_SLOTS: u32 a point */
};

/* Of squares.cu. */
struct squares_args {
  u64 in, count;
  u64 out;      /* f64[count] */
  u64 range;    /* f64[3] of range.cu: the second is the greatest magnitude; or 0 */
  u64 exponent; /* i32 */
};

#endif

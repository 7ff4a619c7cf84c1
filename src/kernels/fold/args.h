/* args.h - what the host hands to the kernels of folds: one struct a kernel, the same text on both
 * sides (kernels/base/args.h) */
#ifndef HEDDLE_KERNELS_FOLD_ARGS_H
#define HEDDLE_KERNELS_FOLD_ARGS_H

#include "kernels/base/args.h"

/* Of single_block.cu, which has no blocks, groups or slots, of one_wave.cu and one_pass.cu. */
struct fold_args {
  HD_ADDRESS(const element) x; /* chunk `from`; the tail lies behind the chunks */
  HD_ADDRESS(const element) y; /* the same of a dot's other array */
  u64 from, to;                /* chunks: those before `from` are in slots_in */
  HD_ADDRESS(const total) slots_in;
  HD_ADDRESS(total) slots_out; /* of chunks, then of the tail; else there is a result */
  HD_ADDRESS(void) partials;   /* kernels/base/block_partials.h: these two */
  HD_ADDRESS(u32) ticket;
  HD_ADDRESS(void) out; /* the result */
  f64 divisor;          /* of the total, if HEDDLE_QUOTIENT; of a figure its ddof */
  u32 tail;             /* elements behind the chunks */
  u16 level;            /* a group has 2^level chunks */
  u16 per_block;        /* groups of a block */
  u16 has_init;         /* ends.init is folded in from the left */
  u16 figure;           /* HD_FIGURE_MEAN .. of order/moments.h */
  i32 out_type;         /* the result's */
  struct total_ends ends;
};

/* Of order_free.cu. */
struct fold_order_free_args {
  HD_ADDRESS(const element) x;
  HD_ADDRESS(const element) y;
  u64 count;                      /* elements */
  u64 span;                       /* vectors of 16 bytes of a block */
  u64 seen;                       /* elements of earlier calls, and so the index of x[0] */
  HD_ADDRESS(const total) before; /* the total of those, or none */
  HD_ADDRESS(total) after;        /* of an update of a state; else there is a result */
  HD_ADDRESS(void) partials;
  HD_ADDRESS(u32) ticket;
  HD_ADDRESS(void) out;
  HD_ADDRESS(u64) index; /* of an argreduce */
  HD_ADDRESS(u64) fault;
  f64 divisor;
  u16 head; /* elements before the first multiple of 16 bytes */
  u16 has_init;
  i32 out_type;
  struct total_ends ends;
};

/* Of merge.cu. A total is known by its place: inputs come first, then what the steps make. */
enum {
  FOLD_MERGE_INPUTS = 288,
  FOLD_MERGE_OUTPUTS = 144
}; /* at most; steps are fewer than inputs */
struct fold_merge_args {
  HD_ADDRESS(total) item; /* the inputs, and room for a total a step */
  HD_ADDRESS(void) out;   /* totals side by side, at any address */
  u32 inputs, steps, outputs, unused;
  u16 output[FOLD_MERGE_OUTPUTS]; /* which items are given */
  struct fold_merge_step {
    u16 left, right;
  } step[FOLD_MERGE_INPUTS];
};

HD_LAST_AT(struct fold_args, ends, 12 * 8);
HD_LAST_AT(struct fold_order_free_args, ends, 14 * 8);
HD_LAST_AT(struct fold_merge_args, step, 4 * 8 + 2 * FOLD_MERGE_OUTPUTS);

#endif

/* args.h - what the host hands to the kernels of select and runs: a struct laid out alike by both
 *
 * Needs u32 and u64 of kernels/base/device.h or of order/types.h. Addresses are u64, 0 where there is none. */
#ifndef HEDDLE_KERNELS_SELECT_ARGS_H
#define HEDDLE_KERNELS_SELECT_ARGS_H

/* Bits of an element to a key, an unsigned number in the order of elements; those selected are an interval of
 * keys, or what is outside of one (flags.h). */
struct select_test {
  u64 flip;      /* of integers */
  u64 low, span; /* keys low to low + span */
  u64 invert;    /* 1: the others */
  u64 infinity;  /* runs of floats: its bits */
};

enum { SELECT_LEVELS = 5 }; /* of nodes: 32 to the power of that, at most, are a launch's tiles */

struct select_args {
  struct select_test test;
  u64 of;        /* elements that are tested, or whose runs are found */
  u64 in, out;   /* elements of HEDDLE_VALUE_BYTES */
  u64 positions; /* of HEDDLE_POSITIONS bytes */
  u64 count;     /* elements at `of`; compact.cu: fewer than 2^31 */
  u64 first;     /* elements before them */
  u64 left;      /* runs: the element before the first one */
  u64 before;    /* u64: how many of those before are selected; none: 0 */
  u64 total;     /* u64: where that goes, with these */
  u64 all;       /* partition, u64: how many are selected of everything */
  u64 ticket;    /* kernels/base/tickets.h: HD_REGION_SCAN; count.cu: struct select_work */
  u64 nodes;     /* tagged words */
  u64 words;     /* of 8 bytes at nodes, in all */
  u32 tiles;
  u32 drawers;              /* blocks */
  u32 ends;                 /* runs: nothing comes behind them; the end is a position, too */
  u32 level[SELECT_LEVELS]; /* where words of nodes of 32^k tiles begin */
};

/* Of count.cu, zero between launches. */
struct select_work {
  u64 sum, done;
};

enum { SELECT_ARGS_BYTES = 5 * 8 + 13 * 8 + 3 * 4 + SELECT_LEVELS * 4 };

#endif

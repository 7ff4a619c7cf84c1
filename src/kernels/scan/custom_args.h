/* custom_args.h - what the host hands to the kernels of scans by an operator of the caller's: one
 * struct for all four, the same text on both sides (kernels/base/args.h) */
#ifndef HEDDLE_KERNELS_SCAN_CUSTOM_ARGS_H
#define HEDDLE_KERNELS_SCAN_CUSTOM_ARGS_H

#include "kernels/base/args.h"

enum { CUSTOM_LEVELS = 40 }; /* of aligned blocks: 2^40 chunks are more than an address space */

struct scan_custom_args {
  HD_ADDRESS(const element) in;   /* what follows the held elements */
  HD_ADDRESS(const element) head; /* the first chunk, where held elements begin it; or none */
  HD_ADDRESS(element) out;
  HD_ADDRESS(const total) slots; /* of what came before (kernels/base/carry_slots.h) */
  HD_ADDRESS(total) tree;        /* aligned blocks of 2^k chunks from starts[k] on */
  HD_ADDRESS(const total) below; /* heddle_scan_custom_level: the level that it reads, */
  HD_ADDRESS(total) above;       /* and the one that it writes */
  HD_ADDRESS(total) prefix;      /* before each chunk, and behind the last full one */
  u64 count;                     /* elements at `in` */
  u64 first;                     /* chunks before the piece */
  u64 full;                      /* full chunks of the piece */
  u32 held;                      /* elements that came before and belong to the first chunk */
  u32 level;                     /* of `above` */
  u64 starts[CUSTOM_LEVELS];
  struct total_ends ends;
};

HD_LAST_AT(struct scan_custom_args, ends, 12 * 8 + CUSTOM_LEVELS * 8);

#endif

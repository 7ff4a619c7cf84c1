/* args.h - what the host hands to the kernels of search, gather and unique: structs laid out alike by both
 *
 * Needs u32 and u64 of kernels/base/device.h or of order/types.h. Addresses are u64, 0 where there is none. */
#ifndef HEDDLE_KERNELS_SEARCH_ARGS_H
#define HEDDLE_KERNELS_SEARCH_ARGS_H

#include "kernels/sort/args.h"

/* search.cu: a tree of 2^levels - 1 nodes, in its order every 2^shift-th element of the table; buckets.cu: so
 * many buckets. */
enum { SEARCH_HEAD = 128 }; /* bytes of shared memory before the buckets' table */
struct search_args {
  struct sort_map map;
  u64 sorted, sorted_count;
  u64 values, index, count;
  u32 levels, top; /* top: levels whose nodes each lane has for itself */
  u32 shift, buckets;
};

/* gather.cu: rows of so many units, each cut into parts. */
struct gather_args {
  u64 in, in_count;
  u64 index, count, first; /* first: the number of the first position, for a message */
  u64 out;
  u64 units, parts, part_units;
  u64 fault;
};

/* unique.cu */
enum { UNIQUE_THREADS = 256, UNIQUE_ITEMS = 16, UNIQUE_TILE = UNIQUE_THREADS * UNIQUE_ITEMS };
enum { UNIQUE_ZERO, UNIQUE_NAN, UNIQUE_SPECIALS };
struct unique_args {
  struct sort_map map;
  u64 in;             /* as the caller has it */
  u64 keys, position; /* sorted elements; which ones they are, or 0 */
  u64 count;
  u64 masks;    /* a bit an element: a value begins there */
  u64 heads;    /* u32 a tile: how many of them */
  u64 starts;   /* u64 a tile, and one more: values before it */
  u64 specials; /* UNIQUE_SPECIALS words: ~ the first position of a zero and of a NaN, or 0 */
  u64 values, counts, first, inverse, found; /* results, or 0 */
};

#ifdef __CUDACC_RTC__
static_assert(sizeof(struct search_args) == 80 && sizeof(struct gather_args) == 80 &&
                  sizeof(struct unique_args) == 128,
              "no gaps");
#else
_Static_assert(sizeof(struct search_args) == 80 && sizeof(struct gather_args) == 80 &&
                   sizeof(struct unique_args) == 128,
               "no gaps");
#endif

#endif

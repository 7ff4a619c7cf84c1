/* args.h - what the host hands to the kernels of order statistics: structs laid out alike by both
 *
 * Needs u32, u64 and f64 of kernels/base/device.h or of order/types.h. Addresses are u64, 0 where there is
 * none. Keys are those of kernels/sort/key.h, as u64. */
#ifndef HEDDLE_KERNELS_RANK_ARGS_H
#define HEDDLE_KERNELS_RANK_ARGS_H

#include "kernels/sort/args.h"

enum {
  RANK_SLOTS = 8,    /* intervals of one read */
  RANK_TAKEN = 4,    /* batches of a tile of take.cu */
  RANK_FINDERS = 16, /* elements that are looked for: of a quantile two */
  RANK_BINS = 2048,  /* of a narrowing pass */
  RANK_BIN_BITS = 11,
  RANK_SMALL = 8192,        /* elements that one block finishes */
  RANK_LEAST = 2048,        /* elements that a block sorts */
  RANK_PICKED = 256,        /* results of a row and launch of pick.cu, shares of one of weigh.cu */
  RANK_WEIGHED = 2048,      /* weights of a sum of the lowest level */
  RANK_NODES = 64,          /* sums of a sum of the next one */
  RANK_LEVELS = 8,          /* at most: RANK_WEIGHED * RANK_NODES^7 weights */
  RANK_ROW = 1 << 16,       /* elements of a row that a warp weighs alone, at most */
  RANK_NOTHING = 0x7fffffff /* a number of samples that none is at */
};

/* An interval of keys around a wanted rank, and what one read of the array counts. Counted in groups that follow
 * each other: below low, low, first, middle, the rest of inside, high. */
struct rank_slot {
  u64 low, middle, high;    /* keys of the sample */
  u64 below;                /* elements whose keys are below low */
  u64 lows, middles, highs; /* that have these keys; each is counted once, as the first of them */
  u64 first;                /* between low and middle */
  u64 inside; /* between low and high, but for middle: as many are kept, if there is room */
};

enum { RANK_KEPT, RANK_ARRAY }; /* where a finder looks */

/* Some element of the array by its rank: its key is one of low to high. */
struct rank_finder {
  u64 rank;
  u64 low, high;
  u64 below; /* elements of the array whose keys are below low */
  u64 count; /* those from low to high, if it is known; else of the whole array */
  u32 source, slot;
  u32 done;   /* low is the key */
  u32 small;  /* keys that were collected */
  u32 leader; /* the finder for which they were (finish.cu) */
  u32 nothing;
};

/* Zero before. */
struct rank_state {
  u64 nans;   /* elements beyond the greatest number */
  u32 blocks; /* of the launch that are done */
  u32 open;   /* finders that are not done */
  u32 kept;   /* of these, such that look among what is kept */
  u32 passes; /* over the array, beyond the first read */
  u64 sieved; /* elements that a sieve has found */
  u32 missed; /* it has kept too few, or had no room */
  u32 free;
  u64 nothing[3];
  struct rank_slot slot[RANK_SLOTS];
  struct rank_finder finder[RANK_FINDERS];
};

/* What all kernels of a search take. */
struct rank_args {
  struct sort_map map;
  u64 in, count;
  u64 most;    /* the greatest key that is looked for; greater ones are NaN */
  u64 state;   /* struct rank_state */
  u64 bins;    /* u64, RANK_BINS a finder, zero before and after */
  u64 samples; /* keys */
  u64 kept;    /* keys, `room` a slot */
  u64 small;   /* keys, RANK_SMALL a finder */
  u64 room;
  u64 out; /* result.cu */
  u64 fault;
  u64 starts;         /* result.cu: elements below each key */
  u32 sampled;        /* samples: a power of two */
  u32 slots, finders; /* finders: one a slot, or two */
  u32 source;         /* narrow.cu: RANK_KEPT or RANK_ARRAY */
  u32 method;         /* of quantiles */
  u32 skip;           /* NaN are absent */
  u32 ties;           /* result.cu: both zeros are equal, and all NaN */
  u32 nothing;
  u64 rank[RANK_SLOTS];  /* or, of quantiles, none */
  f64 share[RANK_SLOTS]; /* of the elements that are looked among */
};

/* pick.cu: results of sorted rows. */
struct rank_pick_args {
  struct sort_map map;
  u64 sorted; /* elements, from that of number `first` on */
  u64 out;
  u64 offsets; /* of segments; 0: rows of `length` */
  u64 first, rows, length;
  u64 each;  /* results of a row */
  u64 at;    /* the first of this launch */
  u64 fault; /* of an array: nothing but NaN is one */
  u32 count; /* of this launch */
  u32 method, skip;
  u32 nothing;
  union {
    u64 rank[RANK_PICKED];
    f64 share[RANK_PICKED];
  } wanted;
};

/* firsts.cu: the first k elements of rows by their positions. */
struct rank_firsts_args {
  u64 in;       /* elements, from that of number `first` on */
  u64 position; /* from the row's start, as `in` */
  u64 out, index;
  u64 offsets; /* of segments; 0: rows of `length` */
  u64 first, rows, length;
  u64 k;
};

/* top.cu: as firsts.cu, without positions. */
struct rank_top_args {
  struct sort_map map;
  u64 in, out, index, offsets, first, rows, length, k;
};

/* take.cu: elements up to a finder's key, with their positions. */
struct rank_take_args {
  struct sort_map map;
  u64 in, count;
  u64 state;           /* its finder 0 */
  u64 told;            /* a word a tile, zero before */
  u64 ticket;          /* u32, zero before */
  u64 keys, positions; /* HEDDLE_SIEVED: keys with positions below them, and 0 */
  u64 k;
};

/* sieve.cu, least.cu: kept are u64, the positions below the keys; out may be 0. */
struct rank_sieve_args {
  struct rank_args search;
  u64 index; /* positions, or 0 */
  u64 k;
};

/* Zero before. */
struct rank_weigh_state {
  u64 bad;     /* the complement of the position of the first weight that is none; 0: all are */
  u64 numbers; /* elements that are not NaN, the first in order */
};

/* weigh.cu: the positions, in sorted order, up to which weights reach shares of their sum. */
struct rank_weigh_args {
  u64 weights; /* as they were given, or in the order of elements */
  u64 count;
  u64 state;
  u64 sums
      [RANK_LEVELS]; /* limbs of sums; above the lowest level they are running ones of RANK_NODES each */
  u64 at;            /* u64 a share; all ones: there is none */
  u64 fault;
  u32 levels;
  u32 level; /* whose sums are added up in this launch */
  u32 shares, skip;
  u32 row; /* no sum is no fault */
  u32 nothing;
  f64 share[RANK_PICKED];
};

/* weighed.cu: the elements that have been sorted with weights. */
struct rank_weighed_args {
  u64 sorted, count, state;
  u64 at, out;
  u64 infinity; /* bits of it */
  u64 fault;
  u64 shares;
};

/* weigh.cu and weighed.cu: rows that have been sorted with their weights, but for those of more than RANK_ROW. */
struct rank_weigh_rows_args {
  u64 weights, sorted; /* from the element of number `first` on */
  u64 offsets;         /* of segments; 0: rows of `length` */
  u64 first, rows, length;
  u64 numbers; /* u64 a row: elements that are not NaN, the first in order */
  u64 at;      /* u64 a share of each row: its element; all ones: there is none */
  u64 out;
  u64 state, fault;
  u64 infinity; /* bits of it */
  u64 each;     /* results of a row */
  u64 done;     /* the first of this launch */
  u32 shares, skip;
  f64 share[RANK_PICKED];
};

/* Both compilers lay these out so. */
static_assert(sizeof(struct rank_slot) == 72 && sizeof(struct rank_finder) == 64, "no gaps");
static_assert(sizeof(struct rank_state) == 64 + RANK_SLOTS * 72 + RANK_FINDERS * 64, "no gaps");
static_assert(sizeof(struct rank_args) == 24 + 12 * 8 + 32 + 16 * RANK_SLOTS, "no gaps");
static_assert(sizeof(struct rank_sieve_args) == sizeof(struct rank_args) + 16, "no gaps");
static_assert(sizeof(struct rank_pick_args) == 24 + 9 * 8 + 16 + 8 * RANK_PICKED, "no gaps");
static_assert(sizeof(struct rank_top_args) == 88, "no gaps");
static_assert(sizeof(struct rank_firsts_args) == 72 && sizeof(struct rank_take_args) == 88,
              "no gaps");
static_assert(sizeof(struct rank_weigh_rows_args) == 15 * 8 + 8 * RANK_PICKED, "no gaps");
static_assert(sizeof(struct rank_weigh_args) == 24 + 8 * RANK_LEVELS + 40 + 8 * RANK_PICKED &&
                  sizeof(struct rank_weighed_args) == 64,
              "no gaps");

#endif

/* args.h - what the host hands to the kernels of groups: structs laid out alike by both
 *
 * Needs u32 and u64 of kernels/base/device.h or of order/types.h. Addresses are u64, 0 where there is none. */
#ifndef HEDDLE_KERNELS_GROUPS_ARGS_H
#define HEDDLE_KERNELS_GROUPS_ARGS_H

enum {
  GROUPS_LONG = 256,      /* rows of a group that is cut into pieces */
  GROUPS_PIECE_LEAST = 5, /* pieces have 2^5 rows or more */
  GROUPS_PIECE_MOST = 16, /* 2^16 or fewer */
  GROUPS_TOGETHER = 4,    /* short groups of a thread of fold.cu at once */
  GROUPS_TILE = 1024      /* ids that a block looks at */
};

/* What is known of the ids; zero before. */
struct groups_found {
  u64 bad;      /* ~ the first position of an id that there is no group for, or 0 */
  u64 unsorted; /* some id is below the one before it */
  u64 listed;   /* groups of GROUPS_LONG rows or more * 2^32 + their pieces */
  u64 unused;
};

/* A long group: its pieces are 2^bits rows each, then what is left over, 2^GROUPS_PIECE_LEAST rows and more, biggest
 * first. */
struct groups_long {
  u64 group, start, length;
  u32 first, pieces; /* pieces are counted through all groups */
};

/* ids.cu, offsets.cu */
struct groups_make_args {
  u64 ids, count, groups;
  u64 narrow; /* ids as u32; or 0 */
  u64 found;  /* struct groups_found */
  u64 keys;   /* ids in order */
  u64 offsets, longs, owners;
  u64 fault; /* or 0: the host reads `found` */
  u64 mask;  /* of ids that are told apart: others than these may be there if nobody waited */
  u32 bits;  /* pieces of long groups have 2^bits rows */
  u32 unused;
};

/* columns.cu: columns of rows, group after group, one behind the other; and back. */
struct groups_columns_args {
  u64 in, order, count;
  u64 out; /* columns: `count` elements each */
  u64 width, first, columns;
  u64 offsets, groups;
  u64 offsets_out; /* of all columns */
};

#ifdef __CUDACC_RTC__
static_assert(sizeof(struct groups_long) == 32 && sizeof(struct groups_make_args) == 96 &&
                  sizeof(struct groups_columns_args) == 80,
              "no gaps");
#else
_Static_assert(sizeof(struct groups_long) == 32 && sizeof(struct groups_make_args) == 96 &&
                   sizeof(struct groups_columns_args) == 80,
               "no gaps");
#endif

#endif

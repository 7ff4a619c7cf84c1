/* args.h - what the host hands to the kernels of rows: one struct a kernel, the same text on both
 * sides (kernels/base/args.h) */
#ifndef HEDDLE_KERNELS_ROWS_ARGS_H
#define HEDDLE_KERNELS_ROWS_ARGS_H

#include "kernels/base/args.h"

enum {
  ROW_DIMS = 31,
  ROW_LIST = 32768, /* folds: entries and pieces of long rows */
  SCAN_LIST = 8192, /* scans, whose pieces look at all before them */
  ROW_SHOWN = 32768 /* folds: words from row_work on, one a piece, set while it may be taken */
};

/* Where rows are. */
struct row_view {
  HD_ADDRESS(const u64) offsets; /* segments: rows + 1 */
  union {
    u64 first;                   /* axis: the number of the first row */
    HD_ADDRESS(const u64) count; /* segments that the device has counted; rows: at most */
  };
  u64 rows;
  u64 length; /* axis: of every row */
  u64 dims;   /* axis: the other ones, innermost first, at least one */
  u64 shape[ROW_DIMS];
  i64 stride[ROW_DIMS];
};

/* Elements start, start + step, .. of x, and of y for a dot. */
struct row_source {
  HD_ADDRESS(const element) x;
  HD_ADDRESS(const element) y;
  i64 step;
};

struct row_out {
  HD_ADDRESS(void) value; /* argreduce: may be none; describe: struct hd_description */
  HD_ADDRESS(u64) index;
  u32 type;     /* numbers: of the result */
  u16 has_init; /* ends.init is folded in from the left */
  u16 figure;   /* HD_FIGURE_MEAN .. of order/moments.h */
  f64 divisor;  /* of a total, if HEDDLE_QUOTIENT; of a figure its ddof */
};

/* ---- long rows among ragged ones ------------------------------------------------------------- */

/* All zero between calls. */
struct row_work {
  u64 ticket;  /* batches of rows, or row_take of them */
  u64 through; /* batches whose long rows are listed; scans: and the others done */
  u64 listed;  /* long rows * 2^32 + their pieces */
  u64 piece;   /* ticket of pieces */
  u64 bad;     /* ~i, the greatest: offsets[i] is wrong */
  u64 done;    /* blocks that have nothing left */
  u64 totals;  /* scans: pieces whose totals are in their slots */
  u64 sweep;   /* scans: ticket of pieces once more */
};

struct row_entry {
  u64 row;
  u32 first, pieces; /* slots are counted by pieces */
  u32 done, unused;  /* pieces that are in their slots */
};

/* Folds: what a block needs to begin with a piece. */
struct row_piece {
  u64 start;  /* its first element */
  u32 entry;  /* of its row; ROW_LIST: there was no room, and it is none */
  u16 pieces; /* of its row; 0: the row is folded by one block */
  u16 level;  /* a piece has 2^level chunks */
};

/* ---- folds ----------------------------------------------------------------------------------- */

struct row_fold {
  struct row_view view;
  struct row_source from;
  struct row_out out;
};

/* strided.cu, a warp for some rows. */
struct rows_per_warp_args {
  struct row_fold fold;
  u64 rows; /* of a warp */
  u64 unused;
  struct total_ends ends;
};

/* strided.cu, a block or more for a row; columns.cu, a thread for a row or a part of it;
 * column_blocks.cu. */
struct rows_parts_args {
  struct row_fold fold;
  HD_ADDRESS(total) slots;
  HD_ADDRESS(u32) counters; /* of each row or group of rows, zero before and after */
  u64 parts;                /* of each row, 2^level chunks each; 0: rows are not cut */
  u64 level;
  struct total_ends ends;
};

/* short.cu */
struct rows_short_args {
  struct row_fold fold;
  u32 pitch; /* of a row's totals in shared memory */
  u32 cut; /* the least number with i * cut >> CUT_BITS == i / length for all elements of a tile */
  u64 unused;
  struct total_ends ends;
};

/* segments.cu */
struct rows_segments_args {
  struct row_fold fold;
  HD_ADDRESS(struct row_work) work;
  HD_ADDRESS(struct row_entry) list;
  HD_ADDRESS(struct row_piece) pieces;
  HD_ADDRESS(total) slots;
  HD_ADDRESS(u64) fault;
  u64 unused;
  struct total_ends ends;
};

/* ---- scans ----------------------------------------------------------------------------------- */

struct row_sink {
  HD_ADDRESS(void) out; /* of elements of HEDDLE_OUT */
  i64 step;
  u64 has_init;
};

struct scan_row {
  struct row_source from;
  struct row_sink to;
  struct total_ends ends;
};

/* scan.cu, rows along an axis. */
struct scan_rows_args {
  struct row_view view, to;
  HD_ADDRESS(total) slots;
  u64 pieces; /* of each row, 2^level chunks each */
  u64 level;
  u64 unused;
  struct scan_row row;
};

/* scan.cu, segments. */
struct scan_segments_args {
  struct row_view view;
  HD_ADDRESS(struct row_work) work;
  HD_ADDRESS(struct row_entry) list;
  HD_ADDRESS(u32) owner;
  HD_ADDRESS(total) slots;
  HD_ADDRESS(u64) fault;
  struct scan_row row;
};

enum { ROW_VIEW_BYTES = 8 * (5 + 2 * ROW_DIMS), ROW_FOLD_BYTES = ROW_VIEW_BYTES + 8 * 7 };
HD_LAST_AT(struct rows_per_warp_args, ends, ROW_FOLD_BYTES + 2 * 8);
HD_LAST_AT(struct rows_parts_args, ends, ROW_FOLD_BYTES + 4 * 8);
HD_LAST_AT(struct rows_short_args, ends, ROW_FOLD_BYTES + 2 * 8);
HD_LAST_AT(struct rows_segments_args, ends, ROW_FOLD_BYTES + 6 * 8);
HD_LAST_AT(struct scan_row, ends, 6 * 8);
HD_LAST_AT(struct scan_rows_args, row, 2 * ROW_VIEW_BYTES + 4 * 8);
HD_LAST_AT(struct scan_segments_args, row, ROW_VIEW_BYTES + 5 * 8);

#endif

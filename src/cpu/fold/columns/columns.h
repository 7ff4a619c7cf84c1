/* columns.h - rows whose neighbours lie one element apart: the strategy of cpu/fold/rows/rows.c for them */
#ifndef HEDDLE_CPU_FOLD_COLUMNS_H
#define HEDDLE_CPU_FOLD_COLUMNS_H

#include "cpu/fold/fold.h"
#include "cpu/rows.h"

/* A checked call of one result a row. */
struct hd_cpu_rows_call {
  const struct hd_fold *fold;
  struct hd_cpu_row_walk walk;
  const char *x, *y; /* y is NULL but for dot */
  struct hd_fold_out out;
  size_t out_bytes;
};

struct hd_cpu_columns_plan {
  u64 length; /* lines */
  u64 run;    /* rows that strips are cut from: a run of neighbours, or several together */
  u64 group;  /* rows without a gap among these, with one behind them; `run`: there is none */
  i64 pitch;  /* elements from one group to the next */
  u64 strips, units; /* strips of a run, and of all runs */
  u64 blocks;        /* of 2^level chunks that threads total first, a strip; 0: none */
  u32 level;
  size_t strip_bytes;  /* of the accumulators of the widest strip */
  size_t slots, lanes; /* strips in scratch */
  size_t
      copy_bytes; /* of lines whose columns do not fill a vector or are gathered, of x and of y */
  bool
      gathered; /* columns that are no neighbours, or fewer than a vector and not line behind line */
  size_t
      apart; /* elements from column to column that are folded with what lies between; 1: nothing does */
  size_t threads;
};

/* Whether the kernel has a vertical form, and the rows are neighbours that fill a vector of it, or that lie
 * line behind line, or have neighbours nearer than their own elements, which are gathered. */
bool hd_cpu_fold_is_columns(const struct hd_cpu_fold_kernel *kernel,
                            const struct hd_cpu_row_walk *walk);
/* The same of short runs that are folded with the gaps between them. */
bool hd_cpu_fold_is_together(const struct hd_cpu_fold_kernel *kernel,
                             const struct hd_cpu_row_walk *walk);
struct hd_cpu_columns_plan hd_cpu_fold_columns_plan(const heddle_context *ctx,
                                                    const struct hd_cpu_fold_kernel *kernel,
                                                    const struct hd_cpu_row_walk *walk);
/* Every result of such a call. */
heddle_status hd_cpu_fold_columns(heddle_context *ctx, const struct hd_cpu_rows_call *call,
                                  const struct hd_cpu_fold_kernel *kernel,
                                  struct hd_cancellation *token);

/* out[i] = the result of accumulator i of n neighbouring columns, of `count` > 0 elements each
 * (results.c); accumulators, of which there are at least a vector, are in the form of struct hd_cpu_fold_columns. */
heddle_status hd_cpu_fold_results(const struct hd_fold *fold,
                                  const struct hd_cpu_fold_kernel *kernel, const void *accumulators,
                                  size_t n, u64 count, void *out);

#endif

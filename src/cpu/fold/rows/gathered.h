/* gathered.h - strided rows that are gathered piece by piece: the strategy of cpu/fold/rows/rows.c for what no
 * other takes */
#ifndef HEDDLE_CPU_FOLD_GATHERED_H
#define HEDDLE_CPU_FOLD_GATHERED_H

#include "cpu/fold/fold.h"

/* Neighbouring rows of one length. */
struct hd_cpu_gathered {
  const struct hd_fold *fold;
  const struct hd_cpu_fold_kernel *kernel;
  hd_cpu_gather_kernel *gather; /* NULL: for elements of no such size */
  const char *x, *y;            /* the first row's first element; y is NULL but for dot */
  i64 step, apart;              /* elements from one to the next of a row, and from row to row */
  u64 length;
  size_t rows; /* at most hd_cpu_fold_gathered_rows */
  unsigned char *scratch;
  struct hd_cancellation *token;
  struct hd_fold_out out; /* of the first row */
  size_t out_bytes;
};

/* Rows that are gathered at once. */
size_t hd_cpu_fold_gathered_rows(const struct hd_cpu_fold_kernel *kernel);
/* Bytes of scratch for these, of 64-byte alignment. */
size_t hd_cpu_fold_gathered_bytes(const struct hd_cpu_fold_kernel *kernel, bool is_dot);
heddle_status hd_cpu_fold_gathered(const struct hd_cpu_gathered *g);

#endif

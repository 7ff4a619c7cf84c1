/* strip.h - neighbouring columns on their way down the lines, in order v1 */
#ifndef HEDDLE_CPU_FOLD_COLUMNS_STRIP_H
#define HEDDLE_CPU_FOLD_COLUMNS_STRIP_H

#include "cpu/fold/fold.h"

/* Lines that a kernel folds at once: a leaf of a short chunk's tree, half of a lane. */
enum { HD_STRIP_LINES = 8 };

struct hd_cpu_column_strip {
  const struct hd_cpu_fold_kernel *kernel;
  const char *x, *y;   /* the next line; y is x but for dot */
  i64 pitch;           /* bytes between lines */
  u64 row;             /* of the first column */
  size_t results;      /* columns */
  size_t width, bytes; /* the same, at least a vector; bytes of their accumulators */
  /* Lines from x on of which a vector may be read: of columns fewer than a vector, others lie between. */
  u64 whole;
  char *copy[2]; /* where the lines behind those go, of x and y */
  /* Columns `step` elements apart go through copy, at most HD_STRIP_LINES lines at a time; NULL: they are
   * neighbours. */
  hd_cpu_gather_kernel *gather;
  i64 step;
  bool any; /* acc holds the total of what lies above */
  unsigned char *acc, *spare, *slots, *lanes;
  struct hd_cancellation *token;
};

/* Totals of the blocks of 2^level chunks that lie above a strip, `apart` bytes from each other. */
struct hd_cpu_strip_blocks {
  u64 count;
  u32 level;
  size_t apart;
  unsigned char *totals;
};

/* Leaves n lines out. */
static inline void hd_cpu_strip_advance(struct hd_cpu_column_strip *s, u64 n) {
  s->x += (i64)n * s->pitch;
  s->y += (i64)n * s->pitch;
  s->whole = s->whole > n ? s->whole - n : 0;
}

/* acc = the total of the blocks above, which are spent, and of the next n lines. False: cancelled. */
bool hd_cpu_strip_fold(struct hd_cpu_column_strip *s, u64 n,
                       const struct hd_cpu_strip_blocks *above);

/* The accumulators of `width` columns of 0 < n lines, fewer than a chunk; they lie in scratch, which is
 * of hd_cpu_strip_scratch bytes. width is at least a vector. */
const void *hd_cpu_strip_of_lines(const struct hd_cpu_fold_kernel *kernel, const void *x,
                                  const void *y, i64 pitch, size_t n, size_t width, void *scratch);
size_t hd_cpu_strip_scratch(const struct hd_cpu_fold_kernel *kernel, size_t width);

#endif

/* kernels.h - the tables that each ISA object exports: one struct hd_cpu_kernels
 *
 * A fold kernel knows three sizes: the element, the total, and the chunk. Totals travel through
 * memory, so that reduce, dot, argmin, describe and custom operators share one engine
 * (cpu/fold/fold.c). */
#ifndef HEDDLE_CPU_ISA_KERNELS_H
#define HEDDLE_CPU_ISA_KERNELS_H

#include "api/backend.h"
#include "cpu/exact/kernels.h"
#include "cpu/histogram/kernels.h"
#include "cpu/rank/kernels.h"
#include "cpu/scan/kernels.h"
#include "cpu/sort/kernels.h"
#include "order/counter.h"
#include "order/total.h"

/* What the macro x stands for, as text. */
#define HD_TEXT(x) HD_TEXT_(x)
#define HD_TEXT_(x) #x

enum {
  HD_APART_MOST = 4,
  HD_TOTAL_BYTES_MOST = 72, /* of a built-in kernel's total: struct hd_moments */
  HD_MAX_CUSTOM_BYTES = 4096
};

/* The same order down the columns of lines, for a strip of neighbouring columns at once. A line holds an
 * element of each column, the next is `pitch` bytes on. Of a kernel that is not dot's, y is x. */
struct hd_cpu_fold_columns {
  u32 bytes; /* of an accumulator: of a sum or product its total, of a float's extreme a value or a key, else
                an element or a mask */
  u32 least; /* columns of a vector: the least width */
  /* out[c] = n lines, at most 8; with `onto` they go behind out[c]. Of 8 lines, and of kernels that are
   * order-free: line 0 op line 1 op .., one after the other; of fewer: the blocks of 4, 2 and 1 lines that
   * tile them (rule 5), one after the other. */
  void (*lines)(const void *x, const void *y, i64 pitch, size_t n, size_t width, void *out,
                bool onto);
  /* out[c] = the total of the block of 8 lines (rule 5), of 16 if `both`; NULL for kernels that are
   * order-free. */
  void (*block)(const void *x, const void *y, i64 pitch, bool both, size_t width, void *out);
  /* acc[c] = acc[c] op right[c] for c < n */
  void (*each)(void *acc, const void *right, size_t n);
  /* to[c] = the f32 or f64 that an accumulator of floats stands for, the u8 of a mask, for c < n,
   * n >= least; NULL: it is an integer. */
  void (*values)(const void *from, size_t n, void *to);
  /* Totals, a multiple of `least` of them, become accumulators; NULL: these begin with the same bytes. */
  void (*of_totals)(void *totals, size_t n);
};

/* The totals of a strip of columns, down their lines. A line holds an element of each column, `apart`
 * bytes from the one before; the next line is `pitch` bytes on. */
struct hd_cpu_fold_strips {
  u32 least, most; /* columns */
  u32 most_twice;  /* columns that a chunk's lines, which are read twice, stay in a cache with */
  u32 longest;     /* lines of columns that are rows without gaps; 0: columns lie side by side */
  u32 state_bytes; /* of 64-byte alignment */
  void (*start)(void *state, i64 apart, size_t width);
  /* The next n lines, of which the first is element `first` of its column: full chunks, and at last what
   * there is. */
  void (*lines)(void *state, const void *x, i64 pitch, u64 first, size_t n);
  /* totals[c] = column c's, of at least one line. */
  void (*finish)(void *state, void *totals);
  /* to[c] = the one figure of column c's moments, instead of finish; NULL: totals that are no moments. */
  void (*figures)(void *state, f64 *to);
};

/* index[r] = where the extreme of row r is, HD_U64_MAX if it has nothing but NaN that are skipped; of rows of
 * at least `least` elements, at most `most`, which are neighbours. Rows begin `pitch` bytes apart. */
struct hd_cpu_fold_places {
  u32 least, most;
  void (*rows)(const void *x, i64 pitch, size_t rows, size_t n, u64 *index);
};

/* Order v1 as far as it depends on an instruction set: the totals of chunks (rule 2) and of what is
 * shorter than one (rule 5). The tree above chunks is order/counter.h's. */
struct hd_cpu_fold_kernel {
  u32 element_bytes; /* of x and y each */
  u32 chunk;         /* elements */
  u32 kind;          /* HD_TOTAL_U64 .. HD_TOTAL_CUSTOM */
  struct hd_merge merge;
  /* totals[i] = the total of chunk i (rule 2) of n > 0 full chunks at x; of a kind that is
   * order-free, totals[0] = that of all of them. first is the global index of x[0]; y is NULL but
   * for dot. */
  heddle_status (*chunks)(const void *x, const void *y, u64 first, size_t n, void *totals,
                          const heddle_custom *custom);
  /* *acc = *acc op the n < chunk elements at x, blocks of elements biggest first (rule 5). */
  heddle_status (*tail)(const void *x, const void *y, u64 first, size_t n, void *acc,
                        const heddle_custom *custom);
  const char *name, *file;                   /* "sum_f32_f32"; the template, below src */
  const struct hd_cpu_fold_columns *columns; /* NULL: a kernel that takes rows alone */
  const struct hd_cpu_fold_strips *strips;   /* NULL: rows alone */
  /* Whether no element behind those of *total changes it; NULL: an element always can. */
  bool (*settled)(const void *total);
  const struct hd_cpu_fold_places *places; /* NULL: each row goes to the tail */
  /* The same as `chunks` of elements `step` apart, which is -HD_APART_MOST to HD_APART_MOST but not 0; what lies
   * between them and, of HD_APART_MOST - 1 elements at most, above them is read. NULL: they become
   * neighbours first. */
  void (*apart)(const void *x, i64 step, size_t n, void *totals);
};

/* Sums and products of one type in one accumulator. */
struct hd_cpu_arithmetic {
  const struct hd_cpu_fold_kernel *op[2][HD_OP_COUNT]; /* [skip][operator] */
  const struct hd_cpu_fold_kernel *dot[2];
};

/* Element e of row r becomes element r of line e. Rows of n neighbouring elements begin `pitch` bytes
 * apart, lines `width` elements. */
typedef void hd_cpu_transpose_kernel(const void *rows, i64 pitch, size_t count, size_t n,
                                     void *lines, size_t width);
/* to[e] = x[e * step] for e < n; `to` is none of x. What lies at x[n * step] is wanted next. */
typedef void hd_cpu_gather_kernel(const void *x, i64 step, size_t n, void *to);
enum { HD_MOVED_SIZES = 4 }; /* of elements that these move: 1, 2, 4 and 8 bytes */

/* Describe of one type, as far as heddle_figures asks. */
struct hd_cpu_describe {
  const struct hd_cpu_fold_kernel *figures[HD_FIGURES_COUNT];
};

/* Row [skip]: what heddle_nan asks for; integers have the same kernel in both. NULL: undefined. */
struct hd_cpu_kernels {
  const char *isa;
  const struct hd_cpu_arithmetic *arithmetic[HD_TYPE_COUNT][2]; /* [type][accumulate in f64] */
  const struct hd_cpu_fold_kernel
      *select[2][HD_TYPE_COUNT][HD_OP_COUNT];                /* min max and or xor any all */
  const struct hd_cpu_fold_kernel *arg[2][HD_TYPE_COUNT][2]; /* [..][..][greatest] */
  hd_cpu_gather_kernel *gather[HD_MOVED_SIZES];
  hd_cpu_transpose_kernel *transpose[HD_MOVED_SIZES];
  const struct hd_cpu_describe *describe[2][HD_TYPE_COUNT];
  const struct hd_cpu_exact *exact[HD_TYPE_COUNT]; /* floats */
  const struct hd_cpu_scan_kernels *scan;
  const struct hd_cpu_histogram_kernels *histogram;
  const struct hd_cpu_sort_kernels *sort;
  const struct hd_cpu_rank_kernels *rank;
};

extern const struct hd_cpu_kernels hd_cpu_kernels_scalar, hd_cpu_kernels_neon, hd_cpu_kernels_avx2,
    hd_cpu_kernels_avx512;

/* The kernel of a checked job; NULL if the operator is not defined for the type. A custom operator
 * gets one of its own size, made in *storage. */
const struct hd_cpu_fold_kernel *hd_cpu_fold_kernel(const struct hd_cpu_kernels *kernels,
                                                    const struct hd_fold *fold,
                                                    struct hd_cpu_fold_kernel *storage);
void hd_cpu_custom_kernel(const heddle_custom *custom,
                          struct hd_cpu_fold_kernel *out); /* cpu/fold/custom.c */

#endif

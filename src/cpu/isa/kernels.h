/* kernels.h - the tables that each ISA object exports: one struct hd_cpu_kernels
 *
 * A fold kernel folds elements of one type by one operator in order v1 (docs/order.md, rules 1 to
 * 5). It knows three sizes: the element, the total, and the chunk. Totals travel through memory,
 * so that reduce, dot, argmin, describe and custom operators share one engine (cpu/fold/fold.c). */
#ifndef HEDDLE_CPU_ISA_KERNELS_H
#define HEDDLE_CPU_ISA_KERNELS_H

#include "api/backend.h"
#include "cpu/histogram/kernels.h"
#include "cpu/scan/kernels.h"
#include "order/moments.h"

enum {
  HD_LANE_BYTES = 512,  /* rule 1: a row of a chunk */
  HD_CHUNK_ROWS = 16,   /* rule 1 */
  HD_TOTAL_BYTES = 128, /* the largest total of a built-in kernel */
  HD_BLOCK_LEVELS = 7,  /* a kernel call folds at most 2^7 chunks: 1 MiB of f32 */
  HD_MAX_CUSTOM_BYTES = 4096
};

/* What a total is, so that fold_finish can turn it into a result. */
enum hd_total {
  HD_TOTAL_U64, /* u64; i64 sums too, which wrap alike */
  HD_TOTAL_F32,
  HD_TOTAL_F64,
  HD_TOTAL_KEY32, /* i32 that orders as the f32 does: f16, bf16 and f32 min and max */
  HD_TOTAL_KEY64,
  HD_TOTAL_INPUT, /* an element of the input's type: integer min, max and bit operators */
  HD_TOTAL_BOOL,  /* u8, 0 or 1 */
  HD_TOTAL_ARG,
  HD_TOTAL_MOMENTS,
  HD_TOTAL_CUSTOM
};

struct hd_cpu_arg_total {
  i64 key;   /* the least wins: of the element, inverted for argmax */
  u64 index; /* UINT64_MAX: no element */
  u64 bits;  /* of the element, as it stood */
};

struct hd_cpu_fold_kernel {
  u32 element_bytes; /* of x and y each */
  u32 total_bytes;
  u32 chunk; /* elements */
  enum hd_total total;
  /* *out = the total of 2^level full chunks at x (rules 2 and 3), level <= HD_BLOCK_LEVELS.
   * first is the global index of x[0]; y is NULL but for dot. */
  heddle_status (*block)(const void *x, const void *y, u64 first, unsigned level, void *out,
                         const heddle_custom *custom);
  /* *acc = *acc op the n < chunk elements at x, blocks of elements biggest first (rule 5). */
  heddle_status (*tail)(const void *x, const void *y, u64 first, size_t n, void *acc,
                        const heddle_custom *custom);
  /* *acc = *acc op *right */
  heddle_status (*combine)(void *acc, const void *right, const heddle_custom *custom);
  /* A total t with t op x == x, to the bit. */
  void (*identity)(void *out, const heddle_custom *custom);
};

/* Row [skip]: what heddle_nan asks for; integers have the same kernel in both. NULL: undefined. */
struct hd_cpu_kernels {
  const char *isa;
  const struct hd_cpu_fold_kernel *sum[2][HD_TYPE_COUNT][2]; /* [skip][type][accumulate in f64] */
  const struct hd_cpu_fold_kernel *prod[2][HD_TYPE_COUNT][2];
  const struct hd_cpu_fold_kernel *dot[2][HD_TYPE_COUNT][2];
  const struct hd_cpu_fold_kernel
      *select[2][HD_TYPE_COUNT][HD_OP_COUNT];                /* min max and or xor any all */
  const struct hd_cpu_fold_kernel *arg[2][HD_TYPE_COUNT][2]; /* [..][..][greatest] */
  const struct hd_cpu_fold_kernel *describe[2][HD_TYPE_COUNT];
  const struct hd_cpu_scan_kernels *scan;
  const struct hd_cpu_histogram_kernels *histogram;
};

extern const struct hd_cpu_kernels hd_cpu_kernels_scalar, hd_cpu_kernels_avx2,
    hd_cpu_kernels_avx512;

/* The kernel of a checked job; NULL if the operator is not defined for the type. A custom operator
 * gets one of its own size, made in *storage. */
const struct hd_cpu_fold_kernel *hd_cpu_fold_kernel(const struct hd_cpu_kernels *kernels,
                                                    const struct hd_fold *fold,
                                                    struct hd_cpu_fold_kernel *storage);
void hd_cpu_custom_kernel(const heddle_custom *custom,
                          struct hd_cpu_fold_kernel *out); /* cpu/fold/custom.c */

#endif

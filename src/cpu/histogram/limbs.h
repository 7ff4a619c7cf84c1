/* limbs.h - exact sums of weights that accumulators have no room for (order/exact/limbs.h)
 *
 * Of each total that has met such a weight there is a row of the limbs that sums of the weights' type can
 * reach. Rows are made when they are needed, in blocks of growing size that stay where they are. */
#ifndef HEDDLE_CPU_HISTOGRAM_LIMBS_H
#define HEDDLE_CPU_HISTOGRAM_LIMBS_H

#include "host/context.h"
#include "order/exact/weights.h"
#include "order/types.h"

enum {
  HD_LIMBS_BLOCK_BITS = 6, /* rows of the first block; each next one has twice as many */
  HD_LIMBS_BLOCKS = 26     /* for more totals than there can be */
};

struct hd_cpu_limbs {
  struct hd_exact_span span;
  size_t totals;
  u32 *row; /* of each total, one more than its number; 0: none. NULL: there are no rows yet */
  i64 *block[HD_LIMBS_BLOCKS];
  u32 rows;
  u64 added; /* weights since the limbs were carried */
  pthread_mutex_t
      *memory; /* held while the context is asked for some: its allocator knows no threads */
  pthread_mutex_t *shared; /* held by a thread that adds; NULL: they are one thread's own */
};

/* Adds a finite weight to a total's row. False: the context has no memory for a new one. */
bool hd_cpu_limbs_add(heddle_context *ctx, struct hd_cpu_limbs *limbs, size_t total, f64 weight);
/* A total's row, span.first's limb first; NULL: it has none. */
i64 *hd_cpu_limbs_row(const struct hd_cpu_limbs *limbs, size_t total);
/* The same, made if need be; NULL: there is no memory. */
i64 *hd_cpu_limbs_make(heddle_context *ctx, struct hd_cpu_limbs *limbs, size_t total);
/* *sum gains a row of limbs of the span. */
void hd_cpu_limbs_sum(const i64 *row, struct hd_exact_span span, struct hd_exact *sum);
void hd_cpu_limbs_free(heddle_context *ctx, struct hd_cpu_limbs *limbs);

#endif

/* items.h - what folds by many blocks share: the job and the end
 *
 * Result   struct fold_job  what is folded; thread_store  the result, rounded once
 * Defines  as order/device/chunk.h; HEDDLE_WARPS a block, 4 or 8
 * Source   docs/order.md */
#ifndef HEDDLE_KERNELS_FOLD_ITEMS_H
#define HEDDLE_KERNELS_FOLD_ITEMS_H

#include "kernels/base/block_partials.h"
#include "order/device/chunk.h"
#include "order/device/result.h"
#include "order/device/tail.h"

#include "args.h" /* needs their types */

#define FOLD_WARPS HEDDLE_WARPS
#define FOLD_THREADS (32 * FOLD_WARPS)
#define FOLD_TAIL 16 /* slots of elements */

#if TOTAL_KIND == HD_TOTAL_CUSTOM
#define FOLD_IDENTITY(given) given
#else
#define FOLD_IDENTITY(given) total_identity()
#endif

struct fold_job {
  const element *x, *y;
  u64 from, to;
  u32 tail, level, groups;
  void *partials;
  total identity;
};

/* The result, by one thread: init op acc, rounded once. */
HD_DEVICE void thread_store(const struct fold_job *job, total acc, const struct fold_args *a) {
  const bool has_init = a->has_init != 0;
  void *out = a->out;
  if (has_init) acc = total_op(a->ends.init, acc);
#if TOTAL_KIND == HD_TOTAL_MOMENTS
  hd_moments_describe(&acc, job->to * TOTAL_CHUNK + job->tail, HEDDLE_NAN,
                      (struct hd_description *)out);
#elif TOTAL_KIND == HD_TOTAL_VARIANCE
  store_value_f64(total_figure(acc, a->figure, a->divisor), a->out_type, out);
#elif TOTAL_KIND == HD_TOTAL_CUSTOM
  custom_store(out, acc);
#else
  /* Rule 7: the sum of nothing is +0.0. */
  if (HEDDLE_OP == HD_OP_SUM && !has_init && !job->to && !job->tail) acc = 0;
  store_result(acc, a->divisor, a->out_type, out);
#endif
}

#endif

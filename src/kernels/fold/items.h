/* items.h - what folds of whole arrays and of pieces share: the job, elements of the short chunk,
 * the end
 *
 * Result   struct fold_job  what is folded; thread_element  one element as a total
 *          fold_run         some neighbours of a short chunk by one thread
 *          fold_slots       aligned blocks, biggest first; thread_store  the result, rounded once
 * Defines  as order/device/chunk.h; HEDDLE_WARPS a block, 4 or 8
 * Source   docs/order.md */
#ifndef HEDDLE_KERNELS_FOLD_ITEMS_H
#define HEDDLE_KERNELS_FOLD_ITEMS_H

#include "kernels/base/block_partials.h"
#include "order/device/chunk.h"
#include "order/device/result.h"

#include "args.h" /* needs their types */

#define FOLD_WARPS HEDDLE_WARPS
#define FOLD_THREADS (32 * FOLD_WARPS)
#define FOLD_TAIL 16 /* slots of elements */
#define FOLD_SMALL TOTAL_TAGGED
#if FOLD_SMALL
#define FOLD_RUN (TOTAL_CHUNK / FOLD_THREADS) /* elements of a tail that a thread folds */
#define FOLD_RUN_LEVELS (FOLD_RUN == 16 ? 4 : FOLD_RUN == 8 ? 3 : 2)
#else
#define FOLD_RUN_LEVELS 0
#endif

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

HD_DEVICE total thread_element(const struct fold_job *job, u64 i) {
#if HEDDLE_VERB == HD_DOT
  return total_of_product(job->x[i], job->y[i]);
#elif TOTAL_KIND == HD_TOTAL_CUSTOM
  return custom_element(job->x + i);
#else
  return total_of(job->x[i]);
#endif
}

#if FOLD_SMALL
/* FOLD_RUN neighbours by one thread. The one run that ends within leaves slots instead. */
HD_DEVICE total thread_run(const struct fold_job *job, u64 start, u32 index, total *slot) {
  const u32 left = job->tail - index * FOLD_RUN;
  total t[FOLD_RUN];
#pragma unroll
  for (u32 i = 0; i < FOLD_RUN; i++)
    t[i] = i < left ? thread_element(job, start + index * FOLD_RUN + i) : job->identity;
#pragma unroll
  for (u32 k = 0; k < FOLD_RUN_LEVELS; k++)
#pragma unroll
    for (u32 i = 0; i < FOLD_RUN >> k; i += 2) {
      if (left < FOLD_RUN && left >> k == i + 1) slot[k] = t[i];
      t[i / 2] = total_op(t[i], t[i + 1]);
    }
  return t[0];
}
#endif

/* acc op the slots of `count`, biggest first; one thread. */
HD_DEVICE total thread_slots(total acc, const total *slot, u64 count) {
#pragma unroll 1
  while (count) {
    const int k = 63 - __clzll((i64)count);
    acc = total_op(acc, slot[k]);
    count ^= 1ull << k;
  }
  return acc;
}

/* The result, by one thread: init op acc, rounded once. */
HD_DEVICE void thread_store(const struct fold_job *job, total acc, total init, bool has_init,
                            int out_type, void *out) {
  if (has_init) acc = total_op(init, acc);
#if TOTAL_KIND == HD_TOTAL_MOMENTS
  (void)out_type;
  hd_moments_describe(&acc, job->to * TOTAL_CHUNK + job->tail, HEDDLE_NAN,
                      (struct hd_description *)out);
#elif TOTAL_KIND == HD_TOTAL_CUSTOM
  (void)out_type;
  custom_store(out, acc);
#else
  /* Rule 7: the sum of nothing is +0.0. */
  if (HEDDLE_OP == HD_OP_SUM && !has_init && !job->to && !job->tail) acc = 0;
  store_total(acc, out_type, out);
#endif
}

#endif

/* finish.h - from a row's total to its result
 *
 * Result   row_finish(t, count, r, out, ends)  the result of row r, by one thread
 *          row_identity(ends)                  what a row's total begins with
 *          block_is_last_piece                 whether this block is the last of a row's
 * Defines  as order/device/total.h
 * Method   init enters from the left (rule 7), what leaves is rounded once. An empty row is no
 *          error: its extreme is the identity, its place all ones, and its value is left alone
 * Source   docs/order.md, rules 7 and 12; src/cpu/fold/finish.c: the same bits */
#ifndef HEDDLE_KERNELS_ROWS_FINISH_H
#define HEDDLE_KERNELS_ROWS_FINISH_H

#include "order/device/result.h"
#include "rows.h"

HD_DEVICE total row_identity(const struct total_ends *ends) {
#if TOTAL_KIND == HD_TOTAL_CUSTOM
  return ends->identity;
#else
  (void)ends;
  return total_identity();
#endif
}

HD_DEVICE u64 row_result_bytes(u32 type) {
  return type == HD_U8 || type == HD_I8                       ? 1
         : type == HD_U64 || type == HD_I64 || type == HD_F64 ? 8
         : type == HD_U32 || type == HD_I32 || type == HD_F32 ? 4
                                                              : 2;
}

/* The result of row r, by one thread. */
HD_DEVICE void row_finish(total t, u64 count, u64 r, const struct row_out *out,
                          const struct total_ends *ends) {
#if TOTAL_KIND == HD_TOTAL_ARG
  (void)ends;
  out->index[r] = t.index;
  if (!out->value || t.index == ~0ull) return;
#if ELEMENT_BYTES == 1
  ((u8 *)out->value)[r] = (u8)t.bits;
#elif ELEMENT_BYTES == 2
  ((u16 *)out->value)[r] = (u16)t.bits;
#elif ELEMENT_BYTES == 4
  ((u32 *)out->value)[r] = (u32)t.bits;
#else
  ((u64 *)out->value)[r] = t.bits;
#endif
#elif TOTAL_KIND == HD_TOTAL_MOMENTS
  (void)ends;
  hd_moments_describe(&t, count, HEDDLE_NAN, (struct hd_description *)out->value + r);
#elif TOTAL_KIND == HD_TOTAL_VARIANCE
  (void)ends, (void)count;
  store_value_f64(total_figure(t, out->figure, out->divisor), (int)out->type,
                  (u8 *)out->value + r * row_result_bytes(out->type));
#else
  if (out->has_init) t = total_op(ends->init, t);
#if TOTAL_KIND == HD_TOTAL_CUSTOM
  (void)count;
  ((element *)out->value)[r] = t;
#else
#if HEDDLE_OP == HD_OP_SUM
  if (!count && !out->has_init) t = (total)0; /* rule 7: not -0.0 */
#endif
  store_result(t, out->divisor, (int)out->type, (u8 *)out->value + r * row_result_bytes(out->type));
#endif
#endif
}

/* Whether this block is the last of `pieces` to come by, after what each wrote before. The counter
 * is zero again then. All threads arrive; `last` is shared memory. */
HD_DEVICE bool block_is_last_piece(u32 *counter, u32 pieces, u32 *last) {
  if (threadIdx.x == 0) {
    __threadfence();
    *last = atomicAdd(counter, 1u) == pieces - 1;
    if (*last) {
      *counter = 0;
      __threadfence();
    }
  }
  __syncthreads(); /* *last is there; all pieces are in their slots if it is 1 */
  return *last;
}

#endif

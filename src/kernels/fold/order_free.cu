/* order_free.cu - one result of many elements where any order gives the same bits: all operators of
 * integers, extremes, any and all of floats, argmin and argmax
 *
 * Result   heddle_fold_order_free: the total of `count` elements, after what *before holds if that
 *          is not NULL. If `after` is not NULL the total is written there (an update of a state),
 *          else the result at `out` (argreduce: the element at `out` unless that is NULL, its place
 *          at `index`), init folded in, rounded to out_type; a fault if there is no result
 * Defines  as order/device/total.h; HEDDLE_ALIGN: a dot's y is so aligned (1 to 16 bytes) where
 *          x is a multiple of 16
 * Launch   256 threads; as many blocks as `span` needs, at least 1: block b takes vectors of 16
 *          bytes b * span .. (b + 1) * span - 1, the last block what is left of the array besides
 * Memory   head elements lie before the first multiple of 16 bytes. partials, ticket: as
 *          kernels/base/block_partials.h has them, a total a block. seen: elements of earlier
 *          calls, and so the place of x[0]
 * Method   8 loads of 16 bytes in flight a thread; a total a block; the last block to finish, found
 *          by a ticket, folds those
 * Order    none: exact
 * Source   NVIDIA's threadFenceReduction sample */
#include "kernels/base/block_partials.h"
#include "order/device/result.h"
#if HEDDLE_VERB == HD_ARGREDUCE
#include "order_free_place.h"
#else
#include "order_free_lane.h"
#endif

#include "args.h" /* needs their types */

#define ORDER_FREE_THREADS 256
#define ORDER_FREE_ELEMENTS (16 / ELEMENT_BYTES)
/* An argreduce has half as many, so that twice the blocks are there. */
#define ORDER_FREE_BATCH (HEDDLE_VERB == HD_ARGREDUCE ? 4 : 8)
#define ORDER_FREE_BLOCKS (HEDDLE_VERB == HD_ARGREDUCE ? 4 : 2)

struct __align__(16) order_free_shared {
  total warp[ORDER_FREE_THREADS / 32];
  u32 last;
};

/* The total of all threads' totals, held by warp 0; `apart`: lanes of a warp hold different ones. Every
 * thread arrives; the shared memory may be used again after the caller's next barrier. */
HD_DEVICE total block_total(total t, bool apart, struct order_free_shared *shared) {
  if (apart) t = warp_tree(t, 5);
  if (warp_lane() == 0) shared->warp[threadIdx.x >> 5] = t;
  __syncthreads(); /* the warps' totals are complete */
  if (threadIdx.x >= 32) return t;
  t = warp_lane() < ORDER_FREE_THREADS / 32 ? shared->warp[warp_lane()] : total_identity();
  return warp_tree(t, 3);
}

HD_DEVICE void thread_load(const element *x, const element *y, u64 v, u32 *wx, u32 *wy) {
  load_words((const u8 *)x + 16 * v, 16, 16, wx);
#if HEDDLE_VERB == HD_DOT
  load_words((const u8 *)y + 16 * v, 16, HEDDLE_ALIGN, wy);
#else
  (void)y, (void)wy;
#endif
}

/* Vectors low .. high - 1. */
#if HEDDLE_VERB == HD_ARGREDUCE
HD_DEVICE void block_span(struct places *p, const element *x, u64 low, u64 high) {
  u32 words[ORDER_FREE_BATCH][4];
  const u32 stride = ORDER_FREE_THREADS * ORDER_FREE_ELEMENTS;
  const u64 step = ORDER_FREE_BATCH * ORDER_FREE_THREADS, whole = high - (high - low) % step;
  u64 v = low + threadIdx.x;
#pragma unroll 1
  for (; v < whole; v += step) {
#pragma unroll
    for (int i = 0; i < ORDER_FREE_BATCH; i++)
      thread_load(x, x, v + i * ORDER_FREE_THREADS, words[i], words[i]);
    warp_take_places(p, words, ORDER_FREE_BATCH, (u32)(v - low) * ORDER_FREE_ELEMENTS, stride,
                     true);
  }
#pragma unroll 1
  for (; v - threadIdx.x % 32 < high; v += ORDER_FREE_THREADS) {
    thread_load(x, x, v < high ? v : high - 1, words[0], words[0]);
    warp_take_places(p, words, 1, (u32)(v - low) * ORDER_FREE_ELEMENTS, stride, v < high);
  }
}
#else
HD_DEVICE void block_span(lane *a, const element *x, const element *y, u64 low, u64 high) {
  u32 wx[ORDER_FREE_BATCH][4], wy[HEDDLE_VERB == HD_DOT ? ORDER_FREE_BATCH : 1][4];
  const u64 step = ORDER_FREE_BATCH * ORDER_FREE_THREADS, whole = high - (high - low) % step;
  u64 v = low + threadIdx.x;
#pragma unroll 1
  for (; v < whole; v += step) {
#pragma unroll
    for (int i = 0; i < ORDER_FREE_BATCH; i++)
      thread_load(x, y, v + i * ORDER_FREE_THREADS, wx[i], wy[HEDDLE_VERB == HD_DOT ? i : 0]);
#pragma unroll
    for (int i = 0; i < ORDER_FREE_BATCH; i++)
      lane_take(a, wx[i], wy[HEDDLE_VERB == HD_DOT ? i : 0]);
  }
#pragma unroll 1
  for (; v < high; v += ORDER_FREE_THREADS) {
    thread_load(x, y, v, wx[0], wy[0]);
    lane_take(a, wx[0], wy[0]);
  }
}
#endif

/* One of the elements at the ends. */
HD_DEVICE total thread_element(const element *x, const element *y, u64 i, u64 place) {
#if HEDDLE_VERB == HD_ARGREDUCE
  (void)y;
  return total_at(x[i], place + i);
#elif HEDDLE_VERB == HD_DOT
  (void)place;
  return total_of_product(x[i], y[i]);
#else
  (void)y, (void)place;
  return total_of(x[i]);
#endif
}

/* The result, by one thread; `all` elements in all. */
HD_DEVICE void thread_finish(total acc, u64 all, const struct fold_order_free_args *a) {
  void *out = a->out;
#if HEDDLE_VERB == HD_ARGREDUCE
  if (acc.index == ~0ull) {
    hd_fault(a->fault, all ? HD_FAULT_ALL_NAN : HD_FAULT_EMPTY, HEDDLE_OP + 256);
    return;
  }
  *a->index = acc.index;
  if (!out) return;
#if ELEMENT_BYTES == 1
  *(u8 *)out = (u8)acc.bits;
#elif ELEMENT_BYTES == 2
  *(u16 *)out = (u16)acc.bits;
#elif ELEMENT_BYTES == 4
  *(u32 *)out = (u32)acc.bits;
#else
  *(u64 *)out = acc.bits;
#endif
#else
  const bool has_init = a->has_init != 0;
  if (has_init) acc = total_op(a->ends.init, acc);
  bool some = store_result(acc, a->divisor, a->out_type, out);
  if (HEDDLE_OP != HD_OP_MIN && HEDDLE_OP != HD_OP_MAX) return;
  if (!some || (!all && !has_init))
    hd_fault(a->fault, all ? HD_FAULT_ALL_NAN : HD_FAULT_EMPTY, HEDDLE_OP);
#endif
}

HD_KERNEL __launch_bounds__(256, ORDER_FREE_BLOCKS)
    heddle_fold_order_free(const struct fold_order_free_args a) {
  __shared__ struct order_free_shared shared;
  const u64 vectors = (a.count - a.head) / ORDER_FREE_ELEMENTS, low = blockIdx.x * a.span;
  const u64 rest = a.head + vectors * ORDER_FREE_ELEMENTS; /* where the last elements begin */
  const u64 high = low + a.span < vectors ? low + a.span : vectors;
  const u32 me = threadIdx.x, turn = block_ticket(a.ticket);
  const bool has_ends = blockIdx.x == gridDim.x - 1;
#if HEDDLE_VERB == HD_ARGREDUCE
  const bool apart = has_ends;
  struct places p = place_start();
  block_span(&p, a.x + a.head, low, high);
  total t = warp_place_total(&p, a.seen + a.head + low * ORDER_FREE_ELEMENTS);
#else
  const bool apart = true;
  lane l = lane_start();
  block_span(&l, a.x + a.head, a.y + a.head, low, high);
  total t = lane_total(l);
#endif
  if (has_ends) {
    if (me < a.head) t = total_op(thread_element(a.x, a.y, me, a.seen), t);
    if (me < a.count - rest) t = total_op(t, thread_element(a.x, a.y, rest + me, a.seen));
  }
  t = block_total(t, apart, &shared);
  if (gridDim.x > 1) {
    if (me == 0) partial_put(a.partials, blockIdx.x, t);
    if (!block_is_last(a.ticket, turn, &shared.last)) return;
    t = total_identity();
#pragma unroll 1
    for (u32 i = me; i < gridDim.x; i += ORDER_FREE_THREADS * PARTIAL_BATCH) {
      total left[PARTIAL_BATCH];
      partial_get_batch(a.partials, i, ORDER_FREE_THREADS, PARTIAL_BATCH, gridDim.x, left);
#pragma unroll
      for (u32 b = 0; b < PARTIAL_BATCH; b++)
        if (i + b * ORDER_FREE_THREADS < gridDim.x) t = total_op(t, left[b]);
    }
    t = block_total(t, true, &shared);
  }
  if (me) return;
#if HEDDLE_VERB == HD_ARGREDUCE
  if (t.index != ~0ull) t.bits = element_bits(a.x[t.index - a.seen]);
#endif
  if (a.before) t = total_op(*a.before, t);
  if (a.after)
    *a.after = t;
  else
    thread_finish(t, a.seen + a.count, &a);
}

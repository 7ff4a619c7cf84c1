/* finish.cu - a row that is in the order of its keys' highest digits, put into the order of keys
 *
 * Result   a.all.keys[SORT_OUT], from a.all.keys[SORT_ROOM]; where some prefix has too many elements, a.list of the
 *          spans, or, of large blocks, plan->failed: then the result is made by steps
 * Defines  key.h's; HEDDLE_THREADS, HEDDLE_ITEMS: a block has room for their product; HEDDLE_SPAN: elements among
 *          which those begin that it sorts; HEDDLE_LARGE 1: spans are those of a.list
 * Launch   any number of blocks
 * Memory   dynamic shared memory: the block's elements, and one
 * Order    none shows: keys alone, whose bits are all compared
 * Method   Where the prefix changes the row is cut, as neither side has elements of the other. A block sorts what lies
 *          between the first cut of its span and the first one behind it, by network.h. */
#include "network.h"

#define FINISH_ROOM ((u32)(HEDDLE_THREADS * HEDDLE_ITEMS))
#define ROOM_KEYS ((sort_key *)room)

#define NO_CUT 0xffffffffu

struct finish {
  u32 begin, end; /* of what the block sorts, from the span's first element on */
};

/* Keys from element `first` - 1 on. All threads arrive, and are together again behind. */
HD_DEVICE void block_load_span(const struct sort_finish_args *a, u64 first, struct finish *f) {
  const key_bits *in = (const key_bits *)a->all.keys[SORT_ROOM];
  key_bits raw[HEDDLE_ITEMS];
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const u64 at = first + threadIdx.x + i * HEDDLE_THREADS;
    raw[i] = at < a->count ? in[at] : (key_bits)0;
  }
  if (threadIdx.x == 0) {
    ROOM_KEYS[0] = first ? key_of(&a->all.map, in[first - 1]) : 0;
    f->begin = f->end = NO_CUT;
    if (a->count - first <= FINISH_ROOM) f->end = (u32)(a->count - first);
  }
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++)
    ROOM_KEYS[1 + threadIdx.x + i * HEDDLE_THREADS] = key_of(&a->all.map, raw[i]);
  __syncthreads(); /* keys are there */
}

/* All threads arrive, and are together again behind. */
HD_DEVICE void block_find_cuts(const struct sort_finish_args *a, u64 first, u32 shift,
                               struct finish *f) {
  u32 begin = NO_CUT, end = NO_CUT;
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const u32 at = threadIdx.x + (HEDDLE_ITEMS - 1 - i) * HEDDLE_THREADS;
    if (first + at >= a->count) continue;
    if (first + at && ROOM_KEYS[at] >> shift == ROOM_KEYS[at + 1] >> shift) continue;
    if (at < HEDDLE_SPAN)
      begin = at;
    else
      end = at;
  }
  if (begin != NO_CUT) atomicMin(&f->begin, begin);
  if (end != NO_CUT) atomicMin(&f->end, end);
  __syncthreads(); /* cuts are found */
}

HD_DEVICE void block_sort_cut(const struct sort_finish_args *a, u64 first, const struct finish *f) {
  key_bits *out = (key_bits *)a->all.keys[SORT_OUT] + first + f->begin;
  const u32 count = f->end - f->begin;
  sort_item item[HEDDLE_ITEMS];
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const u32 at = threadIdx.x + i * HEDDLE_THREADS;
    item[i] = at < count ? ROOM_KEYS[1 + f->begin + at] : KEY_ALL;
  }
  __syncthreads(); /* items are taken, and others may lie there */
  block_sort_items(item, HEDDLE_THREADS);
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++)
    ROOM_AT(sort_key, threadIdx.x * HEDDLE_ITEMS + i) = item[i];
  __syncthreads(); /* they are in order */
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const u32 at = threadIdx.x + i * HEDDLE_THREADS;
    if (at < count) out[at] = bits_of(&a->all.map, ROOM_AT(sort_key, at));
  }
}

/* A block has no room for what begins in a span; one thread. */
HD_DEVICE void finish_fail(const struct sort_finish_args *a, struct sort_plan *plan, u64 span) {
#if HEDDLE_LARGE
  (void)a, (void)span;
  atomicExch(&plan->failed, 1u);
#else
  ((u32 *)a->list)[atomicAdd(&plan->listed, 1u)] = (u32)span;
#endif
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS, 1)
    heddle_sort_finish(const __grid_constant__ struct sort_finish_args a) {
  __shared__ struct finish f;
  struct sort_plan *plan = (struct sort_plan *)a.all.plan;
  if (!plan->finishes) return;
  const u32 shift = plan->finish_shift;
  const u64 all = (a.count + HEDDLE_SPAN - 1) / HEDDLE_SPAN;
  const u64 spans = HEDDLE_LARGE ? plan->listed : all;
  for (u64 s = blockIdx.x; s < spans; s += gridDim.x) {
    const u64 span = HEDDLE_LARGE ? ((const u32 *)a.list)[s] : s, first = span * HEDDLE_SPAN;
    block_load_span(&a, first, &f);
    block_find_cuts(&a, first, shift, &f);
    if (f.begin != NO_CUT && f.end != NO_CUT)
      block_sort_cut(&a, first, &f);
    else if (f.begin != NO_CUT && threadIdx.x == 0)
      finish_fail(&a, plan, span);
    __syncthreads(); /* shared memory is free */
  }
}

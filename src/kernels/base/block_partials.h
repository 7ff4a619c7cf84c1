/* block_partials.h - totals that blocks leave for the last block to finish
 *
 * Result   partial_put(partials, i, t)  leaves t as total i
 *          block_ticket(ticket)          the block's ticket, if it can be taken before the work
 *          block_is_last(..)             true in the block that took the last ticket
 *          partial_get(partials, i)      total i, in the last block; partial_get_batch: some at
 *          once
 * Defines  as order/device/total.h
 * Who      every total is put once a launch, by a thread of a block that takes one ticket, and got
 *          once, by the last block
 * Memory   partials: PARTIAL_BYTES a total. TOTAL_TAGGED: zero before the launch and again after
 *          it; else aligned to 16 bytes, its content undefined. ticket: zero, and zero again
 *          afterwards
 * Method   A small total is its own signal: its words carry a tag, so that nobody needs a fence,
 *          and the last block waits until it sees them. A block takes its ticket when it starts, so
 *          that the last one waits for blocks that run, and the ticket's latency is that of the
 *          first loads. Larger totals are ordered by fences around the ticket, which is taken in
 *          the end. atomicInc wraps to zero by itself, and the compiler does not gather it over a
 *          warp, as it does an atomicAdd, whose answer the warp then waits for at once.
 * Source   the ticket: NVIDIA's threadFenceReduction sample; tagged words: Merrill and Garland
 *          2016 */
#ifndef HEDDLE_KERNELS_BASE_BLOCK_PARTIALS_H
#define HEDDLE_KERNELS_BASE_BLOCK_PARTIALS_H

#include "device.h"
#include "order/device/warp.h"

#define TOTAL_TAGGED                                                    \
  (TOTAL_KIND != HD_TOTAL_MOMENTS && TOTAL_KIND != HD_TOTAL_VARIANCE && \
   TOTAL_KIND != HD_TOTAL_CUSTOM)

/* A place's element is read where the result is. */
#define PARTIAL_WORDS (TOTAL_KIND == HD_TOTAL_ARG ? TOTAL_WORDS - 2 : TOTAL_WORDS)
#if TOTAL_TAGGED
#define PARTIAL_BYTES (8 * PARTIAL_WORDS)
#else
#define PARTIAL_BYTES sizeof(total)
#endif

HD_DEVICE void partial_put(void *partials, u64 i, total t) {
#if TOTAL_TAGGED
  struct total_words words = words_of_total(t);
#pragma unroll
  for (int w = 0; w < PARTIAL_WORDS; w++)
    publish64((u64 *)partials + i * PARTIAL_WORDS + w, 1ull << 32 | words.word[w]);
#else
  ((total *)partials)[i] = t;
#endif
}

/* Every thread of the block arrives before its work; of use to thread 0. */
HD_DEVICE u32 block_ticket(u32 *ticket) {
#if TOTAL_TAGGED
  if (threadIdx.x == 0 && gridDim.x > 1) return atomicInc(ticket, gridDim.x - 1);
#endif
  (void)ticket;
  return 0;
}

/* Every thread of the block arrives after its puts, with what block_ticket gave; `last` is shared
 * memory. */
HD_DEVICE bool block_is_last(u32 *ticket, u32 turn, u32 *last) {
#if !TOTAL_TAGGED
  __threadfence();
  __syncthreads(); /* what this block leaves can be seen by all */
  if (threadIdx.x == 0) turn = atomicInc(ticket, gridDim.x - 1);
#endif
  (void)ticket;
  if (threadIdx.x == 0) *last = look_late(turn) == gridDim.x - 1;
  __syncthreads(); /* *last is known */
#if !TOTAL_TAGGED
  if (*last) __threadfence();
#endif
  return *last != 0;
}

#if TOTAL_TAGGED
HD_DEVICE total partial_wait(u64 *at, u64 *words) {
  struct total_words t;
#pragma unroll
  for (int w = PARTIAL_WORDS; w < TOTAL_WORDS; w++) t.word[w] = 0;
#pragma unroll
  for (int w = 0; w < PARTIAL_WORDS; w++) {
    while (words[w] >> 32 == 0) words[w] = peek64(at + w);
    t.word[w] = (u32)words[w];
    publish64(at + w, 0);
  }
  return total_of_words(t);
}
#endif

HD_DEVICE total partial_get(void *partials, u64 i) {
#if TOTAL_TAGGED
  u64 *at = (u64 *)partials + i * PARTIAL_WORDS, words[PARTIAL_WORDS];
#pragma unroll
  for (int w = 0; w < PARTIAL_WORDS; w++) words[w] = peek64(at + w);
  return partial_wait(at, words);
#else
  return ((const total *)partials)[i];
#endif
}

/* t[b] = total i + b * step for b < batch, at most PARTIAL_BATCH, as far as that is below `end`,
 * their loads in flight together; the others stay as they are. */
#define PARTIAL_BATCH (TOTAL_KIND == HD_TOTAL_ARG ? 3 : TOTAL_WORDS > 2 ? 2 : 8 / TOTAL_WORDS)
HD_DEVICE void partial_get_batch(void *partials, u32 i, u32 step, u32 batch, u32 end, total *t) {
#if TOTAL_TAGGED
  u64 words[PARTIAL_BATCH][PARTIAL_WORDS];
#pragma unroll
  for (u32 b = 0; b < PARTIAL_BATCH; b++)
#pragma unroll
    for (u32 w = 0; w < PARTIAL_WORDS; w++)
      if (b < batch && i + b * step < end)
        words[b][w] = peek64((u64 *)partials + (u64)(i + b * step) * PARTIAL_WORDS + w);
#pragma unroll
  for (u32 b = 0; b < PARTIAL_BATCH; b++)
    if (b < batch && i + b * step < end)
      t[b] = partial_wait((u64 *)partials + (u64)(i + b * step) * PARTIAL_WORDS, words[b]);
#else
#pragma unroll
  for (u32 b = 0; b < PARTIAL_BATCH; b++)
    if (b < batch && i + b * step < end) t[b] = ((const total *)partials)[i + b * step];
#endif
}

#endif

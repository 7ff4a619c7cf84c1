/* span.h - what a block has of an array, batch after batch to its warps' windows
 *
 * Result   warp_span  adds what the warp has of the first `vectors` vectors of 16 bytes of x, or of x and y
 * Defines  as windows.h; HEDDLE_STAGES: batches that a warp has in shared memory before they are wanted; 0: they are
 *          loaded then
 *          HEDDLE_ALIGN: y is so aligned (1 to 16 bytes) where x is a multiple of 16; 16 with stages
 * Memory   dynamic shared: SPAN_BYTES a warp, stage and array
 * Method   All warps of all blocks take batches in turn, so that what is read at a time lies close together. With
 *          stages a lane starts the bulk copy of the batch that is as many behind as there are stages as soon as one is
 *          in registers: more is asked for than registers could hold, and those that are free let another block run.
 * Limits   stages: sm_90 and up */
#ifndef HEDDLE_KERNELS_EXACT_SPAN_H
#define HEDDLE_KERNELS_EXACT_SPAN_H

#include "kernels/base/device_bulk.h"
#include "windows.h"

#define SPAN_THREADS 256
#define SPAN_WARPS (SPAN_THREADS / 32)

#if HEDDLE_STAGES
#define SPAN_ARRAYS (HEDDLE_PRODUCTS == HD_EXACT_OF_PRODUCTS ? 2 : 1)
#define SPAN_VECTORS (32 * EXACT_LOADS) /* of a batch */
#define SPAN_STAGE (SPAN_ARRAYS * SPAN_VECTORS)
#if HEDDLE_ALIGN != 16
#error "bulk copies are of vectors"
#endif

extern __shared__ __align__(128) uint4 span_shared[];

/* A warp's stages, and where its batches are. */
struct span {
  u64 x, y, vectors, step;
  uint4 *stages;
  u64 *filled; /* a signal a stage */
};

/* The batch from vector v on to a stage, by one lane. */
HD_DEVICE void thread_span_fetch(const struct span *span, u64 v, u32 stage) {
  const u64 left = span->vectors - v, vectors = left < SPAN_VECTORS ? left : SPAN_VECTORS;
  uint4 *const to = span->stages + stage * SPAN_STAGE;
  bulk_fetch(to, (const uint4 *)span->x + v, (u32)vectors * 16, span->filled + stage);
  if (SPAN_ARRAYS == 2)
    bulk_fetch(to + SPAN_VECTORS, (const uint4 *)span->y + v, (u32)vectors * 16,
               span->filled + stage);
}

/* What a lane has of a batch of `left` vectors or more; zeros behind them. */
HD_DEVICE void thread_span_words(const uint4 *batch, u64 left, u32 words[EXACT_LOADS][4]) {
#pragma unroll
  for (u32 i = 0; i < EXACT_LOADS; i++) {
    const u32 at = 32 * i + threadIdx.x % 32;
    uint4 v = make_uint4(0, 0, 0, 0);
    if (at < left) v = batch[at];
    words[i][0] = v.x, words[i][1] = v.y, words[i][2] = v.z, words[i][3] = v.w;
  }
}

/* The warp opens its signals, and fetches its first batches from v on. */
HD_DEVICE void warp_span_start(const struct span *span, u64 v) {
  if (threadIdx.x % 32 == 0) {
    for (u32 i = 0; i < HEDDLE_STAGES; i++) signal_open(span->filled + i, SPAN_ARRAYS);
    signal_opened();
    for (u32 i = 0; i < HEDDLE_STAGES && v + i * span->step < span->vectors; i++)
      thread_span_fetch(span, v + i * span->step, i);
  }
  __syncwarp(); /* signals are open */
}

HD_DEVICE void warp_span(struct windows *s, struct hd_exact *sum, u64 x, u64 y, u64 vectors) {
  __shared__ u64 filled[SPAN_WARPS][HEDDLE_STAGES];
  const u32 warp = threadIdx.x / 32;
  const struct span span = {x,
                            y,
                            vectors,
                            (u64)gridDim.x * SPAN_WARPS * SPAN_VECTORS,
                            span_shared + warp * HEDDLE_STAGES * SPAN_STAGE,
                            filled[warp]};
  const u64 first = ((u64)blockIdx.x * SPAN_WARPS + warp) * SPAN_VECTORS;
  u32 wx[EXACT_LOADS][4], wy[EXACT_LOADS][4], stage = 0, odd = 0;
  warp_span_start(&span, first);
  block_sum_clear(sum);
  __syncthreads(); /* the sum is cleared */
#pragma unroll 1
  for (u64 v = first; v < vectors; v += span.step) {
    const uint4 *const batch = span.stages + stage * SPAN_STAGE;
    warp_signal_wait(span.filled + stage, odd);
    thread_span_words(batch, vectors - v, wx);
    if (SPAN_ARRAYS == 2) thread_span_words(batch + SPAN_VECTORS, vectors - v, wy);
    __syncwarp(); /* the stage has been read */
    if (threadIdx.x % 32 == 0 && v + HEDDLE_STAGES * span.step < vectors)
      thread_span_fetch(&span, v + HEDDLE_STAGES * span.step, stage);
    warp_windows_take(s, sum, &wx[0][0], &wy[0][0]);
    if (++stage == HEDDLE_STAGES) stage = 0, odd ^= 1;
  }
}

#else

HD_DEVICE void thread_load(u64 x, u64 y, u64 v, u32 *wx, u32 *wy) {
  load_words((const u8 *)x + 16 * v, 16, 16, wx);
  if (HEDDLE_PRODUCTS == HD_EXACT_OF_PRODUCTS)
    load_words((const u8 *)y + 16 * v, 16, HEDDLE_ALIGN, wy);
}

/* Whole batches of a warp; zeros fill the last one. */
HD_DEVICE void warp_span(struct windows *s, struct hd_exact *sum, u64 x, u64 y, u64 vectors) {
  u32 wx[EXACT_LOADS][4], wy[EXACT_LOADS][4];
  const u64 step = EXACT_LOADS * SPAN_THREADS;
  block_sum_clear(sum);
  __syncthreads(); /* the sum is cleared */
#pragma unroll 1
  for (u64 v = blockIdx.x * step + threadIdx.x; v - threadIdx.x % 32 < vectors;
       v += gridDim.x * step) {
#pragma unroll
    for (int i = 0; i < EXACT_LOADS; i++) {
      const u64 at = v + (u64)i * SPAN_THREADS;
      wx[i][0] = wx[i][1] = wx[i][2] = wx[i][3] = 0;
      wy[i][0] = wy[i][1] = wy[i][2] = wy[i][3] = 0;
      if (at < vectors) thread_load(x, y, at, wx[i], wy[i]);
    }
    warp_windows_take(s, sum, &wx[0][0], &wy[0][0]);
  }
}

#endif
#endif

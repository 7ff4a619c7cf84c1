/* span.h - what a block has of an array, batch after batch to its warps' windows
 *
 * Result   block_span  adds what the warp has of the first `vectors` vectors of 16 bytes of x, or of x and y, to a sum
 *                     that it clears
 * Defines  as windows.h; HEDDLE_LOADS; HEDDLE_STAGES and HEDDLE_ALIGN: kernels/base/ring.h
 * Memory   dynamic shared: RING_BYTES */
#ifndef HEDDLE_KERNELS_EXACT_SPAN_H
#define HEDDLE_KERNELS_EXACT_SPAN_H

#include "windows.h"

#define SPAN_THREADS 256
#define RING_LOADS EXACT_LOADS
#define RING_STAGES HEDDLE_STAGES
#define RING_ARRAYS (HEDDLE_PRODUCTS == HD_EXACT_OF_PRODUCTS ? 2 : 1)
#define RING_ALIGN HEDDLE_ALIGN
#define RING_WARPS (SPAN_THREADS / 32)
#include "kernels/base/ring.h"

extern __shared__ __align__(128) uint4 span_shared[];

HD_DEVICE void block_span(struct windows *s, struct hd_exact *sum, u64 x, u64 y, u64 vectors) {
  __shared__ u64 filled[RING_SIGNALS];
  struct ring ring;
  warp_ring_open(&ring, x, y, vectors, span_shared, filled);
  block_sum_clear(sum);
  __syncthreads(); /* the sum is cleared */
#pragma unroll 1
  while (warp_ring_more(&ring)) {
    u32 wx[EXACT_LOADS][4], wy[EXACT_LOADS][4];
    warp_ring_take(&ring, wx, wy);
    warp_windows_take(s, sum, &wx[0][0], &wy[0][0]);
  }
}

#endif

/* ring.h - arrays read in batches of vectors, before they are wanted
 *
 * Result   warp_ring_open   the warp's ring, on its first batches
 *          warp_ring_more   whether there is a batch; ring->at is its first vector
 *          warp_ring_take   the lane's vectors of it: 32 k + lane behind ring->at, of which those that are
 *                           beyond the last one are zero; then the ring is at the next batch
 * Defines  RING_LOADS   vectors of 16 bytes of a lane and array in a batch
 *          RING_STAGES  batches that a warp has in shared memory before they are wanted; 0: they are loaded then
 *          RING_ARRAYS  1, or 2 that are read side by side
 *          RING_ALIGN   a second array is so aligned (1 to 16 bytes); 16 with stages
 *          RING_WARPS   of a block
 * Memory   dynamic shared: RING_BYTES; shared, RING_SIGNALS signals
 * Who      all lanes of a warp arrive
 * Method   All warps of all blocks take batches in turn, so that what is read at a time lies close together. With
 *          stages a lane starts the bulk copy of the batch that is as many behind as there are stages as soon as one is
 *          in registers: more is asked for than registers could hold, and those that are free let another block run.
 * Limits   stages: sm_90 and up */
#ifndef HEDDLE_KERNELS_BASE_RING_H
#define HEDDLE_KERNELS_BASE_RING_H

#if RING_ARRAYS == 2
#include "order/device/element.h"
#endif

#include "device_bulk.h"

#define RING_VECTORS (32 * RING_LOADS) /* of a batch */
#define RING_STAGE (RING_ARRAYS * RING_VECTORS)
#define RING_BYTES (16 * RING_WARPS * RING_STAGES * RING_STAGE)
#define RING_SIGNALS (RING_STAGES ? RING_WARPS * RING_STAGES : 1)

struct ring {
  u64 x, y; /* addresses, multiples of 16 */
  u64 vectors, at;
  uint4 *stages;
  u64 *filled; /* a signal a stage */
  u32 stage, odd;
};

HD_DEVICE u64 ring_step(void) { return (u64)gridDim.x * RING_WARPS * RING_VECTORS; }

HD_DEVICE bool warp_ring_more(const struct ring *ring) { return ring->at < ring->vectors; }

#if RING_STAGES
#if RING_ARRAYS == 2 && RING_ALIGN != 16
#error "bulk copies are of vectors"
#endif

/* The batch from vector v on to a stage, by one lane. */
HD_DEVICE void thread_ring_fetch(const struct ring *ring, u64 v, u32 stage) {
  const u64 left = ring->vectors - v, vectors = left < RING_VECTORS ? left : RING_VECTORS;
  uint4 *const to = ring->stages + stage * RING_STAGE;
  bulk_fetch(to, (const uint4 *)ring->x + v, (u32)vectors * 16, ring->filled + stage);
  if (RING_ARRAYS == 2)
    bulk_fetch(to + RING_VECTORS, (const uint4 *)ring->y + v, (u32)vectors * 16,
               ring->filled + stage);
}

HD_DEVICE void warp_ring_open(struct ring *ring, u64 x, u64 y, u64 vectors, uint4 *shared,
                              u64 *filled) {
  const u32 warp = threadIdx.x / 32;
  ring->x = x, ring->y = y, ring->vectors = vectors;
  ring->at = ((u64)blockIdx.x * RING_WARPS + warp) * RING_VECTORS;
  ring->stages = shared + warp * RING_STAGES * RING_STAGE;
  ring->filled = filled + warp * RING_STAGES;
  ring->stage = ring->odd = 0;
  if (threadIdx.x % 32 == 0) {
    for (u32 i = 0; i < RING_STAGES; i++) signal_open(ring->filled + i, RING_ARRAYS);
    signal_opened();
    for (u32 i = 0; i < RING_STAGES && ring->at + i * ring_step() < vectors; i++)
      thread_ring_fetch(ring, ring->at + i * ring_step(), i);
  }
  __syncwarp(); /* signals are open */
}

HD_DEVICE void thread_ring_vectors(const uint4 *batch, u64 left, u32 words[RING_LOADS][4]) {
#pragma unroll
  for (u32 i = 0; i < RING_LOADS; i++) {
    const u32 at = 32 * i + threadIdx.x % 32;
    uint4 v = make_uint4(0, 0, 0, 0);
    if (at < left) v = batch[at];
    words[i][0] = v.x, words[i][1] = v.y, words[i][2] = v.z, words[i][3] = v.w;
  }
}

HD_DEVICE void warp_ring_take(struct ring *ring, u32 wx[RING_LOADS][4], u32 wy[RING_LOADS][4]) {
  const uint4 *const batch = ring->stages + ring->stage * RING_STAGE;
  const u64 left = ring->vectors - ring->at, behind = ring->at + RING_STAGES * ring_step();
  warp_signal_wait(ring->filled + ring->stage, ring->odd);
  thread_ring_vectors(batch, left, wx);
  if (RING_ARRAYS == 2) thread_ring_vectors(batch + RING_VECTORS, left, wy);
  __syncwarp(); /* the stage has been read */
  if (threadIdx.x % 32 == 0 && behind < ring->vectors) thread_ring_fetch(ring, behind, ring->stage);
  if (++ring->stage == RING_STAGES) ring->stage = 0, ring->odd ^= 1;
  ring->at += ring_step();
}

#else

HD_DEVICE void warp_ring_open(struct ring *ring, u64 x, u64 y, u64 vectors, uint4 *shared,
                              u64 *filled) {
  (void)shared, (void)filled;
  ring->x = x, ring->y = y, ring->vectors = vectors;
  ring->at = ((u64)blockIdx.x * RING_WARPS + threadIdx.x / 32) * RING_VECTORS;
}

HD_DEVICE void warp_ring_take(struct ring *ring, u32 wx[RING_LOADS][4], u32 wy[RING_LOADS][4]) {
#pragma unroll
  for (u32 i = 0; i < RING_LOADS; i++) {
    const u64 v = ring->at + 32 * i + threadIdx.x % 32;
    wx[i][0] = wx[i][1] = wx[i][2] = wx[i][3] = 0;
    if (RING_ARRAYS == 2) wy[i][0] = wy[i][1] = wy[i][2] = wy[i][3] = 0;
    if (v >= ring->vectors) continue;
    const uint4 mine = load16((const uint4 *)ring->x + v);
    wx[i][0] = mine.x, wx[i][1] = mine.y, wx[i][2] = mine.z, wx[i][3] = mine.w;
#if RING_ARRAYS == 2
    load_words((const u8 *)ring->y + 16 * v, 16, RING_ALIGN, wy[i]);
#endif
  }
  ring->at += ring_step();
}

#endif
#endif

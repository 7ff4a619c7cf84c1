/* By key 04: segmented scan of a warp
 *
 * Idea     __ballot_sync tells every lane where all heads are: bit by bit in one word. The bits up
 *          to a lane, and __clz of them, give its distance to the head of its run, once and for
 *          all. Then the sums move by shuffles, and a lane takes the sum from `distance` lanes to
 *          the left as long as its head is as far away or farther
 * Cost     one ballot and 5 steps for 32 elements, up to 129 adds; no shared memory, no barrier
 * Shows    flags need not travel with the sums, as they do in rung 03: half of what moves is saved,
 *          and so is the second operation. Result: a scan of each 32 elements, with a head in
 *          front of each; what reaches across is rung 05's matter
 * Source   Sengupta, Harris and Garland 2008 (segmented scan of a warp); here by ballot
 *
 * //! title: segmented scan of a warp: ballot, clz
 * //! expect: right
 */
#ifndef LADDER_PARTS
#define LADDER_PARTS
#define WARP_SCAN_MAIN
#endif
#include "bykey.h"

#ifdef RUN_FLOATS /* rung 13 sums floats */
typedef float run_sum;
#else
typedef unsigned int run_sum;
#endif

/* The sum of a lane's run from its head, or from lane 0, up to the lane; bit k of heads: lane k is
 * one. All 32 lanes must come. */
__device__ static run_sum scan_run_in_warp(run_sum x, unsigned int heads) {
  const unsigned int lane = threadIdx.x % 32;
  const unsigned int upto = heads & 0xffffffffu >> (31 - lane);
  const unsigned int to_head = upto ? lane - (31 - (unsigned int)__clz((int)upto)) : lane;
  for (unsigned int distance = 1; distance < 32; distance *= 2) {
    const run_sum left = __shfl_up_sync(0xffffffffu, x, distance);
    if (distance <= to_head) {
      x += left;
      LADDER_WORK(1);
    }
    LADDER_STEP();
  }
  return x;
}

/* True where a run begins. */
__device__ static bool is_head(const unsigned int *keys, size_t n, size_t i) {
  return i < n && (i == 0 || keys[i] != keys[i - 1]);
}

#ifdef WARP_SCAN_MAIN /* rungs 05, 13 and 15 take the parts */
__global__ void scan_warps(const unsigned int *keys, const unsigned int *values, size_t n,
                           unsigned int *out) {
  const size_t i = blockIdx.x * (size_t)BLOCK + threadIdx.x;
  const unsigned int heads = __ballot_sync(0xffffffffu, i >= n || is_head(keys, n, i));
  const unsigned int sum = scan_run_in_warp(i < n ? values[i] : 0, heads);
  if (i >= n) return;
  out[i] = sum;
  LADDER_READ(3);
  LADDER_WROTE(1);
}

static void launch(struct bykey *b) {
  scan_warps<<<sort_blocks(b->n, BLOCK), BLOCK>>>(b->keys, b->values, b->n, b->out);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 26, 3 * sizeof(unsigned int));
  bykey_main(BYKEY_SCAN, 32, 0, launch);
  return ladder_end();
}
#endif

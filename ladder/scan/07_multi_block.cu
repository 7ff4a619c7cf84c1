/* Scan 07: many blocks: scan, scan of the sums, add
 *
 * Idea     each block scans its tile and leaves the tile's sum; the sums are scanned, by the
 *          same kernel, on and on until one block will do; each block adds what is before it
 * Cost     3 launches up to 2^20 elements, 5 up to 2^30. A tile of 1024: 5 + 5 steps by
 *          shuffles, as Hillis and Steele within warps; one read and two writes an element,
 *          then one read and one write more
 * Shows    how a block's method becomes an array's: blocks of a launch do not wait for each
 *          other, launches do. Twice the traffic of one pass is what single-pass methods save
 * Source   Harris, Sengupta and Owens, Parallel Prefix Sum (Scan) with CUDA, GPU Gems 3, 2007;
 *          one pass: Merrill and Garland, Decoupled Look-back, 2016
 *
 * //! title: many blocks: scan, scan of sums, add
 * //! expect: right
 */
#include "scan.h"

enum { TILE = 1024 };

/* Inclusive scan over a warp. Who must arrive: all 32 lanes; each holds its own result. */
__device__ static unsigned int warp_scan(unsigned int x) {
  const unsigned int lane = threadIdx.x % 32;
  for (unsigned int distance = 1; distance < 32; distance *= 2) {
    const unsigned int left = __shfl_up_sync(0xffffffffu, x, distance);
    if (lane >= distance) {
      x += left;
      LADDER_WORK(1);
    }
    LADDER_STEP();
  }
  return x;
}

/* Inclusive scan over a tile of 1024; sums[block] is the tile's sum. */
__global__ void scan_tiles(const unsigned int *in, size_t n, unsigned int *out,
                           unsigned int *sums) {
  __shared__ unsigned int of_warp[32];
  const unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const size_t i = blockIdx.x * (size_t)TILE + threadIdx.x;
  unsigned int x = i < n ? in[i] : 0;
  if (i < n) LADDER_READ(1);
  x = warp_scan(x);
  if (lane == 31) of_warp[warp] = x;
  __syncthreads(); /* the sum of every warp is there */
  if (warp == 0) of_warp[lane] = warp_scan(of_warp[lane]);
  __syncthreads(); /* and what lies before each */
  if (warp > 0) {
    x += of_warp[warp - 1];
    LADDER_WORK(1);
  }
  LADDER_STEP();
  if (i < n) {
    out[i] = x;
    LADDER_WROTE(1);
  }
  if (threadIdx.x == TILE - 1) {
    sums[blockIdx.x] = x;
    LADDER_WROTE(1);
  }
}

__global__ void add_before(unsigned int *out, size_t n, const unsigned int *sums) {
  const size_t i = blockIdx.x * (size_t)TILE + threadIdx.x;
  LADDER_STEP();
  if (i >= n || blockIdx.x == 0) return;
  out[i] += sums[blockIdx.x - 1];
  LADDER_READ(2);
  LADDER_WROTE(1);
  LADDER_WORK(1);
}

/* work: the sums of this level and of all above, n / 1024 + n / 1024^2 + ... places */
static void multi_block(const unsigned int *in, size_t n, unsigned int *out, unsigned int *work) {
  const size_t blocks = (n + TILE - 1) / TILE;
  scan_tiles<<<(unsigned int)blocks, TILE>>>(in, n, out, work);
  if (blocks == 1) return;
  multi_block(work, blocks, work, work + blocks);
  add_before<<<(unsigned int)blocks, TILE>>>(out, n, work);
}

#ifndef LADDER_PARTS /* the rungs of radix sorts take the kernels alone */
int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 16, 1 << 28, 4 * sizeof(unsigned int));
  scan_main(SCAN_INCLUSIVE, 0, multi_block);
  return ladder_end();
}
#endif

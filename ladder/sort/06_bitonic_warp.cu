/* Sort 06: a warp sorts its 32 keys
 *
 * Idea     a key a lane, in a register. The comparators of rung 04 become shuffles: a lane asks
 *          its partner, lane ^ (size - 1) in a stage's first step, lane ^ distance in the others,
 *          for its key and keeps the smaller one if it is the lower lane, else the larger one
 * Cost     15 steps for 32 keys, a comparison a lane in each; no shared memory, no barrier
 * Shows    both lanes of a pair compare and keep one key each: nothing is exchanged through
 *          memory. Result: every 32 keys in order, what longer sorts begin with
 * Source   Batcher 1968; warp shuffles: CUDA C++ Programming Guide
 *
 * //! title: bitonic of a warp by shuffles
 * //! expect: right
 */
#include "sort.h"

enum { WARP = 32, ALL = -1 };

/* What a lane keeps of its key and its partner's. All 32 lanes must come. */
__device__ static unsigned int keep(unsigned int key, unsigned int partner_bits) {
  const unsigned int lane = threadIdx.x % WARP;
  const unsigned int other = __shfl_xor_sync((unsigned int)ALL, key, (int)partner_bits);
  LADDER_STEP();
  LADDER_WORK(1);
  return lane < (lane ^ partner_bits) ? min(key, other) : max(key, other);
}

__global__ void sort_warps(const unsigned int *in, size_t n, unsigned int *out) {
  const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  unsigned int key = i < n ? in[i] : 0xffffffffu; /* greatest: stays behind the end */
  if (i < n) LADDER_READ(1);
  for (unsigned int size = 2; size <= WARP; size *= 2) {
    key = keep(key, size - 1);
    for (unsigned int distance = size / 4; distance > 0; distance /= 2) key = keep(key, distance);
  }
  if (i >= n) return;
  out[i] = key;
  LADDER_WROTE(1);
}

static void launch(const unsigned int *in, size_t n, unsigned int *out, unsigned int *work) {
  (void)work;
  sort_warps<<<sort_blocks(n, 256), 256>>>(in, n, out);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 26, 2 * sizeof(unsigned int));
  sort_main(WARP, 0, launch);
  return ladder_end();
}

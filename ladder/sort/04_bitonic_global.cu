/* Sort 04: bitonic merges in global memory
 *
 * Idea     two sorted halves become one: the first step of a stage compares the i-th key from
 *          the left with the i-th from the right, after which every key of the left half is at
 *          most every key of the right; then each half does the same with keys half as far apart,
 *          down to neighbours. Stages of 2, 4, 8, ... keys; each step is a launch
 * Cost     for n = 2^k: k (k + 1) / 2 steps of n / 2 compare-exchanges: 6 steps, 24 for 8 keys
 * Shows    which pairs are compared does not depend on the keys: no divergence, no data-dependent
 *          addresses. log2 n times the work of a merge, in few steps. A comparator always puts
 *          the larger key behind, so that keys behind the end count as infinite and stay there:
 *          pairs that reach beyond n are left out, and any length is sorted
 * Source   Batcher 1968; the form with all comparators in one direction: Dowd et al. 1989
 *
 * //! title: bitonic, a launch a step
 * //! expect: right
 */
#include "sort.h"

/* Pair `pair` of a stage's first step, whose comparators cross in the middle of `size` keys; of
 * a later step, whose keys are `distance` apart. */
__device__ static size_t crossing_low(size_t pair, size_t size) {
  return pair / (size / 2) * size + pair % (size / 2);
}
__device__ static size_t crossing_high(size_t pair, size_t size) {
  return pair / (size / 2) * size + size - 1 - pair % (size / 2);
}
__device__ static size_t straight_low(size_t pair, size_t distance) {
  return 2 * pair - (pair & (distance - 1));
}

/* Returns the keys written: two or none. */
__device__ static unsigned int exchange(unsigned int *keys, size_t n, size_t low, size_t high) {
  if (high >= n) return 0;
  const unsigned int a = keys[low], b = keys[high];
  LADDER_WORK(1);
  if (a <= b) return 0;
  keys[low] = b;
  keys[high] = a;
  return 2;
}

__global__ void crossing_step(unsigned int *keys, size_t n, size_t size) {
  const size_t pair = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  const size_t low = crossing_low(pair, size), high = crossing_high(pair, size);
  const unsigned int written = exchange(keys, n, low, high);
  LADDER_STEP();
  LADDER_READ(high < n ? 2 : 0);
  LADDER_WROTE(written);
}
__global__ void straight_step(unsigned int *keys, size_t n, size_t distance) {
  const size_t low = straight_low(blockIdx.x * (size_t)blockDim.x + threadIdx.x, distance);
  const unsigned int written = exchange(keys, n, low, low + distance);
  LADDER_STEP();
  LADDER_READ(low + distance < n ? 2 : 0);
  LADDER_WROTE(written);
}

static size_t power_of_two(size_t n) { /* the least that is not below n */
  size_t p = 1;
  while (p < n) p *= 2;
  return p;
}

#ifndef LADDER_PARTS /* rungs 05 and 07 take the steps alone */
static void launch(const unsigned int *in, size_t n, unsigned int *out, unsigned int *work) {
  const size_t padded = power_of_two(n);
  const unsigned int blocks = sort_blocks(padded / 2 + 1, 256);
  (void)work;
  CHECK(cudaMemcpy(out, in, n * sizeof *in, cudaMemcpyDeviceToDevice));
  for (size_t size = 2; size <= padded; size *= 2) {
    crossing_step<<<blocks, 256>>>(out, n, size);
    for (size_t distance = size / 4; distance > 0; distance /= 2)
      straight_step<<<blocks, 256>>>(out, n, distance);
  }
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 24, 2 * sizeof(unsigned int));
  sort_main(ladder.size + SORT_FEWEST, 0, launch);
  return ladder_end();
}
#endif

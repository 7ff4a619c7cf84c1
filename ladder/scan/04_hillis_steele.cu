/* Scan 04: Hillis and Steele
 *
 * Idea     in step d = 1, 2, 4, ... every element adds the one d places to the left: after it
 *          each holds the sum of 2 d elements up to itself. Two arrays take turns, since a step
 *          reads what it must not yet have overwritten
 * Cost     log2 n steps; n - d adds in step d, n log2 n - n + 1 in all: 3 steps, 17 adds for 8
 * Shows    the fewest steps there are, bought with nearly log2 n times the work of the loop:
 *          right where there are as many processors as elements. Inclusive
 * Source   Hillis and Steele, Data Parallel Algorithms, 1986
 *
 * //! title: Hillis and Steele: fewest steps
 * //! expect: right
 */
#include "scan.h"

__global__ void hillis_steele_step(const unsigned int *in, size_t n, size_t distance,
                                   unsigned int *out) {
  const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  LADDER_STEP();
  if (i >= n) return;
  unsigned int sum = in[i];
  LADDER_READ(1);
  if (i >= distance) {
    sum += in[i - distance];
    LADDER_READ(1);
    LADDER_WORK(1);
  }
  out[i] = sum;
  LADDER_WROTE(1);
}

/* out and work take turns such that the last step writes out. */
static void hillis_steele(const unsigned int *in, size_t n, unsigned int *out, unsigned int *work) {
  unsigned int *to = out, *other = work;
  for (size_t distance = 2; distance < n; distance *= 2) {
    unsigned int *const swap = to;
    to = other;
    other = swap;
  }
  if (n == 1) CHECK(cudaMemcpy(out, in, sizeof *in, cudaMemcpyDeviceToDevice));
  for (size_t distance = 1; distance < n; distance *= 2) {
    hillis_steele_step<<<scan_blocks(n), 256>>>(in, n, distance, to);
    scan_step(to, n, 1, "step:");
    unsigned int *const swap = to;
    in = to;
    to = other;
    other = swap;
  }
}

#ifndef LADDER_PARTS /* rungs 06, 10 and 11 take the kernel alone */
int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 16, 1 << 28, 4 * sizeof(unsigned int));
  scan_main(SCAN_INCLUSIVE, 1, hillis_steele);
  return ladder_end();
}
#endif

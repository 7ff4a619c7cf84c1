/* Scan 05: Blelloch
 *
 * Idea     up: a tree of sums, in place, each pair's sum in its right element. The root is set
 *          to 0. Down: a node that holds the sum of all before it gives that to its left child,
 *          and that plus the left child's sum to the right one
 * Cost     2 log2 n steps, 2 (n - 1) adds: 6 steps, 14 adds for 8
 * Shows    twice the steps of Hillis and Steele with a constant times the work of the loop: right
 *          where elements are many and processors few. Exclusive. On 1..8 the pair (11, 10) of
 *          left child and parent becomes (10, 21). Other lengths are filled up with zeros to a
 *          power of two
 * Source   Blelloch, Prefix Sums and Their Applications, 1990
 *
 * //! title: Blelloch: up and down a tree
 * //! expect: right
 */
#include "scan.h"

/* Node k of this level is element (k + 1) * 2 distance - 1. */
__global__ void blelloch_up(unsigned int *a, size_t nodes, size_t distance) {
  const size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  const size_t right = (k + 1) * 2 * distance - 1;
  LADDER_STEP();
  if (k >= nodes) return;
  a[right] += a[right - distance];
  LADDER_READ(2);
  LADDER_WROTE(1);
  LADDER_WORK(1);
}

__global__ void blelloch_down(unsigned int *a, size_t nodes, size_t distance) {
  const size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  const size_t right = (k + 1) * 2 * distance - 1;
  LADDER_STEP();
  if (k >= nodes) return;
  const unsigned int left_sum = a[right - distance], before = a[right];
  a[right - distance] = before;
  a[right] = before + left_sum;
  LADDER_READ(2);
  LADDER_WROTE(2);
  LADDER_WORK(1);
}

/* Levels of `from` up to fewer than `to` elements a node, or back. */
static void sweep_up(unsigned int *a, size_t n, size_t from, size_t to) {
  for (size_t distance = from; distance < to; distance *= 2) {
    const size_t nodes = n / (2 * distance);
    blelloch_up<<<scan_blocks(nodes), 256>>>(a, nodes, distance);
    scan_step(a, n, 2 * distance, "up:");
  }
}
static void sweep_down(unsigned int *a, size_t n, size_t from, size_t to) {
  for (size_t distance = to / 2; distance >= from; distance /= 2) {
    const size_t nodes = n / (2 * distance);
    blelloch_down<<<scan_blocks(nodes), 256>>>(a, nodes, distance);
    scan_step(a, n, distance, "down:");
    if (distance == from) break;
  }
}

static void blelloch_load(const unsigned int *in, size_t n, unsigned int *work, size_t padded) {
  CHECK(cudaMemcpy(work, in, n * sizeof *in, cudaMemcpyDeviceToDevice));
  if (padded > n) CHECK(cudaMemset(work + n, 0, (padded - n) * sizeof *in));
}

static inline void blelloch(const unsigned int *in, size_t n, unsigned int *out,
                            unsigned int *work) {
  const size_t padded = scan_power_of_two(n);
  blelloch_load(in, n, work, padded);
  sweep_up(work, padded, 1, padded);
  CHECK(cudaMemset(work + padded - 1, 0, sizeof *work));
  if (scan_watcher == scan_print_row) scan_print_row(work, padded, padded, "down:");
  sweep_down(work, padded, 1, padded);
  CHECK(cudaMemcpy(out, work, n * sizeof *in, cudaMemcpyDeviceToDevice));
}

#ifndef LADDER_PARTS /* rungs 06, 10 and 11 take the kernels alone */
static void show_pair(void) {
  unsigned int pair[2] = {11, 10}, *device = scan_memory(2);
  scan_to_device(device, pair, 2);
  blelloch_down<<<1, 1>>>(device, 1, 1);
  CHECK(cudaGetLastError());
  scan_to_host(pair, device, 2);
  printf("pair (11, 10) gives (%u, %u)\n", pair[0], pair[1]);
  ladder_true(pair[0] == 10 && pair[1] == 21, "the pair is not (10, 21)");
  CHECK(cudaFree(device));
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 16, 1 << 28, 4 * sizeof(unsigned int));
  show_pair();
  scan_main(SCAN_EXCLUSIVE, 1, blelloch);
  return ladder_end();
}
#endif

/* Histogram 12, BUG: ++bins[v] by many threads
 *
 * Idea     what rung 01 is without the atomic: two threads read the same count, both add one,
 *          both write, one add is lost
 * Cost     1 step, n adds, of which some are lost
 * Shows    the race that atomics are for. In lockstep all 32 lanes of a warp read before one
 *          writes, so that constant data leaves n / 32; on the software device, where threads
 *          run one after the other unless they wait, nothing may be lost, and the program
 *          looks right: comparing results does not find such a bug, a race checker does
 * Source   the course's first, wrong, version
 *
 * //! title: BUG: counting without atomics
 * //! expect: caught race
 */
#include "../common/ladder_bytes.h"

__global__ void count_racing(const unsigned char *data, size_t n, unsigned int *bins) {
  const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  LADDER_STEP();
  if (i < n) {
    LADDER_READ(2);
    LADDER_WROTE(1);
    LADDER_WORK(1);
    ++bins[data[i]]; /* BUG: between the read and the write others count too */
  }
}

static void launch(const unsigned char *data, size_t n, unsigned int *bins) {
  count_racing<<<(unsigned int)((n + 255) / 256), 256>>>(data, n, bins);
}

int main(int argc, char **argv) {
  struct bytes_memory m;
  unsigned long long sum = 0;
  bytes_begin(argc, argv, __FILE__, &m);
  CHECK(bytes_once(&m, ladder.size, launch));
  for (int i = 0; i < BYTE_BINS; ++i) sum += m.bins[i];
  printf("Histogram Sum: %llu of %zu\n", sum, ladder.size);
  ladder_key_count("sum", sum);
  if (sum != ladder.size) ladder_caught("race: %llu adds lost", ladder.size - sum);
  ladder_needs_check("race: no add was lost in this run");
  return bytes_end(&m);
}

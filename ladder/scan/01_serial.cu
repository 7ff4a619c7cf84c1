/* Scan 01: one loop on the host
 *
 * Idea     running totals: each output is the one before and one element more
 * Cost     n - 1 adds in n - 1 steps
 * Shows    what inclusive and exclusive mean: 1 2 3 4 -> 1 3 6 10, and 0 1 3 6, where output i
 *          leaves element i out. The result that every other rung must reach
 * Source   the textbook's first program
 *
 * //! title: serial loop on the host
 * //! expect: right
 */
#include "scan.h"

static void show(const char *name, const unsigned int *out) {
  printf("%s: 1 2 3 4 -> %u %u %u %u\n", name, out[0], out[1], out[2], out[3]);
}

/* out[i] taken from the sums before it, in 64 bits: another way than the loop's. */
static void check(const unsigned int *in, size_t n, const unsigned int *inclusive,
                  const unsigned int *exclusive) {
  unsigned long long sum = 0;
  for (size_t i = 0; i < n; ++i) {
    ladder_true(exclusive[i] == (unsigned int)sum, "the exclusive scan is wrong");
    sum += in[i];
    ladder_true(inclusive[i] == (unsigned int)sum, "the inclusive scan is wrong");
  }
}

int main(int argc, char **argv) {
  static const unsigned int four[4] = {1, 2, 3, 4};
  unsigned int out[4];
  ladder_begin(argc, argv, __FILE__, 1 << 16, 1 << 28, 0);
  scan_serial(SCAN_INCLUSIVE, four, 4, out);
  show("inclusive", out);
  scan_serial(SCAN_EXCLUSIVE, four, 4, out);
  show("exclusive", out);
  const size_t n = ladder.size;
  unsigned int *in = (unsigned int *)ladder_host_memory(n * sizeof *in);
  unsigned int *inclusive = (unsigned int *)ladder_host_memory(n * sizeof *in);
  unsigned int *exclusive = (unsigned int *)ladder_host_memory(n * sizeof *in);
  for (size_t i = 0; i < n; ++i) in[i] = ladder_value(i, n, 1u << 20);
  for (int run = 0; run < ladder.runs; ++run) {
    ladder_start();
    scan_serial(SCAN_INCLUSIVE, in, n, inclusive);
    ladder_host(LADDER_COUNT_STEPS, n - 1);
    ladder_host(LADDER_COUNT_WORK, n - 1);
    CHECK(ladder_stop());
  }
  scan_serial(SCAN_EXCLUSIVE, in, n, exclusive);
  check(in, n, inclusive, exclusive);
  printf("Last of %zu: %u\n", n, inclusive[n - 1]);
  ladder_moves(2.0 * (double)n * sizeof *in);
  free(in);
  free(inclusive);
  free(exclusive);
  return ladder_end();
}

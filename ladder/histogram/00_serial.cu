/* Histogram 00: one loop on the host
 *
 * Idea     bins[byte] += 1 for each byte, by one thread of the CPU
 * Cost     n steps, n adds
 * Shows    the result that every other rung must reach, and the time to beat
 * Source   the textbook's first program
 *
 * //! title: serial loop on the host
 * //! expect: right
 */
#include "../common/ladder_bytes.h"

int main(int argc, char **argv) {
  struct bytes_memory m;
  bytes_begin(argc, argv, __FILE__, &m);
  for (int run = 0; run < ladder.runs; ++run) {
    memset(m.bins, 0, sizeof m.bins);
    ladder_start();
    for (size_t i = 0; i < ladder.size; ++i) ++m.bins[m.data[i]];
    ladder_host(LADDER_COUNT_STEPS, ladder.size);
    ladder_host(LADDER_COUNT_WORK, ladder.size);
    CHECK(ladder_stop());
  }
  bytes_verify(m.data, ladder.size, m.bins);
  return bytes_end(&m);
}

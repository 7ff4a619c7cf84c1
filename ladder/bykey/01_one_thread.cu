/* By key 01: one thread sums each run
 *
 * Idea     equal keys that are neighbours are a run. Walk through the keys; where one differs from
 *          the one before, a run has ended: its key and its sum are written, the sum begins anew
 * Cost     n steps, n adds; reads each key and value once, writes two words a run
 * Shows    two things that a processor alone has for nothing and many threads have not: where the
 *          next result goes, which is how many runs there were before; and a sum that knows when
 *          to begin anew. All rungs up to 05 are about these two
 * Source   reduce by key as in Thrust; GROUP BY on sorted rows
 *
 * //! title: one thread: sum by key
 * //! expect: right
 */
#include "bykey.h"

__global__ void sum_runs(const unsigned int *keys, const unsigned int *values, size_t n,
                         unsigned int *out_keys, unsigned int *sums, unsigned int *count) {
  unsigned int runs = 0, key = keys[0], sum = 0;
  for (size_t i = 0; i < n; ++i) {
    if (keys[i] != key) {
      out_keys[runs] = key;
      sums[runs++] = sum;
      key = keys[i];
      sum = 0;
    }
    sum += values[i];
    LADDER_STEP();
  }
  out_keys[runs] = key;
  sums[runs++] = sum;
  *count = runs;
  LADDER_READ(2 * n);
  LADDER_WORK(n);
  LADDER_WROTE(2 * runs + 1);
}

static void launch(struct bykey *b) {
  sum_runs<<<1, 1>>>(b->keys, b->values, b->n, b->out_keys, b->out, b->count);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 14, 4 * sizeof(unsigned int));
  bykey_main(BYKEY_SUMS, ladder.size + BYKEY_FEWEST, 0, launch);
  return ladder_end();
}

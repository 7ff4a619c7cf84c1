/* Reduce 06: 2^20 elements in two launches, and their traffic
 *
 * Idea     1024 blocks make 1024 sums of 1024 elements, one block more adds the 1024 sums: the
 *          launch is the barrier between blocks. Counted with the trees of rungs 04 and 05
 * Cost     20 steps, 2^20 - 1 adds. Global memory: 1,025 (2,047 + 1,024) = 3,147,775 words;
 *          shared memory: 1,025 (1,024 + 1) = 1,050,625 words
 * Shows    the formulas, counted by the kernels themselves, on any device. They count whatever
 *          the compile flags say, so that there are no times here: see rungs 04 and 05
 * Source   Brent 1974: with fewer processors than elements, each step of the tree is cut
 *          into rounds
 *
 * //! title: 1024 x 1024 in two launches: traffic
 * //! expect: right
 * //! size: fixed
 */
#ifndef LADDER_COUNT
#define LADDER_COUNT
#endif
#include "reduce.h"

#define LADDER_PARTS /* the trees of two rungs, without main */
#include "04_global_tree.cu"
#include "05_shared_tree.cu"

enum { MEBI = 1 << 20 };

static unsigned long long words(void) {
  return ladder.counts[LADDER_COUNT_READS] + ladder.counts[LADDER_COUNT_WRITES];
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, MEBI, MEBI, 2 * sizeof(REAL));
  reduce_fixed(MEBI, "1024 tiles of 1024");
  reduce_count(1024, 1024, pass_in_global, "global");
  ladder_true(words() == 3071 * REAL_WORDS, "the tree in global memory: not 3,071 numbers moved");
  reduce_count(1024, 1024, pass_in_shared, "shared");
  ladder_true(words() == 1025 * REAL_WORDS, "the tree in shared memory: not 1,025 numbers moved");
  reduce_count(MEBI, 1024, pass_in_global, "global");
  ladder_true(words() == 3147775 * REAL_WORDS, "in global memory: not 3,147,775 numbers moved");
  reduce_count(MEBI, 1024, pass_in_shared, "shared");
  ladder_true(words() == 1050625 * REAL_WORDS, "in shared memory: not 1,050,625 numbers moved");
  return ladder_end();
}

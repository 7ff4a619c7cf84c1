/* Sort 07: sorted tiles, merged along their path
 *
 * Idea     tiles of 1024 are sorted by rung 05's kernel; then two sorted pieces become one, 1024
 *          with 1024, 2048 with 2048, ... Where a thread's eight outputs begin in the two pieces
 *          is found by bisection: of the first d outputs, a of the left piece and d - a of the
 *          right one, a is the least with left[a] > right[d - 1 - a]
 * Cost     log2 (n / 1024) launches; in each log2 n comparisons a thread to find its place, and
 *          8 to merge
 * Shows    a merge looks serial, yet every thread can begin in its middle, and all have the same
 *          number of outputs whatever the keys are. n log2 n work again, as rung 01. Stable from
 *          the tiles on: of equal keys the left one comes first
 * Source   Odeh, Green, Mwassi, Shmueli and Birk, Merge Path, 2012
 *
 * //! title: merge path
 * //! expect: right
 */
#define LADDER_PARTS
#include "05_bitonic_shared.cu"

enum { OUTPUTS = 8 };

/* How many of the first d outputs of merging a and b come from a. */
__device__ static size_t path(const unsigned int *a, size_t na, const unsigned int *b, size_t nb,
                              size_t d) {
  size_t low = d > nb ? d - nb : 0, high = d < na ? d : na;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    LADDER_READ(2);
    LADDER_WORK(1);
    LADDER_STEP();
    if (a[middle] <= b[d - 1 - middle])
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

__global__ void merge_pieces(const unsigned int *in, size_t n, size_t width, unsigned int *out) {
  const size_t own = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * OUTPUTS;
  if (own >= n) return;
  const size_t first = own / (2 * width) * (2 * width);
  const size_t middle = first + width < n ? first + width : n;
  const size_t end = middle + width < n ? middle + width : n;
  const unsigned int *const a = in + first, *const b = in + middle;
  const size_t na = middle - first, nb = end - middle;
  size_t i = path(a, na, b, nb, own - first), k = own - first - i;
  for (size_t to = own; to < own + OUTPUTS && to < n; ++to) {
    const bool left = k == nb || (i < na && a[i] <= b[k]);
    out[to] = left ? a[i] : b[k];
    if (left)
      ++i;
    else
      ++k;
    LADDER_READ(1);
    LADDER_WROTE(1);
    LADDER_WORK(1);
    LADDER_STEP();
  }
}

/* out and work take turns such that the last launch writes out. */
static void launch(const unsigned int *in, size_t n, unsigned int *out, unsigned int *work) {
  const unsigned int blocks = sort_blocks(n, 128 * OUTPUTS);
  unsigned int *from = out, *to = work;
  for (size_t width = SORT_TILE; width < n; width *= 2) {
    unsigned int *const swap = from;
    from = to;
    to = swap;
  }
  sort_tiles<<<sort_blocks(n, SORT_TILE), PAIRS>>>(in, n, from);
  for (size_t width = SORT_TILE; width < n; width *= 2) {
    merge_pieces<<<blocks, 128>>>(from, n, width, to);
    unsigned int *const swap = from;
    from = to;
    to = swap;
  }
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 24, 3 * sizeof(unsigned int));
  sort_main(ladder.size + SORT_FEWEST, sort_at_least(ladder.size), launch);
  return ladder_end();
}

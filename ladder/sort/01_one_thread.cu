/* Sort 01: one thread merges
 *
 * Idea     pieces of 1, 2, 4, ... keys are in order; two neighbours become one piece by taking
 *          the smaller of their first keys, again and again. Two arrays take turns
 * Cost     log2 n rounds over all keys: up to n comparisons each, one after the other
 * Shows    the work that no sort by comparisons falls below, n log2 n, and that a thread alone
 *          needs as many steps. Stable: of equal keys the left one is taken
 * Source   von Neumann's merge sort, 1945, as in Knuth, Sorting and Searching, 5.2.4
 *
 * //! title: one thread merges
 * //! expect: right
 */
#include "sort.h"

/* Merges a[0..na) and b[0..nb) into out. */
__device__ static void merge(const unsigned int *a, size_t na, const unsigned int *b, size_t nb,
                             unsigned int *out) {
  size_t i = 0, k = 0;
  while (i < na || k < nb) {
    bool left = k == nb;
    if (i < na && k < nb) {
      left = a[i] <= b[k];
      LADDER_WORK(1);
    }
    out[i + k] = left ? a[i] : b[k];
    if (left)
      ++i;
    else
      ++k;
    LADDER_STEP();
  }
  LADDER_READ(na + nb);
  LADDER_WROTE(na + nb);
}

__global__ void merge_round(const unsigned int *in, size_t n, size_t width, unsigned int *out) {
  for (size_t first = 0; first < n; first += 2 * width) {
    const size_t middle = first + width < n ? first + width : n;
    const size_t end = middle + width < n ? middle + width : n;
    merge(in + first, middle - first, in + middle, end - middle, out + first);
  }
}

/* out and work take turns such that the last round writes out. */
static void launch(const unsigned int *in, size_t n, unsigned int *out, unsigned int *work) {
  unsigned int *to = out, *other = work;
  for (size_t width = 2; width < n; width *= 2) {
    unsigned int *const swap = to;
    to = other;
    other = swap;
  }
  if (n == 1) CHECK(cudaMemcpy(out, in, sizeof *in, cudaMemcpyDeviceToDevice));
  for (size_t width = 1; width < n; width *= 2) {
    merge_round<<<1, 1>>>(in, n, width, to);
    unsigned int *const swap = to;
    in = to;
    to = other;
    other = swap;
  }
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 14, 3 * sizeof(unsigned int));
  sort_main(ladder.size + SORT_FEWEST, sort_at_least(ladder.size), launch);
  return ladder_end();
}

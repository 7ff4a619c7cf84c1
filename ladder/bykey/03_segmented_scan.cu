/* By key 03: segmented scan: pairs of a flag and a sum
 *
 * Idea     a sum that begins anew at every head is a scan, if pairs are added:
 *            (f, a) + (g, b) = (f or g, g ? b : a + b)
 *          A pair with a flag does not let through what comes from the left. This operator is
 *          associative, so that Hillis and Steele's scan takes it as it takes +. One block walks
 *          over tiles of 256; the last pair of a tile is the carry into the next
 * Cost     8 steps a tile, nearly 8 operations an element; 3 words read and one written
 * Shows    the sums of all runs at once, whatever their lengths: a run of one element costs what
 *          a run of thousands costs, no thread has more to do than another
 * Source   Schwartz 1980; Blelloch 1990 (segmented scans); Hillis and Steele 1986
 *
 * //! title: segmented scan: pairs of flag and sum
 * //! expect: right
 */
#include "bykey.h"

__global__ void scan_runs(const unsigned int *keys, const unsigned int *values, size_t n,
                          unsigned int *out) {
  __shared__ unsigned int flag[BLOCK], sum[BLOCK];
  const unsigned int t = threadIdx.x;
  unsigned int carry = 0; /* the open run's sum; every thread has it */
  for (size_t first = 0; first < n; first += BLOCK) {
    const size_t i = first + t;
    flag[t] = i < n && (i == 0 || keys[i] != keys[i - 1]);
    sum[t] = i < n ? values[i] : 0;
    if (i < n) LADDER_READ(3);
    __syncthreads(); /* all pairs are there */
    for (unsigned int distance = 1; distance < BLOCK; distance *= 2) {
      const unsigned int left_flag = t >= distance ? flag[t - distance] : 0;
      const unsigned int left_sum = t >= distance && !flag[t] ? sum[t - distance] : 0;
      if (t >= distance && i < n) LADDER_WORK(1);
      LADDER_STEP();
      __syncthreads(); /* all have read */
      flag[t] |= left_flag;
      sum[t] += left_sum;
      __syncthreads(); /* all have added */
    }
    if (i < n) {
      out[i] = sum[t] + (flag[t] ? 0 : carry);
      LADDER_WROTE(1);
    }
    carry = sum[BLOCK - 1] + (flag[BLOCK - 1] ? 0 : carry);
    __syncthreads(); /* all have the carry: the next tile may come */
  }
}

static void launch(struct bykey *b) { scan_runs<<<1, BLOCK>>>(b->keys, b->values, b->n, b->out); }

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 18, 3 * sizeof(unsigned int));
  bykey_main(BYKEY_SCAN, ladder.size + BYKEY_FEWEST, 0, launch);
  return ladder_end();
}

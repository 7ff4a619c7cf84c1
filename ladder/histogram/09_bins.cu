/* Histogram 09: integers modulo BIN_COUNT, 2 to 65,536 bins
 *
 * Idea     bin = item mod BIN_COUNT, one atomic an item; the same items with 16 numbers of bins
 * Cost     1 step, n adds; n / BIN_COUNT adds queue at an address if the items are even
 * Shows    that no more adds proceed at once than there are bins: with 2 bins the machine works
 *          through two queues. Negative items need care: -7 mod 256 is -7 in C, 249 here
 * Source   the course's modulo histogram
 *
 * //! title: 2 to 65,536 bins
 * //! expect: right
 */
#include "../common/ladder.h"

enum { MOST_BINS = 65536 };

__global__ void count_modulo(const int *items, size_t n, unsigned int *bins, int bin_count) {
  const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  LADDER_STEP();
  if (i < n) {
    const int rest = items[i] % bin_count;
    LADDER_READ(1);
    LADDER_WORK(1);
    LADDER_ATOMIC(1);
    atomicAdd(&bins[rest < 0 ? rest + bin_count : rest], 1u);
  }
}

/* Returns the fullest bin; a wrong bin is named. */
static unsigned int verify(const int *items, size_t n, const unsigned int *bins, int bin_count) {
  static unsigned int want[MOST_BINS];
  char name[32];
  unsigned int worst = 0;
  memset(want, 0, sizeof want);
  /* All counts are powers of two, so that the low bits are the remainder. */
  for (size_t i = 0; i < n; ++i) ++want[(unsigned int)items[i] & (unsigned int)(bin_count - 1)];
  snprintf(name, sizeof name, "of %d bins, bin", bin_count);
  ladder_same_u32(name, bins, want, (size_t)bin_count);
  for (int b = 0; b < bin_count; ++b)
    if (bins[b] > worst) worst = bins[b];
  return worst;
}

static void one_count(const int *host, const int *items, unsigned int *bins, int bin_count) {
  static unsigned int counts[MOST_BINS];
  static int rows = 0;
  static char list[4096];
  char row[160];
  const size_t n = ladder.size, bytes = (size_t)bin_count * sizeof counts[0];
  ladder.kernel.runs = 0;
  for (int run = 0; run < ladder.runs; ++run) {
    CHECK(cudaMemset(bins, 0, bytes));
    ladder_start();
    count_modulo<<<(unsigned int)((n + 255) / 256), 256>>>(items, n, bins, bin_count);
    CHECK(ladder_stop());
  }
  CHECK(cudaMemcpy(counts, bins, bytes, cudaMemcpyDeviceToHost));
  const unsigned int worst = verify(host, n, counts, bin_count);
  const double ms = ladder_median(&ladder.kernel);
  printf("%6d bins: fullest %10u", bin_count, worst);
  if (!ladder.on_simt) printf(", %8.4f ms, %7.2f G adds/s", ms, (double)n / ms * 1e-6);
  printf("\n");
  snprintf(row, sizeof row, "%s{\"bins\":%d,\"worst\":%u,\"ms\":%.6g}", rows++ ? "," : "[",
           bin_count, worst, ms);
  strncat(list, row, sizeof list - strlen(list) - 2);
  if (bin_count == MOST_BINS) ladder_key_raw("bin_counts", strcat(list, "]"));
}

int main(int argc, char **argv) {
  int *host, *items;
  unsigned int *bins;
  ladder_begin(argc, argv, __FILE__, 1 << 16, 25 << 20, sizeof(int));
  host = (int *)ladder_host_memory(ladder.size * sizeof *host);
  ladder_fill_i32(host, ladder.size, 1u << 30);
  for (size_t i = 1; i < ladder.size; i += 2) host[i] = -host[i];
  CHECK(cudaMalloc((void **)&items, ladder.size * sizeof *items));
  CHECK(cudaMalloc((void **)&bins, MOST_BINS * sizeof *bins));
  CHECK(cudaMemcpy(items, host, ladder.size * sizeof *items, cudaMemcpyHostToDevice));
  for (int bin_count = 2; bin_count <= MOST_BINS; bin_count *= 2)
    one_count(host, items, bins, bin_count);
  ladder_moves((double)ladder.size * sizeof *items);
  CHECK(cudaFree(items));
  CHECK(cudaFree(bins));
  free(host);
  return ladder_end();
}

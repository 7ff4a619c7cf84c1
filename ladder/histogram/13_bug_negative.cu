/* Histogram 13, BUG: a negative value
 *
 * Idea     bin = item % BIN_COUNT, for items that are not all positive: in C the remainder has
 *          the sign of the item, and bins[-7] is somebody else's memory
 * Cost     1 step, n adds, of which those of the negative items go astray
 * Shows    an access out of bounds. It need not crash: 28 bytes before the bins there is often
 *          memory that belongs to the program, and then only the sum of the bins tells
 * Source   the course's modulo histogram; rung 09 has the remedy
 *
 * //! title: BUG: a negative value
 * //! expect: caught out-of-bounds
 */
#include "../common/ladder.h"

enum { BIN_COUNT = 256 };

__global__ void count_modulo(const int *items, size_t n, unsigned int *bins) {
  const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  LADDER_STEP();
  if (i < n) {
    LADDER_READ(1);
    LADDER_WORK(1);
    LADDER_ATOMIC(1);
    atomicAdd(&bins[items[i] % BIN_COUNT], 1u); /* BUG: the index may be negative */
  }
}

static void judge(const int *host, const unsigned int *counts) {
  unsigned long long sum = 0;
  size_t at = 0;
  for (int i = 0; i < BIN_COUNT; ++i) sum += counts[i];
  printf("Histogram Sum: %llu of %zu\n", sum, ladder.size);
  if (sum == ladder.size) return;
  while (host[at] % BIN_COUNT >= 0) ++at;
  ladder_caught("out of bounds: the bins lack %llu items, the first is items[%zu] = %d, bin %d",
                ladder.size - sum, at, host[at], host[at] % BIN_COUNT);
}

int main(int argc, char **argv) {
  unsigned int *bins, counts[BIN_COUNT];
  int *host, *items;
  ladder_begin(argc, argv, __FILE__, 1 << 16, 25 << 20, sizeof(int));
  host = (int *)ladder_host_memory(ladder.size * sizeof *host);
  ladder_fill_i32(host, ladder.size, 1u << 30);
  host[ladder.size / 2] = -7;
  CHECK(cudaMalloc((void **)&items, ladder.size * sizeof *items));
  CHECK(cudaMalloc((void **)&bins, sizeof counts));
  CHECK(cudaMemcpy(items, host, ladder.size * sizeof *items, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(bins, 0, sizeof counts));
  count_modulo<<<(unsigned int)((ladder.size + 255) / 256), 256>>>(items, ladder.size, bins);
  if (!ladder_caught_error("out of bounds", cudaDeviceSynchronize())) {
    CHECK(cudaMemcpy(counts, bins, sizeof counts, cudaMemcpyDeviceToHost));
    judge(host, counts);
  }
  ladder_true(ladder.verdict == LADDER_CAUGHT, "the negative item was not seen to go astray");
  free(host);
  return ladder_end();
}

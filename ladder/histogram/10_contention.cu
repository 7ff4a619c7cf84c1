/* Histogram 10: how many adds meet at one address
 *
 * Idea     the kernel of rung 01 on 512 KiB of 256 values, of four values, of one value
 * Cost     1 step, n adds; the longest queue is the fullest bin
 * Shows    524,288 bytes: 131,072 adds an address where four values occur, 524,288 where one
 *          does; the times on a GPU are in that order
 * Source   the course's contention example
 *
 * //! title: contention: 256 values, four, one
 * //! expect: right
 */
#include "../common/ladder_bytes.h"

__global__ void count_bytes(const unsigned char *data, size_t n, unsigned int *bins) {
  const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  LADDER_STEP();
  if (i < n) {
    LADDER_READ(1);
    LADDER_WORK(1);
    LADDER_ATOMIC(1);
    atomicAdd(&bins[data[i]], 1u);
  }
}

static void launch(const unsigned char *data, size_t n, unsigned int *bins) {
  count_bytes<<<(unsigned int)((n + 255) / 256), 256>>>(data, n, bins);
}

static void measure(struct bytes_memory *m, const char *values, const char *key) {
  ladder.kernel.runs = ladder.whole.runs = 0;
  for (int run = 0; run < ladder.runs; ++run) CHECK(bytes_once(m, ladder.size, launch));
  bytes_verify(m->data, ladder.size, m->bins);
  const unsigned int worst = bytes_worst(m->bins);
  printf("%s: up to %u adds an address", values, worst);
  if (!ladder.on_simt) printf(", %.4f ms", ladder_median(&ladder.kernel));
  printf("\n");
  ladder_key_count(key, worst);
}

int main(int argc, char **argv) {
  struct bytes_memory m;
  bytes_begin(argc, argv, __FILE__, &m);
  if (!ladder.sized && ladder.size > 524288) ladder.size = 524288;
  ladder_moves((double)ladder.size);
  ladder_fill_u8(m.data, ladder.size);
  measure(&m, "256 values", "worst_of_256");
  for (size_t i = 0; i < ladder.size; ++i) m.data[i] = (unsigned char)(60 * (i % 4));
  measure(&m, "four values", "worst_of_4");
  ladder_true(bytes_worst(m.bins) == (ladder.size + 3) / 4, "four values do not share evenly");
  memset(m.data, 42, ladder.size);
  measure(&m, "one value", "worst_of_1");
  ladder_true(bytes_worst(m.bins) == ladder.size, "one value does not fill one bin");
  bytes_adds("global_adds", ladder.size);
  return bytes_end(&m);
}

/* Histogram 02: global atomics, a 32-bit word a thread
 *
 * Idea     a quarter of the threads, each reads four bytes in one load
 * Cost     4 steps, n adds; n / 4 loads; n atomics as before
 * Shows    that it gains nothing: a warp now reads four sectors in one request instead of one
 *          in each of four, n / 32 in all as before, and the queues at the bins are as long.
 *          Old texts that expect a fourfold gain from wider loads have machines in mind that
 *          did not merge byte loads
 * Source   the classic second version, 1.025 GB/s on a GTX 460 too
 *
 * //! title: global atomics, a word a thread
 * //! expect: right
 */
#include "../common/ladder_bytes.h"

__global__ void count_words(const unsigned char *data, size_t n, unsigned int *bins) {
  const size_t i = 4 * (blockIdx.x * (size_t)blockDim.x + threadIdx.x);
  unsigned int word = 0;
  if (i >= n) return;
  const int bytes = n - i < 4 ? (int)(n - i) : 4;
  if (bytes == 4) {
    word = *(const unsigned int *)(data + i);
    LADDER_READ(1);
  } else {
    for (int k = 0; k < bytes; ++k) word |= (unsigned int)data[i + k] << 8 * k;
    LADDER_READ(bytes);
  }
  for (int k = 0; k < bytes; ++k) {
    LADDER_STEP();
    LADDER_WORK(1);
    LADDER_ATOMIC(1);
    atomicAdd(&bins[word >> 8 * k & 255], 1u);
  }
}

/* As in rung 01, for a word a thread: eight neighbours read one sector. */
__global__ void count_sectors(size_t n, unsigned long long *sectors) {
  const size_t i = 4 * (blockIdx.x * (size_t)blockDim.x + threadIdx.x);
  const unsigned int alike = __match_any_sync(0xffffffffu, (unsigned long long)(i / 32));
  if (i < n && (unsigned int)__ffs((int)alike) - 1 == threadIdx.x % 32) atomicAdd(sectors, 1ull);
}

static void launch(const unsigned char *data, size_t n, unsigned int *bins) {
  count_words<<<(unsigned int)((n + 1023) / 1024), 256>>>(data, n, bins);
}

static void show_sectors(size_t n) {
  unsigned long long *sectors, seen = 0;
  CHECK(cudaMalloc((void **)&sectors, sizeof seen));
  CHECK(cudaMemset(sectors, 0, sizeof seen));
  count_sectors<<<(unsigned int)((n + 1023) / 1024), 256>>>(n, sectors);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&seen, sectors, sizeof seen, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(sectors));
  printf("Sectors of 32 bytes read: %llu\n", seen);
  ladder_true(seen == (n + 31) / 32, "a warp of words is not four sectors");
  ladder_key_count("sectors", seen);
}

int main(int argc, char **argv) {
  struct bytes_memory m;
  bytes_begin(argc, argv, __FILE__, &m);
  bytes_measure(&m, launch);
  bytes_adds("global_adds", ladder.size);
  show_sectors(ladder.size);
  return bytes_end(&m);
}

/* Histogram 07: a private histogram a thread, then reduce
 *
 * Idea     no two threads share a bin, so no atomics: T threads fill T tables of 256 bins, then
 *          one block a bin adds the T counts in a tree
 * Cost     n / T steps and n adds, then log2 256 + T / 256 steps and 256 (T - 1) adds;
 *          T x 1 KiB of memory, laid out bin by bin so that a warp's neighbours lie together
 * Shows    the price of avoiding atomics: the tables are larger than the data unless a thread
 *          has 1,024 bytes and more
 * Source   the course's "local memory, then reduce"
 *
 * //! title: private histograms, then reduce
 * //! expect: right
 */
#include "../common/ladder_bytes.h"

__global__ void count_private(const unsigned char *data, size_t n, unsigned int *tables) {
  const size_t threads = blockDim.x * (size_t)gridDim.x;
  const size_t thread = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  for (size_t i = thread; i < n; i += threads) {
    LADDER_STEP();
    LADDER_WORK(1);
    LADDER_READ(2);
    LADDER_WROTE(1);
    ++tables[data[i] * threads + thread];
  }
}

__global__ void reduce_tables(const unsigned int *tables, unsigned int threads,
                              unsigned int *bins) {
  __shared__ unsigned int partial[256];
  const unsigned int *counts = tables + blockIdx.x * (size_t)threads;
  unsigned int sum = 0;
  for (unsigned int i = threadIdx.x; i < threads; i += blockDim.x) {
    LADDER_STEP();
    LADDER_READ(1);
    if (i >= blockDim.x) LADDER_WORK(1);
    sum += counts[i];
  }
  partial[threadIdx.x] = sum;
  for (unsigned int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads(); /* 2 x half partial sums stand */
    LADDER_STEP();
    if (threadIdx.x < half) {
      LADDER_WORK(1);
      partial[threadIdx.x] += partial[threadIdx.x + half];
    }
  }
  if (threadIdx.x == 0) {
    LADDER_WROTE(1);
    bins[blockIdx.x] = partial[0];
  }
}

enum { THREADS = 64 };
static unsigned int *tables;

/* Two blocks a multiprocessor, but at least 1,024 bytes a thread. */
static unsigned int blocks_for(size_t n) {
  const size_t wanted = (n + 1024 * THREADS - 1) / (1024 * THREADS);
  const size_t most = 2 * (size_t)ladder.processors;
  return (unsigned int)(wanted < most ? wanted : most);
}

static void launch(const unsigned char *data, size_t n, unsigned int *bins) {
  const unsigned int blocks = blocks_for(n), threads = blocks * THREADS;
  CHECK(cudaMemsetAsync(tables, 0, threads * BYTE_BINS * sizeof *tables, 0));
  count_private<<<blocks, THREADS>>>(data, n, tables);
  reduce_tables<<<BYTE_BINS, 256>>>(tables, threads, bins);
}

int main(int argc, char **argv) {
  struct bytes_memory m;
  bytes_begin(argc, argv, __FILE__, &m);
  const size_t bytes = (size_t)blocks_for(ladder.size) * THREADS * BYTE_BINS * sizeof *tables;
  CHECK(cudaMalloc((void **)&tables, bytes));
  bytes_measure(&m, launch);
  printf("Tables: %u of 1 KiB\n", blocks_for(ladder.size) * THREADS);
  bytes_adds("global_adds", 0);
  CHECK(cudaFree(tables));
  return bytes_end(&m);
}

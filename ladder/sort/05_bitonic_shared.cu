/* Sort 05: bitonic merges in shared memory
 *
 * Idea     as rung 04, but steps whose pairs lie within 1024 keys are taken by one block, in
 *          shared memory, with a barrier instead of a launch: all stages up to 1024 keys in the
 *          first launch, and the last ten steps of every longer stage in one
 * Cost     the steps and the work of rung 04. For 2^12 keys 6 launches instead of 78, and a read
 *          and a write a key for each of them only
 * Shows    what shared memory and barriers are for: the same network with a tenth of the traffic
 *          of global memory
 * Source   Batcher 1968; Peters, Schulz-Hildebrandt and Luttenberger 2011
 *
 * //! title: bitonic, tiles in shared memory
 * //! expect: right
 */
#ifndef LADDER_PARTS
#define LADDER_PARTS
#define SHARED_MAIN
#endif
#include "04_bitonic_global.cu"

enum { SORT_TILE = 1024, PAIRS = SORT_TILE / 2 };

/* Who must come: all 512 threads of the block. The tile is complete when they leave. */
__device__ static void load_tile(const unsigned int *in, size_t n, unsigned int *key) {
  const size_t first = blockIdx.x * (size_t)SORT_TILE;
  for (unsigned int i = threadIdx.x; i < SORT_TILE; i += PAIRS) {
    key[i] = first + i < n ? in[first + i] : 0xffffffffu;
    if (first + i < n) LADDER_READ(1);
  }
  __syncthreads(); /* all keys are there */
}
__device__ static void store_tile(const unsigned int *key, size_t n, unsigned int *out) {
  const size_t first = blockIdx.x * (size_t)SORT_TILE;
  for (unsigned int i = threadIdx.x; i < SORT_TILE; i += PAIRS) {
    if (first + i >= n) continue;
    out[first + i] = key[i];
    LADDER_WROTE(1);
  }
}

/* Steps with keys `distance` apart and all nearer ones, with barriers. */
__device__ static void straight_steps(unsigned int *key, unsigned int distance) {
  for (; distance > 0; distance /= 2) {
    const size_t low = straight_low(threadIdx.x, distance);
    exchange(key, SORT_TILE, low, low + distance);
    LADDER_STEP();
    __syncthreads(); /* this step's exchanges are done */
  }
}

__global__ void sort_tiles(const unsigned int *in, size_t n, unsigned int *out) {
  __shared__ unsigned int key[SORT_TILE];
  load_tile(in, n, key);
  for (unsigned int size = 2; size <= SORT_TILE; size *= 2) {
    exchange(key, SORT_TILE, crossing_low(threadIdx.x, size), crossing_high(threadIdx.x, size));
    LADDER_STEP();
    __syncthreads(); /* this step's exchanges are done */
    straight_steps(key, size / 4);
  }
  store_tile(key, n, out);
}

#ifdef SHARED_MAIN /* rung 07 takes sort_tiles alone */
__global__ void finish_tiles(unsigned int *keys, size_t n) {
  __shared__ unsigned int key[SORT_TILE];
  load_tile(keys, n, key);
  straight_steps(key, SORT_TILE / 2);
  store_tile(key, n, keys);
}

static unsigned int launches;

static void launch(const unsigned int *in, size_t n, unsigned int *out, unsigned int *work) {
  const size_t padded = power_of_two(n);
  const unsigned int tiles = sort_blocks(n, SORT_TILE), blocks = sort_blocks(padded / 2 + 1, 256);
  (void)work;
  sort_tiles<<<tiles, PAIRS>>>(in, n, out);
  launches = 1;
  for (size_t size = 2 * SORT_TILE; size <= padded; size *= 2) {
    crossing_step<<<blocks, 256>>>(out, n, size);
    for (size_t distance = size / 4; distance >= SORT_TILE; distance /= 2, ++launches)
      straight_step<<<blocks, 256>>>(out, n, distance);
    finish_tiles<<<tiles, PAIRS>>>(out, n);
    launches += 2;
  }
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 24, 2 * sizeof(unsigned int));
  sort_main(ladder.size + SORT_FEWEST, 0, launch);
  printf("Launches: %u\n", launches);
  ladder_key_count("sort_launches", launches);
  return ladder_end();
}
#endif

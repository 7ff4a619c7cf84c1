/* Histogram 08: sort, then reduce by key
 *
 * Idea     sorted, equal bytes stand together: each run of them is one key, its length the
 *          count. A block sorts a tile of 256 bytes by a bitonic network, the threads at which
 *          a run begins write down where, and each run's length is added to its bin
 * Cost     36 steps a tile, 4,608 compare-exchanges; one global add a run instead of a byte
 * Shows    keys 2 1 1 2 1 0 2 2 -> counts 1 3 4. It needs no atomics in shared memory and
 *          does not mind constant data, but sorting costs more than counting
 * Source   Batcher 1968 (bitonic sort); reduce by key as in Thrust
 *
 * //! title: sort, then reduce by key
 * //! expect: right
 * //! watched: --size 64K
 */
#include "../common/ladder_bytes.h"

enum { TILE = 256, HALF = TILE / 2, NO_KEY = 256 };

/* Sorts the tile. All 128 threads must come; sorted for all of them when they leave. */
__device__ void sort_tile(unsigned short *key) {
  for (unsigned int size = 2; size <= TILE; size *= 2) {
    for (unsigned int distance = size / 2; distance > 0; distance /= 2) {
      const unsigned int low = 2 * threadIdx.x - (threadIdx.x & (distance - 1));
      const unsigned int high = low + distance;
      const unsigned short a = key[low], b = key[high];
      LADDER_STEP();
      LADDER_WORK(1);
      if ((a > b) == ((low & size) == 0)) {
        key[low] = b;
        key[high] = a;
      }
      __syncthreads(); /* this stage's exchanges are done */
    }
  }
}

__device__ bool begins(const unsigned short *key, unsigned int i) {
  return key[i] != NO_KEY && (i == 0 || key[i - 1] != key[i]);
}

/* A run that begins at i ends where the key is larger: found by bisection. */
__device__ unsigned int run_end(const unsigned short *key, unsigned int i) {
  unsigned int low = i, high = TILE;
  while (high - low > 1) {
    const unsigned int middle = (low + high) / 2;
    if (key[middle] == key[i])
      low = middle;
    else
      high = middle;
  }
  return high;
}

__global__ void sort_and_reduce(const unsigned char *data, size_t n, unsigned int *bins) {
  __shared__ unsigned short key[TILE];
  const size_t first = blockIdx.x * (size_t)TILE;
  for (unsigned int i = threadIdx.x; i < TILE; i += HALF) {
    const bool inside = first + i < n;
    if (inside) LADDER_READ(1);
    key[i] = inside ? data[first + i] : (unsigned short)NO_KEY;
  }
  __syncthreads(); /* the tile stands */
  sort_tile(key);
  for (unsigned int i = threadIdx.x; i < TILE; i += HALF) {
    if (begins(key, i)) {
      LADDER_ATOMIC(1);
      atomicAdd(&bins[key[i]], run_end(key, i) - i);
    }
  }
}

static void launch(const unsigned char *data, size_t n, unsigned int *bins) {
  sort_and_reduce<<<(unsigned int)((n + TILE - 1) / TILE), HALF>>>(data, n, bins);
}

static void show_example(void) {
  static const unsigned char keys[8] = {2, 1, 1, 2, 1, 0, 2, 2};
  unsigned int counts[BYTE_BINS];
  unsigned char *data;
  unsigned int *bins;
  CHECK(cudaMalloc((void **)&data, sizeof keys));
  CHECK(cudaMalloc((void **)&bins, sizeof counts));
  CHECK(cudaMemcpy(data, keys, sizeof keys, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(bins, 0, sizeof counts));
  launch(data, sizeof keys, bins);
  CHECK(cudaMemcpy(counts, bins, sizeof counts, cudaMemcpyDeviceToHost));
  printf("keys 2 1 1 2 1 0 2 2 -> counts %u %u %u\n", counts[0], counts[1], counts[2]);
  ladder_true(counts[0] == 1 && counts[1] == 3 && counts[2] == 4, "the counts are not 1 3 4");
  CHECK(cudaFree(data));
  CHECK(cudaFree(bins));
}

int main(int argc, char **argv) {
  struct bytes_memory m;
  bytes_begin(argc, argv, __FILE__, &m);
  show_example();
  bytes_measure(&m, launch);
  return bytes_end(&m);
}

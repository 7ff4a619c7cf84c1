/* Histogram 01: global atomics, a byte a thread
 *
 * Idea     as many threads as bytes; each adds 1 to its bin in global memory, atomically
 * Cost     1 step, n adds; n atomics on 256 addresses, so that n / 256 of them queue at each
 *          even if the data is uniform, and all n if it is constant
 * Shows    the simplest right program; its time is that of the queues, not of the memory.
 *          A warp's 32 neighbouring bytes are one 32-byte sector: n / 32 sectors are read,
 *          as many as in rung 02
 * Source   the classic first version, 1.025 GB/s on a GTX 460 at any size
 *
 * //! title: global atomics, a byte a thread
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

/* Of each warp, how many different sectors its lanes read: the lowest lane of each group that
 * reads one sector counts. Launched in the same shape. */
__global__ void count_sectors(size_t n, unsigned long long *sectors) {
  const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  const unsigned int alike = __match_any_sync(0xffffffffu, (unsigned long long)(i / 32));
  if (i < n && (unsigned int)__ffs((int)alike) - 1 == threadIdx.x % 32) atomicAdd(sectors, 1ull);
}

static void launch(const unsigned char *data, size_t n, unsigned int *bins) {
  count_bytes<<<(unsigned int)((n + 255) / 256), 256>>>(data, n, bins);
}

static void show_sectors(size_t n) {
  unsigned long long *sectors, seen = 0;
  CHECK(cudaMalloc((void **)&sectors, sizeof seen));
  CHECK(cudaMemset(sectors, 0, sizeof seen));
  count_sectors<<<(unsigned int)((n + 255) / 256), 256>>>(n, sectors);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&seen, sectors, sizeof seen, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(sectors));
  printf("Sectors of 32 bytes read: %llu\n", seen);
  ladder_true(seen == (n + 31) / 32, "a warp of bytes is not one sector");
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

/* Scan 06: Blelloch until the level fits the processors, then Hillis and Steele
 *
 * Idea     go up the tree while a level has more nodes than processors (512 here); scan that
 *          level by Hillis and Steele, which is as fast as can be once every node has a
 *          processor; go down again
 * Cost     m = the first level with no more than 512 nodes: 2 log2 (n / m) + log2 m steps,
 *          2 (n - m) + m log2 m - m + 1 adds. n = 65,536: 23 steps, 134,145 adds, where
 *          Blelloch needs 32 steps, 131,070 adds
 * Shows    the top of the tree keeps few processors busy for two log2 m steps; half of these are
 *          saved for little work
 * Source   the course's closing remark on the two methods
 *
 * //! title: hybrid: Blelloch, and Hillis and Steele on top
 * //! expect: right
 */
#ifndef LADDER_PARTS
#define LADDER_PARTS
#define HYBRID_MAIN
#endif
#include "04_hillis_steele.cu"
#include "05_blelloch.cu"

enum { PROCESSORS = 512 };

/* The sums of a level to one place, and back as the sum of all before each node. */
__global__ void gather_level(const unsigned int *a, size_t stride, size_t nodes,
                             unsigned int *level) {
  const size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (k < nodes) level[k] = a[(k + 1) * stride - 1];
}
__global__ void scatter_level(const unsigned int *level, size_t stride, size_t nodes,
                              unsigned int *a) {
  const size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (k < nodes) a[(k + 1) * stride - 1] = k ? level[k - 1] : 0;
}

/* The level in the middle, its scan, and what the scan needs: of every run, nobody frees it. */
static __device__ unsigned int level_memory[3 * PROCESSORS];

static void hybrid(const unsigned int *in, size_t n, unsigned int *out, unsigned int *work) {
  const size_t padded = scan_power_of_two(n);
  const size_t nodes = padded < PROCESSORS ? padded : (size_t)PROCESSORS, stride = padded / nodes;
  unsigned int *level = NULL;
  CHECK(cudaGetSymbolAddress((void **)&level, level_memory));
  blelloch_load(in, n, work, padded);
  sweep_up(work, padded, 1, stride);
  gather_level<<<scan_blocks(nodes), 256>>>(work, stride, nodes, level);
  hillis_steele(level, nodes, level + PROCESSORS, level + 2 * PROCESSORS);
  scatter_level<<<scan_blocks(nodes), 256>>>(level + PROCESSORS, stride, nodes, work);
  sweep_down(work, padded, 1, stride);
  CHECK(cudaMemcpy(out, work, n * sizeof *in, cudaMemcpyDeviceToDevice));
}

#ifdef HYBRID_MAIN
int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 16, 1 << 28, 4 * sizeof(unsigned int));
  scan_main(SCAN_EXCLUSIVE, 0, hybrid);
  return ladder_end();
}
#endif

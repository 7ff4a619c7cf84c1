// Cooperative groups: tiles, parts of a warp with their own votes and shuffles.
//
//! title: cooperative groups: tiles of 32, 16, 8, 4
//! expect: right
//
// Idea    tiled_partition<8>(block) cuts the block into groups of 8 neighbours. Each has ranks 0
//         to 7, its own shuffles, votes and sync; the masks are worked out by the library.
// Cost    log2(tile) steps, tile * log2(tile) additions a tile.
// Shows   a butterfly sum in every tile, whose lanes then all hold the tile's sum; one kernel text
//         serves all sizes, since the size is a parameter of the template.
// Source  course topic: cooperative groups; Harris and Perelygin, Cooperative groups, NVIDIA 2017.
#include "../common/ladder.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

enum { THREADS = 128 };

struct answer {
  unsigned int sum, odd, rank, tile;
};

template <unsigned int SIZE> __global__ void sum_tiles(const unsigned int *in, struct answer *out) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<SIZE> tile = cg::tiled_partition<SIZE>(block);
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int sum = in[i];
  const unsigned int odd = tile.ballot((int)(sum & 1));
  LADDER_READ(1);
  for (unsigned int k = SIZE / 2; k > 0; k /= 2) {
    sum += tile.shfl_xor(sum, k);
    LADDER_STEP();
    LADDER_WORK(1);
  }
  const struct answer mine = {sum, odd, tile.thread_rank(), tile.meta_group_rank()};
  out[i] = mine;
  LADDER_WROTE(4);
}

static void compare(const unsigned int *in, const struct answer *out, size_t n, unsigned int size) {
  struct answer *got = (struct answer *)ladder_host_memory(n * sizeof *got);
  size_t wrong = 0;
  CHECK(cudaMemcpy(got, out, n * sizeof *got, cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < n; ++i) {
    struct answer want = {0, 0, (unsigned int)(i % size), (unsigned int)(i % THREADS / size)};
    for (unsigned int k = 0; k < size; ++k) {
      want.sum += in[i - i % size + k];
      want.odd |= (in[i - i % size + k] & 1) << k;
    }
    if (memcmp(got + i, &want, sizeof want) != 0 && wrong++ == 0)
      ladder_wrong("tiles of %u: element %zu has sum %u, odd %x, rank %u of tile %u", size, i,
                   got[i].sum, got[i].odd, got[i].rank, got[i].tile);
  }
  printf("tiles of %2u: %zu lanes, %zu wrong\n", size, n, wrong);
  free(got);
}

typedef void (*tile_kernel)(const unsigned int *in, struct answer *out);

int main(int argc, char **argv) {
  static const tile_kernel kernels[] = {sum_tiles<32>, sum_tiles<16>, sum_tiles<8>, sum_tiles<4>};
  unsigned int *in;
  struct answer *out;
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 22, sizeof(struct answer) + 4);
  const unsigned int blocks = (unsigned int)((ladder.size + THREADS - 1) / THREADS);
  const size_t n = (size_t)blocks * THREADS;
  unsigned int *host = (unsigned int *)ladder_host_memory(n * sizeof *host);
  ladder_fill_u32(host, n, 1u << 20);
  CHECK(cudaMalloc((void **)&in, n * sizeof *in));
  CHECK(cudaMalloc((void **)&out, n * sizeof *out));
  CHECK(cudaMemcpy(in, host, n * sizeof *in, cudaMemcpyHostToDevice));
  for (int k = 0; k < 4; ++k) {
    CHECK(cudaMemset(out, 0xff, n * sizeof *out));
    ladder_start();
    kernels[k]<<<blocks, THREADS>>>(in, out);
    CHECK(ladder_stop());
    compare(host, out, n, 32u >> k);
  }
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  free(host);
  return ladder_end();
}

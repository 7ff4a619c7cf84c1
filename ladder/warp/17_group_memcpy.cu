// Cooperative groups: a block fetches its tile while it does something else.
//
//! title: cooperative groups: memcpy_async
//! expect: right
//
// Idea    cg::memcpy_async(block, shared, global, bytes) starts a copy that needs no registers on
//         its way and no thread to carry it; cg::wait(block) is the barrier behind which it has
//         arrived. With two tiles the next one is on its way while this one is worked on.
// Cost    tiles steps, each a copy and a use; n words read, n written.
// Shows   each tile reversed: a thread reads what another's copy brought, so the wait is needed.
// Source  course topic: cooperative groups; CUDA C++ Programming Guide, Asynchronous Data Copies.
#include "../common/ladder.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

enum { THREADS = 128, TILES = 4 }; // a block takes 4 tiles of 128

__global__ void reverse(const unsigned int *in, unsigned int *out) {
  __shared__ __align__(16) unsigned int tiles[2][THREADS];
  const cg::thread_block block = cg::this_thread_block();
  const unsigned int t = block.thread_rank();
  const size_t first = (size_t)blockIdx.x * TILES * THREADS;
  cg::memcpy_async(block, tiles[0], in + first, sizeof tiles[0]);
  for (unsigned int k = 0; k < TILES; ++k) {
    LADDER_STEP();
    if (k + 1 < TILES) {
      cg::memcpy_async(block, tiles[(k + 1) % 2], in + first + (k + 1) * THREADS, sizeof tiles[0]);
      cg::wait_prior<1>(block); // tile k is here, the next may be on its way
    } else {
      cg::wait(block); // all are here
    }
    out[first + k * THREADS + t] = tiles[k % 2][THREADS - 1 - t];
    LADDER_READ(1);
    LADDER_WORK(1);
    LADDER_WROTE(1);
    block.sync(); // tile k has been used; its place may be written
  }
}

int main(int argc, char **argv) {
  unsigned int *in, *out;
  ladder_begin(argc, argv, __FILE__, 1 << 14, 1 << 26, 2 * sizeof(unsigned int));
  const unsigned int a_block = TILES * THREADS;
  const unsigned int blocks = (unsigned int)((ladder.size + a_block - 1) / a_block);
  const size_t n = (size_t)blocks * a_block, bytes = n * sizeof *in;
  unsigned int *host = (unsigned int *)ladder_host_memory(bytes);
  unsigned int *got = (unsigned int *)ladder_host_memory(bytes);
  for (size_t i = 0; i < n; ++i) host[i] = (unsigned int)ladder_random(1, i);
  CHECK(cudaMalloc((void **)&in, bytes));
  CHECK(cudaMalloc((void **)&out, bytes));
  CHECK(cudaMemcpy(in, host, bytes, cudaMemcpyHostToDevice));
  for (int run = 0; run < ladder.runs; ++run) {
    CHECK(cudaMemset(out, 0xff, bytes));
    ladder_start();
    reverse<<<blocks, THREADS>>>(in, out);
    CHECK(ladder_stop());
  }
  ladder_moves(2.0 * (double)bytes);
  CHECK(cudaMemcpy(got, out, bytes, cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < n; i += THREADS) { // the host turns its tiles too
    for (size_t k = 0; k < THREADS / 2; ++k) {
      const unsigned int other = host[i + k];
      host[i + k] = host[i + THREADS - 1 - k];
      host[i + THREADS - 1 - k] = other;
    }
  }
  if (ladder_same_u32("out", got, host, n))
    printf("%zu tiles of %d words turned round by %u blocks\n", n / THREADS, THREADS, blocks);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  free(host);
  free(got);
  return ladder_end();
}

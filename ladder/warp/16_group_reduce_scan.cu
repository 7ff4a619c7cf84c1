// Cooperative groups: reduce and scan of a tile in one call.
//
//! title: cooperative groups: reduce, inclusive and exclusive scan
//! expect: right
//
// Idea    cg::reduce(group, value, operator) gives every lane the group's result; inclusive_scan
//         and exclusive_scan give each lane that of the lanes up to it, with or without itself.
//         The library picks the way: special instructions for integers, shuffles otherwise.
// Cost    log2(32) = 5 steps of shuffles, or one instruction.
// Shows   sum, maximum and bits of 32 lanes; scans of 32 lanes, and of the lanes of a branch
//         (a coalesced group), where ranks and not lane numbers count.
// Source  course topic: cooperative groups; the scans are those of the scan family.
#include "../common/ladder.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

enum { THREADS = 128, ANSWERS = 6 };

__global__ void fold(const unsigned int *in, unsigned int *out) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int value = in[i];
  unsigned int *const mine = out + (size_t)ANSWERS * i;
  LADDER_STEP();
  LADDER_READ(1);
  mine[0] = cg::reduce(tile, value, cg::plus<unsigned int>());
  mine[1] = cg::reduce(tile, value, cg::greater<unsigned int>());
  mine[2] = cg::reduce(tile, value, cg::bit_xor<unsigned int>());
  mine[3] = cg::inclusive_scan(tile, value, cg::plus<unsigned int>());
  mine[4] = cg::exclusive_scan(tile, value, cg::plus<unsigned int>());
  mine[5] = 0;
  if (value & 1) {
    const cg::coalesced_group odd = cg::coalesced_threads();
    // A group of lanes that are together may be any part of the odd ones: sum them once each.
    const unsigned int sum = cg::reduce(odd, value, cg::plus<unsigned int>());
    mine[5] = odd.thread_rank() == 0 ? sum : 0;
  }
  LADDER_WORK(ANSWERS);
  LADDER_WROTE(ANSWERS);
}

// What lane `lane` of a warp that holds in[0 .. 31] should have; [5] is compared by warp.
static void expect(const unsigned int *in, unsigned int lane, unsigned int *want) {
  memset(want, 0, ANSWERS * sizeof *want);
  for (unsigned int k = 0; k < 32; ++k) {
    want[0] += in[k];
    if (in[k] > want[1]) want[1] = in[k];
    want[2] ^= in[k];
    if (k <= lane) want[3] += in[k];
    if (k < lane) want[4] += in[k];
  }
}

static void compare(const unsigned int *in, const unsigned int *out, size_t n) {
  static const char *const names[] = {"sum", "maximum", "xor", "inclusive", "exclusive"};
  size_t wrong = 0;
  unsigned int odd_got = 0, odd_want = 0, want[ANSWERS];
  for (size_t i = 0; i < n; ++i) {
    const unsigned int lane = (unsigned int)(i % 32);
    expect(in + i - lane, lane, want);
    for (int k = 0; k < ANSWERS - 1; ++k)
      if (out[ANSWERS * i + (size_t)k] != want[k] && wrong++ == 0)
        ladder_wrong("%s of element %zu is %u, should be %u", names[k], i,
                     out[ANSWERS * i + (size_t)k], want[k]);
    odd_got += out[ANSWERS * i + 5];
    odd_want += in[i] & 1 ? in[i] : 0;
    if (lane != 31) continue;
    if (odd_got != odd_want && wrong++ == 0)
      ladder_wrong("odd lanes of warp %zu sum to %u, should be %u", i / 32, odd_got, odd_want);
    odd_got = odd_want = 0;
  }
  printf("%zu warps: sum, maximum, xor, two scans, odd lanes; %zu wrong\n", n / 32, wrong);
}

int main(int argc, char **argv) {
  unsigned int *in, *out;
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 20, (1 + ANSWERS) * sizeof(unsigned int));
  const unsigned int blocks = (unsigned int)((ladder.size + THREADS - 1) / THREADS);
  const size_t n = (size_t)blocks * THREADS;
  unsigned int *host = (unsigned int *)ladder_host_memory(n * sizeof *host);
  unsigned int *got = (unsigned int *)ladder_host_memory(ANSWERS * n * sizeof *got);
  ladder_fill_u32(host, n, 1u << 24);
  CHECK(cudaMalloc((void **)&in, n * sizeof *in));
  CHECK(cudaMalloc((void **)&out, ANSWERS * n * sizeof *out));
  CHECK(cudaMemcpy(in, host, n * sizeof *in, cudaMemcpyHostToDevice));
  for (int run = 0; run < ladder.runs; ++run) {
    CHECK(cudaMemset(out, 0xff, ANSWERS * n * sizeof *out));
    ladder_start();
    fold<<<blocks, THREADS>>>(in, out);
    CHECK(ladder_stop());
  }
  CHECK(cudaMemcpy(got, out, ANSWERS * n * sizeof *got, cudaMemcpyDeviceToHost));
  compare(host, got, n);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  free(host);
  free(got);
  return ladder_end();
}

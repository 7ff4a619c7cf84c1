// Votes: one question to all lanes, one answer for all.
//
//! title: vote: all, any, ballot
//! expect: right
//
// Idea    each lane has a predicate. all: does every lane of the mask say yes? any: does one?
//         ballot: which ones, a bit a lane. The mask names the lanes that take part; each of
//         them must call, and none other.
// Cost    1 step a vote: 32 answers meet without memory and without a barrier.
// Shows   random predicates and masks against loops over 32 lanes. Since each mask is asked by
//         its own lanes alone, the others go round the call. What ballot gives for lanes outside
//         the mask is 0.
// Source  course topic: warp votes; CUDA C++ Programming Guide, Warp Vote Functions.
#include "../common/ladder.h"

enum { THREADS = 128 };

struct answers {
  unsigned int all, any, ballot;
};

__global__ void ask(const unsigned int *yes, const unsigned int *masks, struct answers *out,
                    unsigned int warps) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int warp = i / 32, lane = i % 32;
  LADDER_STEP();
  if (warp >= warps) return;
  const unsigned int mask = masks[warp];
  const int predicate = (int)(yes[warp] >> lane & 1);
  LADDER_READ(2);
  if (!(mask >> lane & 1)) return; // not asked
  struct answers mine;
  mine.all = (unsigned int)__all_sync(mask, predicate);
  mine.any = (unsigned int)__any_sync(mask, predicate);
  mine.ballot = __ballot_sync(mask, predicate);
  LADDER_WORK(3);
  out[i] = mine;
  LADDER_WROTE(3);
}

static struct answers expect(unsigned int yes, unsigned int mask) {
  struct answers a = {1, 0, 0};
  for (unsigned int lane = 0; lane < 32; ++lane) {
    if (!(mask >> lane & 1)) continue;
    if (yes >> lane & 1)
      a.any = 1;
    else
      a.all = 0;
    a.ballot |= (yes >> lane & 1) << lane;
  }
  return a;
}

static void compare(const struct answers *got, const unsigned int *yes, const unsigned int *masks,
                    unsigned int warps) {
  const struct answers none = {0xffffffffu, 0xffffffffu, 0xffffffffu};
  size_t wrong = 0;
  for (unsigned int i = 0; i < 32 * warps; ++i) {
    const unsigned int w = i / 32;
    const struct answers want = masks[w] >> i % 32 & 1 ? expect(yes[w], masks[w]) : none;
    if (memcmp(got + i, &want, sizeof want) != 0 && wrong++ == 0)
      ladder_wrong("warp %u, lane %u: all %u, any %u, ballot %x, should be %u, %u, %x", w, i % 32,
                   got[i].all, got[i].any, got[i].ballot, want.all, want.any, want.ballot);
  }
  printf("%u warps voted, %zu lanes with a wrong answer\n", warps, wrong);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 20, 16);
  const unsigned int warps = (unsigned int)((ladder.size + 31) / 32), blocks = (warps + 3) / 4;
  unsigned int *host = (unsigned int *)ladder_host_memory(2 * warps * sizeof *host), *device;
  struct answers *out, *got = (struct answers *)ladder_host_memory(32 * warps * sizeof *got);
  for (unsigned int w = 0; w < warps; ++w) {
    host[w] = (unsigned int)ladder_random(1, w);
    if (w % 8 == 0) host[w] = w % 16 ? 0xffffffffu : 0; // nobody, or everybody
    host[warps + w] = w % 4 == 0 ? 0xffffffffu : (unsigned int)ladder_random(2, w);
    if (w % 16 == 5) host[w] |= host[warps + w]; // all of those that are asked
  }
  CHECK(cudaMalloc((void **)&device, 2 * warps * sizeof *device));
  CHECK(cudaMalloc((void **)&out, 32 * warps * sizeof *out));
  CHECK(cudaMemcpy(device, host, 2 * warps * sizeof *device, cudaMemcpyHostToDevice));
  for (int run = 0; run < ladder.runs; ++run) {
    CHECK(cudaMemset(out, 0xff, 32 * warps * sizeof *out));
    ladder_start();
    ask<<<blocks, THREADS>>>(device, device + warps, out, warps);
    CHECK(ladder_stop());
  }
  CHECK(cudaMemcpy(got, out, 32 * warps * sizeof *got, cudaMemcpyDeviceToHost));
  compare(got, host, host + warps, warps);
  CHECK(cudaFree(device));
  CHECK(cudaFree(out));
  free(host);
  free(got);
  return ladder_end();
}

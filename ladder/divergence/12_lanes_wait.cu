// Lanes of one warp that wait for each other.
//
//! title: lanes of a warp wait for each other through a flag
//! expect: right
//! watched: --size 4
//
// Idea    lane l waits until the flag says l, adds its number to the sum, and sets the flag to
//         l + 1: a queue through one warp. Where a warp had one program counter (before 2017) the
//         waiting lanes kept it and lane 0 never came to its turn: the kernel hung. Since then
//         every lane has a program counter and the scheduler lets all of them make progress.
// Cost    32 turns a warp, one after the other; 31 lanes wait meanwhile.
// Shows   it ends, with the sum in lane order (a sum that depends on the order: s = 3 s + l).
//         Progress is promised, speed is not.
// Limits  needs compute capability 7.0. Memory that others poll is volatile, and the fence lets
//         the sum be seen before the flag.
// Source  course topic: independent thread scheduling; NVIDIA Tesla V100 GPU architecture, 2017.
#include "../common/ladder.h"

struct queue {
  unsigned int turn, sum;
};

__global__ void take_turns(struct queue *queues) {
  volatile struct queue *q = queues + blockIdx.x;
  const unsigned int lane = threadIdx.x;
  while (q->turn != lane) continue; // all lanes but one go round here
  __threadfence();
  q->sum = 3 * q->sum + lane;
  LADDER_STEP();
  LADDER_WORK(1);
  __threadfence(); // the sum before the turn
  q->turn = lane + 1;
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 64, 1024, sizeof(struct queue));
  const unsigned int warps = (unsigned int)ladder.size;
  struct queue *device, *got = (struct queue *)ladder_host_memory(warps * sizeof *got);
  unsigned int want = 0;
  for (unsigned int l = 0; l < 32; ++l) want = 3 * want + l;
  CHECK(cudaMalloc((void **)&device, warps * sizeof *device));
  for (int run = 0; run < ladder.runs; ++run) {
    CHECK(cudaMemset(device, 0, warps * sizeof *device));
    ladder_start();
    take_turns<<<warps, 32>>>(device);
    CHECK(ladder_stop());
  }
  CHECK(cudaMemcpy(got, device, warps * sizeof *got, cudaMemcpyDeviceToHost));
  for (unsigned int w = 0; w < warps; ++w)
    if (got[w].turn != 32 || got[w].sum != want)
      ladder_wrong("warp %u: turn %u, sum %u, should be 32 and %u", w, got[w].turn, got[w].sum,
                   want);
  printf("32 lanes took their turn in each of %u warps; sum in lane order %u\n", warps, want);
  CHECK(cudaFree(device));
  free(got);
  return ladder_end();
}

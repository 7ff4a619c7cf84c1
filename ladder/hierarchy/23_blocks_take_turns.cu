// A block leaves a multiprocessor, the next one enters.
//
//! title: blocks resident at a time
//! expect: right
//
// Idea    a grid may have any number of blocks; only as many as the occupancy allows are
//         resident, the others wait until one has ended. Each block counts itself in and out and
//         remembers the largest number that it saw.
// Cost    3 atomics a block.
// Shows   never more than occupancy * multiprocessors at a time, although several times as many
//         are launched, and never less work done. That is why blocks must not wait for blocks that
//         have not started yet: see warp/15 for the launch that allows it.
// Source  course topic: from the grid to the multiprocessor.
#include "../common/ladder.h"

struct count {
  unsigned int now, most, done;
};

__global__ void pass(struct count *count, long long cycles) {
  if (threadIdx.x == 0) {
    atomicMax(&count->most, atomicAdd(&count->now, 1u) + 1u);
    LADDER_ATOMIC(2);
  }
  __syncthreads(); // the block is counted before any of its warps goes on
  const long long start = clock64();
  while (clock64() - start < cycles) continue;
  __syncthreads(); // and leaves when all of its warps have
  if (threadIdx.x == 0) {
    atomicSub(&count->now, 1u);
    atomicAdd(&count->done, 1u);
    LADDER_ATOMIC(2);
    LADDER_WORK(1);
  }
  LADDER_STEP();
}

int main(int argc, char **argv) {
  struct count *device, got;
  int resident = 0;
  ladder_begin(argc, argv, __FILE__, 1, 1, 0);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, pass, 512, 0));
  const unsigned int room = (unsigned int)(resident * ladder.processors);
  const unsigned int blocks = room * (ladder.on_simt ? 3 : 10);
  CHECK(cudaMalloc((void **)&device, sizeof *device));
  for (int run = 0; run < ladder.runs; ++run) {
    CHECK(cudaMemset(device, 0, sizeof *device));
    ladder_start();
    pass<<<blocks, 512>>>(device, ladder.on_simt ? 0 : 20000);
    CHECK(ladder_stop());
  }
  CHECK(cudaMemcpy(&got, device, sizeof got, cudaMemcpyDeviceToHost));
  printf("%d multiprocessors hold %d blocks of 512 threads each: room for %u\n", ladder.processors,
         resident, room);
  printf("%u blocks launched, %u ran, %u left over, %s at a time\n", blocks, got.done, got.now,
         got.most <= room ? "never more than the room" : "more than the room");
  if (!ladder.on_simt) printf("most at a time: %u\n", got.most);
  ladder_true(got.done == blocks && got.now == 0, "a block did not run or did not end");
  ladder_true(got.most >= 1 && got.most <= room, "more blocks at a time than there is room for");
  CHECK(cudaFree(device));
  return ladder_end();
}

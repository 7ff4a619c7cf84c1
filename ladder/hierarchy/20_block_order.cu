// Blocks run in any order.
//
//! title: the order of blocks is undefined
//! expect: right
//
// Idea    every block draws a ticket when it starts: one atomic addition. On a GPU the tickets
//         often rise with the block's number for the first blocks and then do not; the language
//         promises nothing. A program must give the same result for every order.
// Cost    1 step, one atomic a block; all of them meet at one address.
// Shows   each ticket is drawn once: all blocks ran, each once. On the software device
//         --schedule forward, reverse and random:SEED choose the order, so a program that needs
//         one of them is found out.
// Source  course topic: blocks are independent.
#include "../common/ladder.h"

__global__ void draw(unsigned int *tickets, unsigned int *counter) {
  LADDER_STEP();
  if (threadIdx.x == 0) {
    tickets[blockIdx.x] = atomicAdd(counter, 1u);
    LADDER_WORK(1);
    LADDER_ATOMIC(1);
    LADDER_WROTE(1);
  }
}

static void compare(const unsigned int *tickets, unsigned int blocks) {
  unsigned char *drawn = (unsigned char *)ladder_host_memory(blocks);
  unsigned int out_of_order = 0;
  memset(drawn, 0, blocks);
  for (unsigned int b = 0; b < blocks; ++b) {
    if (tickets[b] >= blocks || drawn[tickets[b]])
      ladder_wrong("block %u drew ticket %u, which is not there or was taken", b, tickets[b]);
    else
      drawn[tickets[b]] = 1;
    out_of_order += tickets[b] != b;
  }
  printf("tickets of blocks 0 to 7:");
  for (unsigned int b = 0; b < 8 && b < blocks; ++b) printf(" %u", tickets[b]);
  printf("\n%u of %u blocks did not start in the order of their numbers\n", out_of_order, blocks);
  free(drawn);
}

int main(int argc, char **argv) {
  unsigned int *tickets, *counter;
  ladder_begin(argc, argv, __FILE__, 1000, 100000, sizeof(unsigned int));
  const unsigned int blocks = (unsigned int)ladder.size;
  unsigned int *got = (unsigned int *)ladder_host_memory(blocks * sizeof *got);
  CHECK(cudaMalloc((void **)&tickets, blocks * sizeof *tickets));
  CHECK(cudaMalloc((void **)&counter, sizeof *counter));
  for (int run = 0; run < ladder.runs; ++run) {
    CHECK(cudaMemset(counter, 0, sizeof *counter));
    CHECK(cudaMemset(tickets, 0xff, blocks * sizeof *tickets));
    ladder_start();
    draw<<<blocks, 64>>>(tickets, counter);
    CHECK(ladder_stop());
  }
  CHECK(cudaMemcpy(got, tickets, blocks * sizeof *got, cudaMemcpyDeviceToHost));
  compare(got, blocks);
  CHECK(cudaFree(tickets));
  CHECK(cudaFree(counter));
  free(got);
  return ladder_end();
}

// BUG: all lanes store to one address.
//
//! title: BUG: all threads store to one address
//! expect: caught race
//
// Idea    result[0] = my number, by every thread. One of the stores wins. Within a warp the
//         language leaves open which; between warps and blocks it depends on the day. The
//         program is free of crashes and often "works", for one device and one compiler.
// Cost    1 step, n stores.
// Shows   the winner is one of the writers and nothing more can be said: the value printed may
//         change with the schedule (--schedule forward, reverse, random:7). That two threads
//         store to one address without order is what a race checker reports.
// Source  course topic: races; CUDA C++ Programming Guide, SIMT Architecture (which lane's
//         store is last is undefined).
#include "../common/ladder.h"

enum { THREADS = 128 };

__global__ void store(unsigned int *result, unsigned int n) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  LADDER_STEP();
  if (i >= n) return;
  result[0] = i; // BUG: n writers, no order
  LADDER_WORK(1);
  LADDER_WROTE(1);
}

int main(int argc, char **argv) {
  unsigned int *result, winner;
  ladder_begin(argc, argv, __FILE__, 1024, 1 << 20, 0);
  const unsigned int n = (unsigned int)ladder.size;
  CHECK(cudaMalloc((void **)&result, sizeof *result));
  CHECK(cudaMemset(result, 0xff, sizeof *result));
  ladder_start();
  store<<<(n + THREADS - 1) / THREADS, THREADS>>>(result, n);
  CHECK(ladder_stop());
  CHECK(cudaMemcpy(&winner, result, sizeof winner, cudaMemcpyDeviceToHost));
  printf("%u threads stored, thread %u won this time\n", n, winner);
  if (winner >= n)
    ladder_wrong("the winner %u is none of the writers", winner);
  else
    ladder_needs_check("same-address race: %u threads store to one address", n);
  CHECK(cudaFree(result));
  return ladder_end();
}

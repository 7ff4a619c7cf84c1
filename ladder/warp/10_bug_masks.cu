// BUG: lanes that a mask does not name call all the same.
//
//! title: BUG: all lanes call with mask1 and mask2
//! expect: caught warp-mask
//
// Idea    the demonstration of rung 08 without its two "if": all(mask1, tid) is called by lane 0
//         too, which mask1 does not name, and any(mask2, tid) by lanes 1 to 15, which mask2 does
//         not name. Each calling lane must be in the mask it calls with.
// Cost    2 votes.
// Shows   the result is undefined: an H200 gives 0 and 1, which looks like an answer. Nothing in
//         the program can find that out; the software device reports the function, the mask and
//         the lanes of the first such call, since what follows may come of it, and the program
//         ends with status 3.
// Source  course topic: warp functions, demonstration program; CUDA C++ Programming Guide, Warp
//         Vote Functions.
#include "../common/ladder.h"
#include "rows.h"

__global__ void demonstrate(int *out) {
  const int tid = (int)threadIdx.x;
  const unsigned int mask1 = __ballot_sync(FULL_MASK, tid > 0);
  const unsigned int mask2 = __ballot_sync(FULL_MASK, tid == 0);
  const int all = __all_sync(mask1, tid); // BUG: lane 0 calls too
  const int any = __any_sync(mask2, tid); // and so do lanes 1 to 15 here
  out[2 * tid] = all;
  out[2 * tid + 1] = any;
  LADDER_STEP();
  LADDER_WORK(2);
}

int main(int argc, char **argv) {
  int got[2 * LANES], *out;
  ladder_begin(argc, argv, __FILE__, LANES, LANES, 0);
  CHECK(cudaMalloc((void **)&out, sizeof got));
  ladder_start();
  demonstrate<<<1, LANES>>>(out);
  CHECK(ladder_stop());
  CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  printf("all(mask1, tid) by all lanes: lane 1 got %d\n", got[2]);
  printf("any(mask2, tid) by all lanes: lane 1 got %d\n", got[3]);
  // On the software device the report decides: without one, "right" is counted as not caught.
  if (!ladder.on_simt)
    ladder_needs_check("wrong warp mask: this device does not tell lanes outside the mask");
  CHECK(cudaFree(out));
  return ladder_end();
}

// The warp functions in thirteen lines.
//
//! title: demonstration: 16 threads, logical width 8
//! expect: right
//
// Idea    a block of 16 threads, cut into two logical warps of 8: votes, ballots and shuffles,
//         each printed by the lanes that took part, a line each.
// Cost    1 step a function.
// Shows   a full mask is legal in a block of 16. all(mask1, tid) is called by lanes 1 to 15 only,
//         since mask1 names them and no other; any(mask2, tid) by lane 0 only. What happens when
//         all call is the subject of rung 10.
// Source  course topic: warp functions, demonstration program.
#include "../common/ladder.h"
#include "rows.h"

enum { ROWS = 13 };

__global__ void demonstrate(int *out) {
  const int tid = (int)threadIdx.x, lane = tid & (WIDTH - 1);
  int all_of_mask1 = 0, any_of_mask2 = 0;
  const unsigned int mask1 = __ballot_sync(FULL_MASK, tid > 0);
  const unsigned int mask2 = __ballot_sync(FULL_MASK, tid == 0);
  const int all_of_full = __all_sync(FULL_MASK, tid);
  const int any_of_full = __any_sync(FULL_MASK, tid);
  if (tid > 0) all_of_mask1 = __all_sync(mask1, tid);
  if (tid == 0) any_of_mask2 = __any_sync(mask2, tid);
  __syncwarp();
  const int rows[ROWS] = {tid,
                          lane,
                          (int)FULL_MASK,
                          (int)mask1,
                          (int)mask2,
                          all_of_full,
                          all_of_mask1,
                          any_of_full,
                          any_of_mask2,
                          __shfl_sync(FULL_MASK, tid, 2, WIDTH),
                          __shfl_up_sync(FULL_MASK, tid, 1, WIDTH),
                          __shfl_down_sync(FULL_MASK, tid, 1, WIDTH),
                          __shfl_xor_sync(FULL_MASK, tid, 1, WIDTH)};
  print_row("thread ids:", rows[0]);
  print_row("lanes:", rows[1]);
  print_once(0, "FULL_MASK", FULL_MASK);
  print_once(0, "mask1 = ballot(tid>0)", mask1);
  print_once(0, "mask2 = ballot(tid==0)", mask2);
  print_once(0, "all(full, tid)", (unsigned int)all_of_full);
  print_once(1, "all(mask1, tid)", (unsigned int)all_of_mask1);
  print_once(0, "any(full, tid)", (unsigned int)any_of_full);
  print_once(0, "any(mask2, tid)", (unsigned int)any_of_mask2);
  print_row("shfl(tid,2):", rows[9]);
  print_row("up 1:", rows[10]);
  print_row("down 1:", rows[11]);
  print_row("xor 1:", rows[12]);
  for (int r = 0; r < ROWS; ++r) out[r * LANES + tid] = rows[r];
  LADDER_STEP();
  LADDER_WORK(ROWS);
}

static void expect(int want[ROWS][LANES]) {
  for (int t = 0; t < LANES; ++t) {
    const int lane = t % WIDTH, base = t - lane;
    want[0][t] = t;
    want[1][t] = lane;
    want[2][t] = -1;
    want[3][t] = 0xfffe;
    want[4][t] = 1;
    want[5][t] = 0;
    want[6][t] = t > 0;
    want[7][t] = 1;
    want[8][t] = 0;
    want[9][t] = base + 2;
    want[10][t] = lane >= 1 ? t - 1 : t;
    want[11][t] = lane < WIDTH - 1 ? t + 1 : t;
    want[12][t] = base + (lane ^ 1);
  }
}

int main(int argc, char **argv) {
  static int want[ROWS][LANES], got[ROWS][LANES];
  int *out;
  ladder_begin(argc, argv, __FILE__, LANES, LANES, 0);
  CHECK(cudaMalloc((void **)&out, sizeof got));
  CHECK(cudaMemset(out, 0xee, sizeof got));
  ladder_start();
  demonstrate<<<1, LANES>>>(out);
  CHECK(ladder_stop());
  CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  expect(want);
  ladder_same_i32("row * 16 + lane", &got[0][0], &want[0][0], (size_t)ROWS * LANES);
  CHECK(cudaFree(out));
  return ladder_end();
}

// Further rows of the demonstration: shuffles by 2, and by 3.
//
//! title: further rows: up 2, down 2, xor 2, xor 3
//! expect: right
//
// Idea    the lanes of rung 08 read lane numbers instead of thread numbers, so both logical
//         warps of 8 print the same.
// Cost    1 step a function.
// Shows   up 2 leaves lanes 0 and 1 as they are, down 2 lanes 6 and 7; xor 2 exchanges pairs of
//         pairs, xor 3 turns each four round: 3 = 2 + 1, both exchanges at once.
// Source  course topic: warp functions, demonstration program.
#include "../common/ladder.h"
#include "rows.h"

enum { ROWS = 4 };

__global__ void demonstrate(int *out) {
  const int tid = (int)threadIdx.x, lane = tid & (WIDTH - 1);
  const int rows[ROWS] = {
      __shfl_up_sync(FULL_MASK, lane, 2, WIDTH), __shfl_down_sync(FULL_MASK, lane, 2, WIDTH),
      __shfl_xor_sync(FULL_MASK, lane, 2, WIDTH), __shfl_xor_sync(FULL_MASK, lane, 3, WIDTH)};
  print_row("up 2:", rows[0]);
  print_row("down 2:", rows[1]);
  print_row("xor 2:", rows[2]);
  print_row("xor 3:", rows[3]);
  for (int r = 0; r < ROWS; ++r) out[r * LANES + tid] = rows[r];
  LADDER_STEP();
  LADDER_WORK(ROWS);
}

int main(int argc, char **argv) {
  static const int expected[ROWS][WIDTH] = {{0, 1, 0, 1, 2, 3, 4, 5},
                                            {2, 3, 4, 5, 6, 7, 6, 7},
                                            {2, 3, 0, 1, 6, 7, 4, 5},
                                            {3, 2, 1, 0, 7, 6, 5, 4}};
  static int want[ROWS * LANES], got[ROWS * LANES];
  int *out;
  ladder_begin(argc, argv, __FILE__, LANES, LANES, 0);
  for (int i = 0; i < ROWS * LANES; ++i) want[i] = expected[i / LANES][i % WIDTH];
  CHECK(cudaMalloc((void **)&out, sizeof got));
  CHECK(cudaMemset(out, 0xee, sizeof got));
  ladder_start();
  demonstrate<<<1, LANES>>>(out);
  CHECK(ladder_stop());
  CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  ladder_same_i32("row * 16 + lane", got, want, (size_t)ROWS * LANES);
  CHECK(cudaFree(out));
  return ladder_end();
}

// Shuffle: read a register of any lane.
//
//! title: shuffle by index, 8 types, 5 widths
//! expect: right
//
// Idea    __shfl_sync(mask, value, k, width) gives every lane the value of lane k of its logical
//         warp. A width below 32 cuts the warp into logical warps, each with lanes 0 to
//         width - 1; k counts modulo width.
// Cost    1 step; no memory, no barrier. 64-bit types take two shuffles underneath.
// Shows   a broadcast, and tables in registers. int, unsigned, long, unsigned long, long long,
//         unsigned long long, float and double, bit by bit.
// Source  course topic: warp shuffles; CUDA C++ Programming Guide, Warp Shuffle Functions.
#include "../common/ladder.h"

#define SHUFFLE(value, k, width) __shfl_sync(0xffffffffu, value, k, width)

static int source_of(int lane, int k, int width) {
  return lane / width * width + (k & (width - 1));
}

#include "shuffle.h"

int main(int argc, char **argv) { return shuffle_main(argc, argv, __FILE__); }

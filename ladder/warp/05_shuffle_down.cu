// Shuffle down: read from the lane k above.
//
//! title: shuffle down, 8 types, 5 widths
//! expect: right
//
// Idea    __shfl_down_sync moves values to lower lanes: lane l gets the value of lane l + k. The
//         highest k lanes of a logical warp keep their own.
// Cost    1 step; no memory, no barrier.
// Shows   the step of a reduction within a warp; lane 0 has the result at the end, the other
//         lanes have partial sums that count some values twice.
// Source  course topic: warp shuffles; CUDA C++ Programming Guide, Warp Shuffle Functions.
#include "../common/ladder.h"

#define SHUFFLE(value, k, width) __shfl_down_sync(0xffffffffu, value, (unsigned int)(k), width)

static int source_of(int lane, int k, int width) {
  return lane % width + k < width ? lane + k : lane;
}

#include "shuffle.h"

int main(int argc, char **argv) { return shuffle_main(argc, argv, __FILE__); }

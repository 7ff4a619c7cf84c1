// Shuffle xor: lanes exchange their values in pairs.
//
//! title: shuffle xor, 8 types, 5 widths
//! expect: right
//
// Idea    __shfl_xor_sync: lane l gets the value of lane l ^ k, and that lane gets l's: a
//         butterfly. With k below the width both lie in one logical warp. With k = width the
//         upper of two logical warps reads from the lower one, which keeps its own.
// Cost    1 step; no memory, no barrier.
// Shows   a reduction by k = 16, 8, 4, 2, 1 leaves the result in every lane.
// Source  course topic: warp shuffles; CUDA C++ Programming Guide, Warp Shuffle Functions.
#include "../common/ladder.h"

#define SHUFFLE(value, k, width) __shfl_xor_sync(0xffffffffu, value, k, width)

static int source_of(int lane, int k, int width) {
  const int from = lane ^ (k % 32);
  return from < (lane / width + 1) * width ? from : lane;
}

#include "shuffle.h"

int main(int argc, char **argv) { return shuffle_main(argc, argv, __FILE__); }

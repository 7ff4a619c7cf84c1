// Shuffle up: read from the lane k below.
//
//! title: shuffle up, 8 types, 5 widths
//! expect: right
//
// Idea    __shfl_up_sync moves values to higher lanes: lane l gets the value of lane l - k. The
//         lowest k lanes of a logical warp have nobody to read from and keep their own.
// Cost    1 step; no memory, no barrier.
// Shows   the step of a Hillis-Steele scan within a warp. "Keep their own" is not "get 0": a scan
//         must ask whether l >= k.
// Source  course topic: warp shuffles; CUDA C++ Programming Guide, Warp Shuffle Functions.
#include "../common/ladder.h"

#define SHUFFLE(value, k, width) __shfl_up_sync(0xffffffffu, value, (unsigned int)(k), width)

static int source_of(int lane, int k, int width) { return lane % width >= k ? lane - k : lane; }

#include "shuffle.h"

int main(int argc, char **argv) { return shuffle_main(argc, argv, __FILE__); }

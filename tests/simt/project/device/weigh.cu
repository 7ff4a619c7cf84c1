/* What the other file calls. */
#include "device/sum.h"
__device__ int weigh(int value) { return SCALE * value; }

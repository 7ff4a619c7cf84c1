// Definitions for shared.h.
#include "shared.h"

__device__ float device_table[4] = {10, 20, 30, 40};

__device__ float device_function(int i) { return i * 0.5f; }

__global__ void set_table() { device_table[threadIdx.x] = threadIdx.x * (float)counter_total; }

__device__ Helper::Helper(int f) : factor(f) {}
__device__ float Helper::scaled(int v) const { return (float)factor * v; }

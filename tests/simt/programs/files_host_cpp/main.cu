// A .cpp file that uses the runtime API and types of the toolkit, a header that both compilers read, C++ only in between.
// expect: pass
#include "body.h"

__global__ void advance(Body *b, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = b[i].moved(dt);
}

void launch_advance(Body *device, int n, float dt, cudaStream_t stream) {
  dim3 block(32), grid((n + block.x - 1) / block.x);
  advance<<<grid, block, 0, stream>>>(device, n, dt);
}

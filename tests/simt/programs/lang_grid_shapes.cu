// One-, two- and three-dimensional grids and blocks; every thread is seen once, in every shape.
// expect: pass
#include <cstdio>
#include <cstring>

__device__ __managed__ int seen[4096];

__device__ unsigned flat() {
  unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  return block * (blockDim.x * blockDim.y * blockDim.z) + thread;
}

__global__ void count() { atomicAdd(&seen[flat()], 1); }

__global__ void warps(int *lanes) {
  unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  unsigned ballot = __ballot_sync(__activemask(), true);
  if (t % warpSize == 0) lanes[t / warpSize] = __popc(ballot);
}

static int check(dim3 grid, dim3 block) {
  memset(seen, 0, sizeof seen);
  count<<<grid, block>>>();
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  unsigned total = grid.x * grid.y * grid.z * block.x * block.y * block.z;
  int bad = 0;
  for (unsigned i = 0; i < 4096; i++) bad += seen[i] != (i < total);
  if (bad)
    printf("(%u,%u,%u)(%u,%u,%u): %d wrong\n", grid.x, grid.y, grid.z, block.x, block.y, block.z,
           bad);
  return bad;
}

int main() {
  int bad =
      check(1, 1) + check(4, 1024) + check(dim3(3, 5), dim3(7, 2)) + check({2, 3, 4}, {5, 4, 3});
  bad += check(dim3(1, 1, 16), dim3(1, 1, 64)) + check(4096, 1) +
         check(dim3(1, 128), dim3(1, 32, 1)) + check(63, 65);
  int *lanes;
  cudaMallocManaged(&lanes, 32 * sizeof(int));
  memset(lanes, 0, 32 * sizeof(int));
  warps<<<1, dim3(10, 10)>>>(lanes);
  cudaDeviceSynchronize();
  bad += lanes[0] != 32 || lanes[1] != 32 || lanes[2] != 32 || lanes[3] != 4 || lanes[4] != 0;
  dim3 d;
  bad += d.x != 1 || d.y != 1 || d.z != 1;
  dim3 e = {8};
  e.y = 3;
  bad += e.x * e.y * e.z != 24;
  puts(bad ? "FAILED" : "PASSED");
  cudaFree(lanes);
  return bad != 0;
}

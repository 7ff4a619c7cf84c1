// Grid-wide barrier: cooperative launch with occupancy query, and a home-made one with an atomic counter.
// expect: pass
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>

namespace cg = cooperative_groups;

__global__ void stages(int *a, int *b, int n, int rounds) {
  cg::grid_group grid = cg::this_grid();
  int *src = a, *dst = b;
  for (int r = 0; r < rounds; ++r) {
    for (int i = grid.thread_rank(); i < n; i += grid.size()) dst[i] = src[(i + 1) % n] + src[i];
    grid.sync();
    int *t = src;
    src = dst;
    dst = t;
  }
}

__device__ volatile unsigned int arrived, generation;

__device__ void gridBarrier(unsigned blocks) {
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned g = generation;
    __threadfence();
    if (atomicAdd((unsigned int *)&arrived, 1) == blocks - 1) {
      arrived = 0;
      __threadfence();
      generation = g + 1;
    } else {
      while (generation == g) {
      }
    }
    __threadfence();
  }
  __syncthreads();
}

__global__ void own_barrier(int *a, int *b, int n, int rounds) {
  for (int r = 0; r < rounds; ++r) {
    const int *src = r % 2 ? b : a;
    int *dst = r % 2 ? a : b;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
      dst[i] = src[(i + 1) % n] + src[i];
    gridBarrier(gridDim.x);
  }
}

int main() {
  int device = 0, supports = 0, perSM = 0, rounds = 6, n = 2000;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&supports, cudaDevAttrCooperativeLaunch, device);
  if (!supports) {
    printf("no cooperative launch, waived\n");
    return 2;
  }
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSM, stages, 128, 0);
  int blocks = prop.multiProcessorCount * perSM;
  if (blocks > 12) blocks = 12;
  int *h = (int *)malloc(n * sizeof(int)), *w = (int *)malloc(n * sizeof(int)),
      *t = (int *)malloc(n * sizeof(int));
  int *a, *b;
  cudaMalloc(&a, n * sizeof(int)), cudaMalloc(&b, n * sizeof(int));
  int bad = 0;
  for (int version = 0; version < 2; ++version) {
    for (int i = 0; i < n; ++i) w[i] = i % 5;
    cudaMemcpy(a, w, n * sizeof(int), cudaMemcpyHostToDevice);
    if (version == 0) {
      void *args[] = {&a, &b, &n, &rounds};
      cudaError_t e =
          cudaLaunchCooperativeKernel((void *)stages, dim3(blocks), dim3(128), args, 0, 0);
      if (e != cudaSuccess) printf("launch: %s\n", cudaGetErrorString(e));
    } else {
      own_barrier<<<8, 64>>>(a, b, n, rounds);
    }
    cudaMemcpy(h, rounds % 2 ? b : a, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int r = 0; r < rounds; ++r) {
      for (int i = 0; i < n; ++i) t[i] = w[(i + 1) % n] + w[i];
      int *x = t;
      t = w, w = x;
    }
    for (int i = 0; i < n; ++i) bad += h[i] != w[i];
  }
  printf("%d blocks, %d wrong\n%s\n", blocks, bad, bad ? "FAILED" : "PASSED");
  cudaFree(a); cudaFree(b);
  return bad ? 1 : 0;
}

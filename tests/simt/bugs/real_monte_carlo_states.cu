// find: race global
// Monte Carlo with one random state for each lane of a block instead of one for each thread: warps
// share states.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Random {
  unsigned x, y, z, w;
};

__device__ float next(Random *r) {
  unsigned t = r->x ^ (r->x << 11);          // BUG
  r->x = r->y;                               // BUG
  r->y = r->z;                               // BUG
  r->z = r->w;                               // BUG
  r->w = r->w ^ (r->w >> 19) ^ t ^ (t >> 8); // BUG
  return (r->w >> 8) * (1.0f / 16777216.0f); // BUG?
}

__global__ void seed(Random *states, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  states[i].x = 123456789u + i;
  states[i].y = 362436069u ^ (i * 77u);
  states[i].z = 521288629u;
  states[i].w = 88675123u * (2 * i + 1);
}

__global__ void price(Random *states, int paths, float s0, float strike, float drift,
                      float volatility, float *sums) {
  __shared__ float s[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  Random *mine = &states[i];
#else
  Random *mine = &states[blockIdx.x * blockDim.x + threadIdx.x % 32];
#endif
  float sum = 0;
  for (int k = 0; k < paths; k++) {
    float u = next(mine), v = next(mine);
    float normal = sqrtf(-2 * logf(u + 1e-7f)) * cosf(6.2831853f * v);
    float value = s0 * expf(drift + volatility * normal);
    sum += fmaxf(value - strike, 0);
  }
  s[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half >>= 1) {
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  if (i % blockDim.x == 0) sums[blockIdx.x] = s[0];
}

int main(int argc, char **argv) {
  const int blocks = 2, threads = 128, paths = argc > 1 ? atoi(argv[1]) : 8;
  Random *states;
  float *sums;
  cudaMalloc(&states, blocks * threads * sizeof(Random));
  cudaMalloc(&sums, blocks * sizeof(float));
  seed<<<blocks, threads>>>(states, blocks * threads);
  price<<<blocks, threads>>>(states, paths, 100, 95, 0.03f, 0.2f, sums);
  cudaError_t e = cudaDeviceSynchronize();
  std::vector<float> h(blocks);
  cudaMemcpy(h.data(), sums, blocks * sizeof(float), cudaMemcpyDeviceToHost);
  float total = 0;
  for (float x : h) total += x;
  printf("price %.3f, %s\n", total / (blocks * threads * paths), cudaGetErrorString(e));
  cudaFree(states);
  cudaFree(sums);
  return 0;
}

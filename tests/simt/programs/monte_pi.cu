// Monte Carlo pi with curand states in global memory and with an own generator, C++ classes.
// expect: pass
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <curand_kernel.h>

#define SAMPLES 400
#define THREADS 128
#define BLOCKS 24

__global__ void setup_kernel(curandState *state, unsigned long long seed) {
  int id = threadIdx.x + blockIdx.x * blockDim.x;
  curand_init(seed, id, 0, &state[id]);
}

__global__ void sample(curandState *state, unsigned int *result) {
  int id = threadIdx.x + blockIdx.x * blockDim.x;
  unsigned int count = 0;
  curandState local = state[id];
  for (int i = 0; i < SAMPLES; i++) {
    float x = curand_uniform(&local);
    float y = curand_uniform(&local);
    if (x * x + y * y <= 1.0f) count++;
  }
  state[id] = local;
  atomicAdd(result, count);
}

__device__ unsigned int lcg(unsigned int &s) { return s = 1664525u * s + 1013904223u; }

__global__ void sample_lcg(unsigned int *result) {
  __shared__ unsigned int hits[THREADS];
  unsigned int s = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 17u, in = 0;
  for (int i = 0; i < SAMPLES; ++i) {
    float x = (lcg(s) >> 8) / 16777216.0f;
    float y = (lcg(s) >> 8) / 16777216.0f;
    in += (x * x + y * y < 1.0f);
  }
  hits[threadIdx.x] = in;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half >>= 1) {
    if (threadIdx.x < half) hits[threadIdx.x] += hits[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) result[blockIdx.x] = hits[0];
}

int main() {
  curandState *state;
  unsigned int *d, h = 0, per[BLOCKS];
  cudaMalloc(&state, THREADS * BLOCKS * sizeof(curandState));
  cudaMalloc(&d, BLOCKS * sizeof(unsigned int));
  cudaMemset(d, 0, BLOCKS * sizeof(unsigned int));
  setup_kernel<<<BLOCKS, THREADS>>>(state, 1234ULL);
  sample<<<BLOCKS, THREADS>>>(state, d);
  cudaMemcpy(&h, d, sizeof(h), cudaMemcpyDeviceToHost);
  const double total = (double)SAMPLES * THREADS * BLOCKS;
  const double pi1 = 4.0 * h / total;
  sample_lcg<<<BLOCKS, THREADS>>>(d);
  cudaMemcpy(per, d, sizeof(per), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < BLOCKS; ++i) sum += per[i];
  const double pi2 = 4.0 * sum / total;
  printf("curand %f, own %f, exact %f\n", pi1, pi2, M_PI);
  bool ok = fabs(pi1 - M_PI) < 0.01 && fabs(pi2 - M_PI) < 0.02;
  printf("%s\n", ok ? "PASSED" : "FAILED");
  cudaFree(state);
  cudaFree(d);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

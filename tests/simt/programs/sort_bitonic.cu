// Bitonic sort: every step a launch, then the small steps in shared memory.
// expect: pass
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define THREADS 256
#define BLOCKS 16
#define LENGTH THREADS *BLOCKS

void report(clock_t start, clock_t stop) {
  printf("%.3f s\n", (double)(stop - start) / CLOCKS_PER_SEC);
}

float uniform() { return (float)rand() / (float)RAND_MAX; }

__global__ void compare_exchange(float *d, int j, int k) {
  unsigned int i, partner;
  i = threadIdx.x + blockDim.x * blockIdx.x;
  partner = i ^ j;
  if (partner < i) return;
  const bool rising = (i & k) == 0;
  const float lower = fminf(d[i], d[partner]), upper = fmaxf(d[i], d[partner]);
  d[i] = rising ? lower : upper;
  d[partner] = rising ? upper : lower;
}

__device__ inline void order_pair(float &a, float &b, unsigned dir) {
  if ((a > b) == dir) {
    float t = a;
    a = b;
    b = t;
  }
}

__global__ void bitonic_shared(float *data) {
  __shared__ float s[2 * THREADS];
  float *mine = data + blockIdx.x * 2 * THREADS;
  s[threadIdx.x] = mine[threadIdx.x];
  s[threadIdx.x + THREADS] = mine[threadIdx.x + THREADS];
  for (unsigned size = 2; size < 2 * THREADS; size <<= 1) {
    unsigned up = (threadIdx.x & (size / 2)) == 0;
    for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      order_pair(s[pos], s[pos + stride], up);
    }
  }
  for (unsigned stride = THREADS; stride > 0; stride >>= 1) {
    __syncthreads();
    unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    order_pair(s[pos], s[pos + stride], 1);
  }
  __syncthreads();
  mine[threadIdx.x] = s[threadIdx.x];
  mine[threadIdx.x + THREADS] = s[threadIdx.x + THREADS];
}

void bitonic_sort(float *values) {
  float *d;
  size_t size = LENGTH * sizeof(float);
  cudaMalloc((void **)&d, size);
  cudaMemcpy(d, values, size, cudaMemcpyHostToDevice);
  dim3 blocks(BLOCKS, 1);
  dim3 threads(THREADS, 1);
  int j, k;
  for (k = 2; k <= LENGTH; k <<= 1)
    for (j = k >> 1; j > 0; j = j >> 1) compare_exchange<<<blocks, threads>>>(d, j, k);
  cudaMemcpy(values, d, size, cudaMemcpyDeviceToHost);
  cudaFree(d);
}

int main(void) {
  clock_t start, stop;
  float *values = (float *)malloc(LENGTH * sizeof(float));
  float *again = (float *)malloc(LENGTH * sizeof(float));
  double before = 0, after = 0;
  int bad = 0;
  for (int i = 0; i < LENGTH; i++) before += again[i] = values[i] = uniform();
  start = clock();
  bitonic_sort(values);
  stop = clock();
  report(start, stop);
  for (int i = 0; i < LENGTH; i++) after += values[i];
  for (int i = 1; i < LENGTH; i++) bad += values[i - 1] > values[i];
  float *d;
  cudaMalloc(&d, LENGTH * sizeof(float));
  cudaMemcpy(d, again, LENGTH * sizeof(float), cudaMemcpyHostToDevice);
  bitonic_shared<<<BLOCKS / 2, THREADS>>>(d);
  cudaMemcpy(again, d, LENGTH * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 1; i < LENGTH; i++) bad += i % (2 * THREADS) && again[i - 1] > again[i];
  if (before - after > 1e-3 || after - before > 1e-3) bad++;
  printf("%s\n", bad ? "FAILED" : "PASSED");
  cudaFree(d);
  return bad;
}

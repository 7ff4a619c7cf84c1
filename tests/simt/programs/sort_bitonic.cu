// Bitonic sort: every step a launch, then the small steps in shared memory.
// expect: pass
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define THREADS 256
#define BLOCKS 16
#define NUM_VALS THREADS *BLOCKS

void print_elapsed(clock_t start, clock_t stop) {
  double elapsed = ((double)(stop - start)) / CLOCKS_PER_SEC;
  printf("Elapsed time: %.3fs\n", elapsed);
}

float random_float() { return (float)rand() / (float)RAND_MAX; }

__global__ void bitonic_sort_step(float *dev_values, int j, int k) {
  unsigned int i, ixj;
  i = threadIdx.x + blockDim.x * blockIdx.x;
  ixj = i ^ j;
  if ((ixj) > i) {
    if ((i & k) == 0) {
      if (dev_values[i] > dev_values[ixj]) {
        float temp = dev_values[i];
        dev_values[i] = dev_values[ixj];
        dev_values[ixj] = temp;
      }
    }
    if ((i & k) != 0) {
      if (dev_values[i] < dev_values[ixj]) {
        float temp = dev_values[i];
        dev_values[i] = dev_values[ixj];
        dev_values[ixj] = temp;
      }
    }
  }
}

__device__ inline void Comparator(float &a, float &b, unsigned dir) {
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
    unsigned ddd = (threadIdx.x & (size / 2)) == 0;
    for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      Comparator(s[pos], s[pos + stride], ddd);
    }
  }
  for (unsigned stride = THREADS; stride > 0; stride >>= 1) {
    __syncthreads();
    unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    Comparator(s[pos], s[pos + stride], 1);
  }
  __syncthreads();
  mine[threadIdx.x] = s[threadIdx.x];
  mine[threadIdx.x + THREADS] = s[threadIdx.x + THREADS];
}

void bitonic_sort(float *values) {
  float *dev_values;
  size_t size = NUM_VALS * sizeof(float);
  cudaMalloc((void **)&dev_values, size);
  cudaMemcpy(dev_values, values, size, cudaMemcpyHostToDevice);
  dim3 blocks(BLOCKS, 1);
  dim3 threads(THREADS, 1);
  int j, k;
  for (k = 2; k <= NUM_VALS; k <<= 1)
    for (j = k >> 1; j > 0; j = j >> 1) bitonic_sort_step<<<blocks, threads>>>(dev_values, j, k);
  cudaMemcpy(values, dev_values, size, cudaMemcpyDeviceToHost);
  cudaFree(dev_values);
}

int main(void) {
  clock_t start, stop;
  float *values = (float *)malloc(NUM_VALS * sizeof(float));
  float *again = (float *)malloc(NUM_VALS * sizeof(float));
  double before = 0, after = 0;
  int bad = 0;
  for (int i = 0; i < NUM_VALS; i++) before += again[i] = values[i] = random_float();
  start = clock();
  bitonic_sort(values);
  stop = clock();
  print_elapsed(start, stop);
  for (int i = 0; i < NUM_VALS; i++) after += values[i];
  for (int i = 1; i < NUM_VALS; i++) bad += values[i - 1] > values[i];
  float *d;
  cudaMalloc(&d, NUM_VALS * sizeof(float));
  cudaMemcpy(d, again, NUM_VALS * sizeof(float), cudaMemcpyHostToDevice);
  bitonic_shared<<<BLOCKS / 2, THREADS>>>(d);
  cudaMemcpy(again, d, NUM_VALS * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 1; i < NUM_VALS; i++) bad += i % (2 * THREADS) && again[i - 1] > again[i];
  if (before - after > 1e-3 || after - before > 1e-3) bad++;
  printf("%s\n", bad ? "FAILED" : "PASSED");
  return bad;
}

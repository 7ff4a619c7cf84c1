// Kernels with barriers and atomics: the shared-memory histogram, the tree reduction, one with
// barriers of the grid, a launch.
//
// Result   one line of JSON each, median milliseconds; results are verified first
#include "bench.h"
#include <cooperative_groups.h>

enum { BYTES = 100 << 20, FLOATS = 33 * 1024, NUMBERS = 1 << 20, LAUNCHES = 1000 };

__global__ void histogram(const unsigned char *data, long n, unsigned *bins) {
  __shared__ unsigned mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  long i = threadIdx.x + (long)blockIdx.x * blockDim.x;
  const long stride = (long)blockDim.x * gridDim.x;
  for (; i < n; i += stride) atomicAdd(&mine[data[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

// The blocks' sums of a tree in shared memory; blocks take several tiles if there are fewer.
__global__ void reduce(const float *in, float *sums, int n) {
  __shared__ float tile[256];
  const int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x) sum += in[i];
  tile[t] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) tile[t] += tile[t + half];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = tile[0];
}

// Halves the array until one number is left; a barrier of the grid after each step.
__global__ void halve(unsigned *x, unsigned n) {
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  for (unsigned half = n / 2; half > 0; half /= 2) {
    for (unsigned i = grid.thread_rank(); i < half; i += grid.size()) x[i] += x[i + half];
    grid.sync();
  }
}

__global__ void nothing(int *p) { p[threadIdx.x] = 1; }

static unsigned char *data;
static unsigned *bins, *numbers;
static float *in, *sums;
static int *p;

static void run_histogram(void) {
  cudaMemset(bins, 0, 256 * sizeof *bins);
  histogram<<<264, 256>>>(data, BYTES, bins);
}
static void run_32(void) { reduce<<<32, 256>>>(in, sums, FLOATS); }
static void run_132(void) { reduce<<<132, 256>>>(in, sums, FLOATS); }
static void run_halve(unsigned blocks) {
  unsigned n = NUMBERS;
  void *arguments[] = {&numbers, &n};
  CHECK(cudaLaunchCooperativeKernel((void *)halve, dim3(blocks), dim3(256), arguments, 0, 0));
}
static void run_grid(void) { run_halve(132); }
static void run_large_grid(void) { run_halve(1024); }
static void run_launches(void) {
  for (int i = 0; i < LAUNCHES; ++i) nothing<<<1, 32>>>(p);
}

static void verify(const char *what, int good) {
  if (good) return;
  fprintf(stderr, "%s: wrong result\n", what);
  exit(1);
}

static int bins_are_right(void) {
  static unsigned want[256];
  memset(want, 0, sizeof want);
  for (long i = 0; i < BYTES; ++i) ++want[data[i]];
  return memcmp(want, bins, sizeof want) == 0;
}

static int sum_is(int blocks, double want) {
  double sum = 0;
  for (int i = 0; i < blocks; ++i) sum += sums[i];
  return sum == want;
}

int main(void) {
  CHECK(cudaMallocManaged(&data, BYTES));
  CHECK(cudaMallocManaged(&bins, 256 * sizeof *bins));
  CHECK(cudaMallocManaged(&in, FLOATS * sizeof *in));
  CHECK(cudaMallocManaged(&sums, 132 * sizeof *sums));
  CHECK(cudaMallocManaged(&numbers, NUMBERS * sizeof *numbers));
  CHECK(cudaMallocManaged(&p, 32 * sizeof *p));
  double want = 0;
  for (long i = 0; i < BYTES; ++i) data[i] = (unsigned char)bench_random();
  for (int i = 0; i < FLOATS; ++i) want += in[i] = (float)(bench_random() % 100);
  run_histogram();
  CHECK(cudaDeviceSynchronize());
  verify("histogram", bins_are_right());
  run_32();
  CHECK(cudaDeviceSynchronize());
  verify("reduction, 32 blocks", sum_is(32, want));
  run_132();
  CHECK(cudaDeviceSynchronize());
  verify("reduction, 132 blocks", sum_is(132, want));
  unsigned total = 0;
  for (int i = 0; i < NUMBERS; ++i) total += numbers[i] = bench_random();
  run_grid();
  CHECK(cudaDeviceSynchronize());
  verify("grid-synchronised reduction", numbers[0] == total);
  bench_alone("histogram of 100 MiB, 256 bins in shared memory", run_histogram);
  bench_alone("tree reduction of 33 x 1024 floats, 32 blocks of 256", run_32);
  bench_alone("tree reduction of 33 x 1024 floats, 132 blocks of 256", run_132);
  bench_alone("grid-synchronised reduction of 2^20 numbers, 132 blocks of 256", run_grid);
  bench_alone("grid-synchronised reduction of 2^20 numbers, 1,024 blocks of 256", run_large_grid);
  bench_alone("1,000 launches of one warp", run_launches);
  return 0;
}

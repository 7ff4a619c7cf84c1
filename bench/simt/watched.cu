// What an access costs while a checker or a profiler watches: saxpy, a shared-memory histogram.
//
// Result   one line of JSON each: median nanoseconds an access, or a byte; results are verified
// Limits   to be run by heddle-check or heddle-profile; the plain run is the comparison
#include "bench.h"

enum { FLOATS = 4 << 20, BYTES = 4 << 20 };

__global__ void saxpy(int n, float a, const float *x, float *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

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

static float *x, *y;
static unsigned char *data;
static unsigned *bins;

static void run_saxpy(void) { saxpy<<<FLOATS / 256, 256>>>(FLOATS, 2.0f, x, y); }
static void run_histogram(void) { histogram<<<264, 256>>>(data, BYTES, bins); }

static void verify(const char *what, int good) {
  if (good) return;
  fprintf(stderr, "%s: wrong result\n", what);
  exit(1);
}

static double median_of(void (*work)(void)) {
  double times[ROUNDS];
  for (int i = 0; i < ROUNDS; ++i) times[i] = bench_milliseconds(work);
  return bench_median(times);
}

static int saxpy_is_right(float *got) {
  CHECK(cudaMemcpy(got, y, FLOATS * sizeof *got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < FLOATS; ++i)
    if (got[i] != (1 + ROUNDS) * 2.0f * (float)(i % 64)) return 0;
  return 1;
}

static int bins_are_right(const unsigned char *bytes) {
  static unsigned want[256], got[256];
  for (long i = 0; i < BYTES; ++i) want[bytes[i]] += 1 + ROUNDS;
  CHECK(cudaMemcpy(got, bins, sizeof got, cudaMemcpyDeviceToHost));
  return memcmp(want, got, sizeof want) == 0;
}

int main(void) {
  float *host = (float *)malloc(FLOATS * sizeof *host);
  unsigned char *bytes = (unsigned char *)malloc(BYTES);
  CHECK(cudaMalloc(&x, FLOATS * sizeof *x));
  CHECK(cudaMalloc(&y, FLOATS * sizeof *y));
  CHECK(cudaMalloc(&data, BYTES));
  CHECK(cudaMalloc(&bins, 256 * sizeof *bins));
  for (int i = 0; i < FLOATS; ++i) host[i] = (float)(i % 64);
  for (long i = 0; i < BYTES; ++i) bytes[i] = (unsigned char)bench_random();
  CHECK(cudaMemcpy(x, host, FLOATS * sizeof *x, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(data, bytes, BYTES, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(y, 0, FLOATS * sizeof *y));
  CHECK(cudaMemset(bins, 0, 256 * sizeof *bins));
  run_saxpy();
  run_histogram();
  CHECK(cudaDeviceSynchronize());
  const double saxpy_ms = median_of(run_saxpy), histogram_ms = median_of(run_histogram);
  verify("saxpy", saxpy_is_right(host));
  verify("histogram", bins_are_right(bytes));
  printf("{\"work\": \"saxpy\", \"ns\": %.2f}\n", 1e6 * saxpy_ms / (3.0 * FLOATS));
  printf("{\"work\": \"histogram\", \"ns\": %.2f}\n", 1e6 * histogram_ms / BYTES);
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  CHECK(cudaFree(data));
  CHECK(cudaFree(bins));
  free(host);
  free(bytes);
  return 0;
}

/* Reduce 15: double
 *
 * Idea     rung 13 with 64-bit numbers: block_sum.h with double as REAL, and again with float
 *          to compare. Every rung of this folder compiles with -DREAL=double. A shuffle of a
 *          double moves two words
 * Cost     as rung 13, twice the traffic
 * Shows    what the tree does for rounding: on random floats in [0, 1) the serial loop loses
 *          digits with every add to a large sum, the tree adds numbers of like size. Errors
 *          beside the exact sum, which integers give
 * Source   Higham, The Accuracy of Floating Point Summation, 1993
 *
 * //! title: double, and what rounding costs
 * //! expect: right
 */
#undef REAL
#define REAL double
#include "reduce.h"

#include "block_sum.h"

#undef REAL
#define REAL float
#include "block_sum.h"

enum { THREADS = 256, MOST_BLOCKS = 1024 };

static double relative(double got, double exact) { return fabs(got - exact) / exact; }

/* Random multiples of 2^-24 below 1: integers give their exact sum. */
static double rounding(size_t n, unsigned int blocks, double *device_sums) {
  float *host = (float *)ladder_host_memory(n * sizeof *host), *device, serial = 0, tree;
  unsigned long long sum = 0;
  for (size_t i = 0; i < n; ++i) {
    const unsigned long long value = ladder_random(3, i) >> 40;
    host[i] = (float)value / 16777216.0f;
    sum += value;
    serial += host[i];
  }
  const double exact = (double)sum / 16777216.0;
  float *const sums = (float *)device_sums;
  CHECK(cudaMalloc((void **)&device, n * sizeof *device));
  CHECK(cudaMemcpy(device, host, n * sizeof *device, cudaMemcpyHostToDevice));
  partial_sums<<<blocks, THREADS>>>(device, n, sums);
  partial_sums<<<1, 1024>>>(sums, blocks, sums + MOST_BLOCKS);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&tree, sums + MOST_BLOCKS, sizeof tree, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device));
  free(host);
  printf("Relative error of %zu random floats: serial %.2g, tree %.2g\n", n,
         relative((double)serial, exact), relative((double)tree, exact));
  ladder_key_number("serial_error", relative((double)serial, exact));
  ladder_key_number("tree_error", relative((double)tree, exact));
  return relative((double)tree, exact);
}

int main(int argc, char **argv) {
  const size_t bytes = sizeof(double);
  size_t n;
  long long want = 0;
  double *host, *data, *sums, sum = 0;
  ladder_begin(argc, argv, __FILE__, 1 << 16, 1 << 28, bytes + sizeof(float));
  n = ladder.size;
  host = (double *)ladder_host_memory(n * bytes);
  for (size_t i = 0; i < n; ++i) {
    const int value = 2 * (int)ladder_value(i, n, 256) - 255;
    host[i] = value;
    want += value;
  }
  CHECK(cudaMalloc((void **)&data, n * bytes));
  CHECK(cudaMalloc((void **)&sums, (MOST_BLOCKS + 1) * bytes));
  CHECK(cudaMemcpy(data, host, n * bytes, cudaMemcpyHostToDevice));
  free(host);
  const size_t needed = (n + THREADS - 1) / THREADS;
  const unsigned int blocks = (unsigned int)(needed < MOST_BLOCKS ? needed : (size_t)MOST_BLOCKS);
  for (int run = 0; run < ladder.runs; ++run) {
    ladder_start();
    partial_sums<<<blocks, THREADS>>>(data, n, sums);
    partial_sums<<<1, 1024>>>(sums, blocks, sums + MOST_BLOCKS);
    CHECK(ladder_stop());
    CHECK(cudaMemcpy(&sum, sums + MOST_BLOCKS, bytes, cudaMemcpyDeviceToHost));
    if (!ladder_true(sum == (double)want, "the sum of doubles is not exact")) break;
  }
  printf("Sum of %zu doubles: %.17g\n", n, sum);
  ladder_moves((double)n * (double)bytes);
  ladder_true(rounding(n, blocks, sums) < 1e-5, "the tree of floats is too far off");
  CHECK(cudaFree(data));
  CHECK(cudaFree(sums));
  return ladder_end();
}

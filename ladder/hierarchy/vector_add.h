// What the rungs on vector addition share: a[i] = i, b[i] = i * i, the run, the comparison.
//
// The squares are unsigned: i * i passes 2^31 at i = 46,341, where a signed int would overflow
// (46,340 squared is 2,147,395,600), and wraps beyond i = 65,535. With 33 * 1024 elements the
// last sum is 33,791 + 33,791 * 33,791 = 1,141,865,472.
#ifndef LADDER_VECTOR_ADD_H
#define LADDER_VECTOR_ADD_H

enum { COURSE_LENGTH = 33 * 1024 };

typedef void (*add_launch)(unsigned int *sum, const unsigned int *a, const unsigned int *b,
                           unsigned int n);

static void add_compare(const unsigned int *sum, size_t n) {
  size_t wrong = 0;
  for (size_t k = 0; k < n; ++k) {
    const unsigned int i = (unsigned int)k;
    if (sum[k] != i + i * i && wrong++ == 0)
      ladder_wrong("sum[%zu] is %u, should be %u", k, sum[k], i + i * i);
  }
  if (n >= COURSE_LENGTH) printf("sum[%d] = %u\n", COURSE_LENGTH - 1, sum[COURSE_LENGTH - 1]);
  printf("last sum of %zu: %u\n", n, sum[n - 1]);
}

static void add_run(add_launch launch) {
  const size_t n = ladder.size, bytes = n * sizeof(unsigned int);
  unsigned int *a = (unsigned int *)ladder_host_memory(bytes);
  unsigned int *b = (unsigned int *)ladder_host_memory(bytes);
  unsigned int *device_a, *device_b, *device_sum;
  for (size_t i = 0; i < n; ++i) a[i] = (unsigned int)i;
  for (size_t i = 0; i < n; ++i) b[i] = a[i] * a[i];
  CHECK(cudaMalloc((void **)&device_a, bytes));
  CHECK(cudaMalloc((void **)&device_b, bytes));
  CHECK(cudaMalloc((void **)&device_sum, bytes));
  for (int run = 0; run < ladder.runs; ++run) {
    CHECK(cudaMemset(device_sum, 0xff, bytes));
    ladder_start_whole();
    CHECK(cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice));
    ladder_start();
    launch(device_sum, device_a, device_b, (unsigned int)n);
    CHECK(ladder_stop());
    CHECK(cudaMemcpy(a, device_sum, bytes, cudaMemcpyDeviceToHost));
    CHECK(ladder_stop_whole());
    if (run + 1 == ladder.runs) add_compare(a, n);
    for (size_t i = 0; i < n; ++i) a[i] = (unsigned int)i;
  }
  ladder_moves(3.0 * (double)bytes);
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_sum));
  free(a);
  free(b);
}

#endif

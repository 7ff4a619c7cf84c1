// What the rungs on the product a[i] = b[i] * c[i] share: data, the run, the comparison.
//
// A rung gives its launch; everything here is host code that is the same for all of them.
#ifndef LADDER_PRODUCT_H
#define LADDER_PRODUCT_H

typedef void (*product_launch)(unsigned int *a, const unsigned int *b, const unsigned int *c,
                               unsigned int n);

static void product_run(product_launch launch) {
  const size_t n = ladder.size, bytes = n * sizeof(unsigned int);
  unsigned int *a = (unsigned int *)ladder_host_memory(bytes);
  unsigned int *b = (unsigned int *)ladder_host_memory(bytes);
  unsigned int *c = (unsigned int *)ladder_host_memory(bytes);
  unsigned int *device_a, *device_b, *device_c;
  ladder_fill_u32(b, n, 1000);
  for (size_t i = 0; i < n; ++i) c[i] = (unsigned int)i + 1;
  CHECK(cudaMalloc((void **)&device_a, bytes));
  CHECK(cudaMalloc((void **)&device_b, bytes));
  CHECK(cudaMalloc((void **)&device_c, bytes));
  CHECK(cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_c, c, bytes, cudaMemcpyHostToDevice));
  for (int run = 0; run < ladder.runs; ++run) {
    CHECK(cudaMemset(device_a, 0xff, bytes));
    ladder_start();
    launch(device_a, device_b, device_c, (unsigned int)n);
    CHECK(ladder_stop());
  }
  ladder_moves(3.0 * (double)bytes);
  CHECK(cudaMemcpy(a, device_a, bytes, cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < n; ++i) c[i] *= b[i]; // the serial loop
  ladder_same_u32("a", a, c, n);
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_c));
  free(a);
  free(b);
  free(c);
}

#endif

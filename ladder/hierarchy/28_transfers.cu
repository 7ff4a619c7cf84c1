// The way to the device can take longer than the work there.
//
//! title: transfer time beside kernel time (GPU only)
//! expect: right
//
// Idea    an addition of two arrays reads 8 bytes and writes 4 an element, and as much has to
//         cross the bus if the arrays begin and end on the host. Memory of the GPU is 50 to 100
//         times faster than the bus, so the kernel hardly shows.
// Cost    1 step, n additions; 8 bytes an element there, 4 back.
// Shows   times of copy there, kernel and copy back, from ordinary (pageable) host memory and
//         from pinned memory, which the bus can reach without an intermediate copy. Data should
//         stay on the device between kernels.
// Source  course topic: what to measure; CUDA C++ Best Practices Guide, Pinned Memory.
#include "../common/ladder.h"
#include "measure.h"

struct task {
  unsigned int *a, *b, *sum;                // the device's
  unsigned int *host_a, *host_b, *host_sum; // the host's
  size_t n;
};

__global__ void add(unsigned int *sum, const unsigned int *a, const unsigned int *b, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  LADDER_STEP();
  if (i >= n) return;
  sum[i] = a[i] + b[i];
  LADDER_READ(2);
  LADDER_WORK(1);
  LADDER_WROTE(1);
}

static void there(const void *memory) {
  const struct task *t = (const struct task *)memory;
  const size_t bytes = t->n * sizeof *t->a;
  CHECK(cudaMemcpyAsync(t->a, t->host_a, bytes, cudaMemcpyHostToDevice, 0));
  CHECK(cudaMemcpyAsync(t->b, t->host_b, bytes, cudaMemcpyHostToDevice, 0));
}
static void kernel(const void *memory) {
  const struct task *t = (const struct task *)memory;
  add<<<(unsigned int)((t->n + 255) / 256), 256>>>(t->sum, t->a, t->b, t->n);
}
static void back(const void *memory) {
  const struct task *t = (const struct task *)memory;
  CHECK(cudaMemcpyAsync(t->host_sum, t->sum, t->n * sizeof *t->sum, cudaMemcpyDeviceToHost, 0));
}

static void run(struct task *t, const char *kind) {
  const double bytes = (double)t->n * sizeof *t->a;
  for (size_t i = 0; i < t->n; ++i) {
    t->host_a[i] = (unsigned int)i * 3u;
    t->host_b[i] = (unsigned int)ladder_random(2, i);
    t->host_sum[i] = 0;
  }
  const double up = measure_ms(there, t), work = measure_ms(kernel, t), down = measure_ms(back, t);
  for (size_t i = 0; i < t->n; ++i)
    if (t->host_sum[i] != t->host_a[i] + t->host_b[i]) ladder_wrong("%s: sum[%zu]", kind, i);
  printf("%s host memory, %zu elements", kind, t->n);
  if (!ladder.on_simt)
    printf(": there %.3f ms (%.1f GB/s), kernel %.3f ms (%.1f GB/s), back %.3f ms (%.1f GB/s)", up,
           2 * bytes / up * 1e-6, work, 3 * bytes / work * 1e-6, down, bytes / down * 1e-6);
  printf("\n");
}

int main(int argc, char **argv) {
  struct task t;
  ladder_begin(argc, argv, __FILE__, 1 << 16, 1 << 26, 3 * sizeof(unsigned int));
  t.n = ladder.size;
  const size_t bytes = t.n * sizeof *t.a;
  CHECK(cudaMalloc((void **)&t.a, bytes));
  CHECK(cudaMalloc((void **)&t.b, bytes));
  CHECK(cudaMalloc((void **)&t.sum, bytes));
  measure_note();
  t.host_a = (unsigned int *)ladder_host_memory(bytes);
  t.host_b = (unsigned int *)ladder_host_memory(bytes);
  t.host_sum = (unsigned int *)ladder_host_memory(bytes);
  run(&t, "pageable");
  free(t.host_a);
  free(t.host_b);
  free(t.host_sum);
  CHECK(cudaMallocHost((void **)&t.host_a, bytes));
  CHECK(cudaMallocHost((void **)&t.host_b, bytes));
  CHECK(cudaMallocHost((void **)&t.host_sum, bytes));
  run(&t, "pinned");
  measure_rung(kernel, &t);
  ladder_moves(3.0 * (double)bytes);
  CHECK(cudaFreeHost(t.host_a));
  CHECK(cudaFreeHost(t.host_b));
  CHECK(cudaFreeHost(t.host_sum));
  CHECK(cudaFree(t.a));
  CHECK(cudaFree(t.b));
  CHECK(cudaFree(t.sum));
  return ladder_end();
}

// Two kernels at a time, in two streams.
//
//! title: two kernels in two streams (GPU only)
//! expect: right
//
// Idea    kernels in one stream run one after the other. In two streams they may run together,
//         if the first leaves multiprocessors free. Each kernel here takes half of them.
// Cost    two kernels of rounds steps.
// Shows   two streams take about half the time of one. Kernels that fill the machine gain nothing.
//         "May" is the word: on the software device streams run in the order of issue, and the
//         results are the same.
// Source  course topic: streams; CUDA C++ Programming Guide, Concurrent Kernel Execution.
#include "../common/ladder.h"
#include "measure.h"

enum { THREADS = 256 };

struct task {
  unsigned int *out[2];
  cudaStream_t streams[2];
  unsigned int blocks, rounds;
};

__global__ void spin(unsigned int *out, unsigned int rounds, unsigned int first) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = measure_chain(first + threadIdx.x, rounds) + blockIdx.x;
  LADDER_STEP();
  LADDER_WORK(rounds);
  LADDER_WROTE(1);
}

static void launch(const void *memory) {
  const struct task *t = (const struct task *)memory;
  for (int k = 0; k < 2; ++k)
    spin<<<t->blocks, THREADS, 0, t->streams[k]>>>(t->out[k], t->rounds, k ? 100000u : 1u);
}

static void compare(const struct task *t, int k) {
  const unsigned int n = t->blocks * THREADS;
  unsigned int *got = (unsigned int *)ladder_host_memory(n * sizeof *got), chain[THREADS];
  for (unsigned int i = 0; i < THREADS; ++i)
    chain[i] = measure_chain((k ? 100000u : 1u) + i, t->rounds);
  CHECK(cudaMemcpy(got, t->out[k], n * sizeof *got, cudaMemcpyDeviceToHost));
  for (unsigned int i = 0; i < n; ++i) {
    const unsigned int want = chain[i % THREADS] + i / THREADS;
    if (got[i] != want) ladder_wrong("out %d[%u] is %u, should be %u", k, i, got[i], want);
  }
  free(got);
}

// The streams wait for the default stream and it for them, so the events around see all.
static double run(struct task *t, int streams) {
  for (int k = 0; k < 2; ++k)
    CHECK(cudaMemset(t->out[k], 0xff, t->blocks * THREADS * sizeof *t->out[k]));
  cudaStream_t first, second;
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreate(&second));
  t->streams[0] = first;
  t->streams[1] = streams == 2 ? second : first;
  const double ms = measure_ms(launch, t);
  if (streams == 2) measure_rung(launch, t);
  for (int k = 0; k < 2; ++k) compare(t, k);
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
  return ms;
}

int main(int argc, char **argv) {
  struct task t;
  ladder_begin(argc, argv, __FILE__, 1, 1, 0);
  t.blocks = (unsigned int)ladder.processors / 2;
  t.rounds = ladder.on_simt ? 8 : 50000;
  for (int k = 0; k < 2; ++k)
    CHECK(cudaMalloc((void **)&t.out[k], t.blocks * THREADS * sizeof *t.out[k]));
  measure_note();
  const double one = run(&t, 1), two = run(&t, 2);
  printf("two kernels of %u blocks in one stream, then in two\n", t.blocks);
  if (!ladder.on_simt)
    printf("one stream %.3f ms, two streams %.3f ms: %.2f times faster\n", one, two, one / two);
  for (int k = 0; k < 2; ++k) CHECK(cudaFree(t.out[k]));
  return ladder_end();
}

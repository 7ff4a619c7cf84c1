// Blocks come in waves: one block more can cost a whole wave.
//
//! title: k blocks a multiprocessor, and one more (GPU only)
//! expect: right
//
// Idea    when a multiprocessor holds one block at a time, k * multiprocessors blocks take k
//         waves. One block more needs another wave, in which all multiprocessors but one are
//         idle: the tail.
// Cost    rounds steps, 1024 * rounds operations a block.
// Shows   time goes up in stairs, not in a line. Many small blocks, or a grid-stride loop with
//         blocks = k * multiprocessors, make the stairs flat.
// Limits  each block asks for more than half of a multiprocessor's shared memory, so that no two
//         are resident together.
// Source  course topic: filling the machine; CUDA C++ Best Practices Guide, block size.
#include "../common/ladder.h"
#include "measure.h"

enum { THREADS = 1024, SHARED = 120 * 1024 };

struct task {
  unsigned int *out;
  unsigned int blocks, rounds;
};

extern __shared__ unsigned int tile[];

__global__ void spin(unsigned int *out, unsigned int rounds) {
  tile[threadIdx.x] = measure_chain(threadIdx.x + 1, rounds);
  LADDER_STEP();
  LADDER_WORK(rounds);
  LADDER_WROTE(1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x] + blockIdx.x * 2654435761u;
}

static void launch(const void *memory) {
  const struct task *t = (const struct task *)memory;
  spin<<<t->blocks, THREADS, SHARED>>>(t->out, t->rounds);
}

static void compare(const struct task *t, const unsigned int *chain) {
  const unsigned int n = t->blocks * THREADS;
  unsigned int *got = (unsigned int *)ladder_host_memory(n * sizeof *got);
  CHECK(cudaMemcpy(got, t->out, n * sizeof *got, cudaMemcpyDeviceToHost));
  for (unsigned int i = 0; i < n; ++i) {
    const unsigned int want = chain[i % THREADS] + i / THREADS * 2654435761u;
    if (got[i] != want) ladder_wrong("out[%u] is %u, should be %u", i, got[i], want);
  }
  free(got);
}

int main(int argc, char **argv) {
  static unsigned int chain[THREADS];
  struct task t;
  double first = 0;
  ladder_begin(argc, argv, __FILE__, 1, 1, 0);
  const unsigned int processors = (unsigned int)ladder.processors;
  t.rounds = ladder.on_simt ? 8 : 20000;
  for (unsigned int i = 0; i < THREADS; ++i) chain[i] = measure_chain(i + 1, t.rounds);
  CHECK(cudaMalloc((void **)&t.out, (4 * processors + 1) * THREADS * sizeof *t.out));
  CHECK(cudaFuncSetAttribute(spin, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED));
  measure_note();
  for (unsigned int k = 1; k <= 4; ++k) {
    for (unsigned int more = 0; more < 2; ++more) {
      t.blocks = k * processors + more;
      CHECK(cudaMemset(t.out, 0xff, t.blocks * THREADS * sizeof *t.out));
      const double ms = measure_ms(launch, &t);
      compare(&t, chain);
      if (k == 1 && !more) first = ms;
      printf("%u x %u%s blocks, %u waves", k, processors, more ? " + 1" : "", k + more);
      if (!ladder.on_simt) printf(": %.3f ms, %.2f times the first", ms, ms / first);
      printf("\n");
    }
  }
  measure_rung(launch, &t);
  CHECK(cudaFree(t.out));
  return ladder_end();
}

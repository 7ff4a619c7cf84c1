// The task on which the kinds of memory are compared: a table of 32 words, read 32 times.
//
//   out[i] = sum over k of table[(stride * i + k) mod 32] * (k + 1), modulo 2^32
//
// stride 0: all lanes of a warp read the same word at a time; stride 1: 32 different words.
// Both are run, verified against the same loop on the host, and on a GPU timed.
#ifndef LADDER_MEMORY_TASK_H
#define LADDER_MEMORY_TASK_H

#include "measure.h"

enum { TABLE = 32, MEMORY_THREADS = 256 };

struct memory_task {
  unsigned int *out;
  unsigned int n, stride;
};

static void memory_table(unsigned int *table) {
  for (unsigned int k = 0; k < TABLE; ++k) table[k] = (unsigned int)ladder_random(3, k);
}

static unsigned int memory_blocks(const struct memory_task *t) {
  return (t->n + MEMORY_THREADS - 1) / MEMORY_THREADS;
}

static void memory_compare(const struct memory_task *t, const char *name) {
  unsigned int table[TABLE], *got = (unsigned int *)ladder_host_memory(t->n * sizeof *got);
  unsigned int want[TABLE];
  size_t wrong = 0;
  memory_table(table);
  for (unsigned int i = 0; i < TABLE; ++i) { // the result depends on i mod 32 alone
    want[i] = 0;
    for (unsigned int k = 0; k < TABLE; ++k)
      want[i] += table[(t->stride * i + k) % TABLE] * (k + 1);
  }
  CHECK(cudaMemcpy(got, t->out, t->n * sizeof *got, cudaMemcpyDeviceToHost));
  for (unsigned int i = 0; i < t->n; ++i) {
    const unsigned int expected = want[i % TABLE] + i;
    if (got[i] != expected && wrong++ == 0)
      ladder_wrong("%s: out[%u] is %u, should be %u", name, i, got[i], expected);
  }
  printf("%s: %zu of %u elements wrong\n", name, wrong, t->n);
  free(got);
}

// memory_run - both patterns; the rung's own time is that of "same word"
static void memory_run(measured_launch launch) {
  static const char *const names[] = {"same word in all lanes", "32 different words"};
  struct memory_task t;
  double ms[2];
  t.n = (unsigned int)ladder.size;
  CHECK(cudaMalloc((void **)&t.out, t.n * sizeof *t.out));
  for (t.stride = 0; t.stride < 2; ++t.stride) {
    CHECK(cudaMemset(t.out, 0xff, t.n * sizeof *t.out));
    ms[t.stride] = measure_ms(launch, &t);
    memory_compare(&t, names[t.stride]);
  }
  t.stride = 0;
  measure_rung(launch, &t);
  ladder_moves((double)t.n * sizeof *t.out);
  measure_note();
  if (!ladder.on_simt) printf("same word %.4f ms, different words %.4f ms\n", ms[0], ms[1]);
  if (!ladder.on_simt) ladder_key_number("different_words_ms", ms[1]);
  CHECK(cudaFree(t.out));
}

#endif

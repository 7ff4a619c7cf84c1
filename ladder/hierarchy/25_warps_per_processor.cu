// Many warps hide what one warp waits for.
//
//! title: speed against warps a multiprocessor (GPU only)
//! expect: right
//
// Idea    every warp does the same number of dependent reads. A warp alone waits most of the
//         time; while it waits, the multiprocessor runs another one, at no cost, since each has
//         its own registers. So 2 warps do twice the work in the same time, and so on, until
//         something else is full.
// Cost    hops steps, threads * hops reads.
// Shows   reads a microsecond for 1, 2, 4 .. 64 warps: a straight line at first (Little's law:
//         reads under way = latency * throughput), then a ceiling.
// Source  course topic: latency hiding; Volkov, Understanding latency hiding on GPUs, UC
//         Berkeley 2016; Little 1961.
#include "../common/ladder.h"
#include "measure.h"

enum { PLACES = 1 << 20 }; // 4 MiB: all reads come from the second-level cache

struct task {
  const unsigned int *next;
  unsigned int *end;
  unsigned int blocks, threads, hops;
};

__global__ void chase(const unsigned int *next, unsigned int *end, unsigned int hops) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int place = i * 61u & (PLACES - 1);
  for (unsigned int h = 0; h < hops; ++h) {
    LADDER_STEP();
    place = next[place];
  }
  end[i] = place;
  LADDER_READ(hops);
  LADDER_WORK(hops);
  LADDER_WROTE(1);
}

static void launch(const void *memory) {
  const struct task *t = (const struct task *)memory;
  chase<<<t->blocks, t->threads>>>(t->next, t->end, t->hops);
}

static void compare(const struct task *t) {
  const unsigned int n = t->blocks * t->threads;
  unsigned int *got = (unsigned int *)ladder_host_memory(n * sizeof *got);
  CHECK(cudaMemcpy(got, t->end, n * sizeof *got, cudaMemcpyDeviceToHost));
  for (unsigned int i = 0; i < n; ++i) {
    const unsigned int want = measure_after(i * 61u & (PLACES - 1), t->hops, PLACES);
    if (got[i] != want) ladder_wrong("end[%u] is %u, should be %u", i, got[i], want);
  }
  free(got);
}

int main(int argc, char **argv) {
  unsigned int *next;
  struct task t;
  double first = 0;
  ladder_begin(argc, argv, __FILE__, 1, 1, 0);
  const unsigned int processors = ladder.on_simt ? 2 : (unsigned int)ladder.processors;
  unsigned int *host = (unsigned int *)ladder_host_memory(PLACES * sizeof *host);
  for (unsigned int i = 0; i < PLACES; ++i) host[i] = measure_next(i, PLACES);
  CHECK(cudaMalloc((void **)&next, PLACES * sizeof *next));
  CHECK(cudaMalloc((void **)&t.end, processors * 2048 * sizeof *t.end));
  CHECK(cudaMemcpy(next, host, PLACES * sizeof *next, cudaMemcpyHostToDevice));
  t.next = next;
  t.hops = ladder.on_simt ? 16 : 1024;
  measure_note();
  for (unsigned int warps = 1; warps <= 64; warps *= 2) {
    t.blocks = warps <= 32 ? processors : 2 * processors;
    t.threads = warps <= 32 ? 32 * warps : 1024;
    CHECK(cudaMemset(t.end, 0xff, processors * 2048 * sizeof *t.end));
    const double ms = measure_ms(launch, &t);
    compare(&t);
    printf("%2u warps a multiprocessor", warps);
    if (!ladder.on_simt) {
      const double speed = (double)t.blocks * t.threads * t.hops / ms * 1e-3;
      if (warps == 1) first = speed;
      printf(": %8.0f reads a microsecond, %5.2f times one warp's", speed, speed / first);
    }
    printf("\n");
  }
  measure_rung(launch, &t); // the last: 64 warps
  CHECK(cudaFree(next));
  CHECK(cudaFree(t.end));
  free(host);
  return ladder_end();
}

// How long one read takes: a chain of reads, each of which needs the one before.
//
//! title: latency by pointer chase (GPU only)
//! expect: right
//
// Idea    one thread follows next[next[next[...]]]. Nothing can overlap, so time over hops is
//         the latency. A chain in 16 KiB stays in the multiprocessor's own cache, one in 4 MiB
//         in the second level, one in 512 MiB in neither.
// Cost    one step a hop, no arithmetic.
// Shows   an H200 took 694 cycles for a read of memory (712 in another program), where old texts
//         say 400 to 600; 287 from the second level, 44 from the first. Clocks rose and memory
//         did not get nearer. The cure is not a faster read but other warps that
//         run meanwhile: the next rung.
// Source  course topic: latency; Wong, Papadopoulou, Sadooghi-Alvandi and Moshovos, Demystifying
//         GPU microarchitecture through microbenchmarking, ISPASS 2010.
#include "../common/ladder.h"
#include "measure.h"

enum { SPACING = 32 }; // words between places: 128 bytes, so that no two share a cache line

__global__ void chase(const unsigned int *next, unsigned int hops, unsigned int *end,
                      long long *cycles) {
  unsigned int place = 0;
  const long long start = clock64();
  for (unsigned int h = 0; h < hops; ++h) place = next[(size_t)place * SPACING];
  *end = place;
  *cycles = clock64() - start;
  LADDER_READ(hops);
  LADDER_WORK(hops);
  LADDER_STEP();
}

static void walk(unsigned int places, unsigned int hops, const char *where) {
  const size_t words = (size_t)places * SPACING;
  unsigned int *host = (unsigned int *)ladder_host_memory(words * sizeof *host);
  unsigned int *next, *device_end, end[2], want[2];
  long long *device_cycles, cycles = 0;
  memset(host, 0xff, words * sizeof *host);
  for (unsigned int i = 0; i < places; ++i) host[(size_t)i * SPACING] = measure_next(i, places);
  CHECK(cudaMalloc((void **)&next, words * sizeof *next));
  CHECK(cudaMalloc((void **)&device_end, sizeof *device_end));
  CHECK(cudaMalloc((void **)&device_cycles, sizeof *device_cycles));
  CHECK(cudaMemcpy(next, host, words * sizeof *next, cudaMemcpyHostToDevice));
  ladder_start();
  for (int run = 0; run < 2; ++run) { // the first one warms the caches
    chase<<<1, 1>>>(next, hops, device_end, device_cycles);
    CHECK(cudaMemcpy(end + run, device_end, sizeof *end, cudaMemcpyDeviceToHost));
    want[run] = measure_after(0, hops, places);
  }
  CHECK(ladder_stop());
  CHECK(cudaMemcpy(&cycles, device_cycles, sizeof cycles, cudaMemcpyDeviceToHost));
  ladder_same_u32("end of the chain", end, want, 2);
  printf("%8zu KiB, %u hops", words * sizeof *host / 1024, hops);
  if (!ladder.on_simt) {
    printf(": %.0f cycles a read, from %s", (double)cycles / hops, where);
    ladder_key_number(where, (double)cycles / hops);
  }
  printf("\n");
  CHECK(cudaFree(next));
  CHECK(cudaFree(device_end));
  CHECK(cudaFree(device_cycles));
  free(host);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 10, 1 << 22, SPACING * sizeof(unsigned int));
  unsigned int places = 128;
  const size_t most = ladder.on_simt ? 1 << 16 : 1 << 24;
  while (2 * (size_t)places <= ladder.size && places < most) places *= 2;
  measure_note();
  // One hop less than whole rounds, which end where they began whatever the order was.
  // The nearest cache is emptied between launches: many rounds of a short chain in one. The
  // longest chain goes over 128 MiB at least before it comes back, more than all caches hold.
  walk(128, 128 * 64 - 1, "L1");
  if (!ladder.on_simt) walk(1 << 15, (1 << 15) - 1, "L2");
  walk(places, (places < 1 << 20 ? places : 1 << 20) - 1, "memory");
  return ladder_end();
}

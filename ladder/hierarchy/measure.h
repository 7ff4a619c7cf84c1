// What the measuring rungs share: the time of one launch, and a chain that is slow by design.
//
// GPU only: on the software device they run and verify, and print no times.
#ifndef LADDER_MEASURE_H
#define LADDER_MEASURE_H

// measure_ms - median milliseconds of what `launch` queues; launched ladder.runs times
typedef void (*measured_launch)(const void *task);
static inline double measure_ms(measured_launch launch, const void *task) {
  struct ladder_watch watch;
  memset(&watch, 0, sizeof watch);
  for (int run = 0; run < ladder.runs; ++run) {
    ladder_watch_start(&watch);
    launch(task);
    CHECK(ladder_watch_stop(&watch));
  }
  CHECK(cudaEventDestroy(watch.start));
  CHECK(cudaEventDestroy(watch.stop));
  return ladder_median(&watch);
}

// measure_rung - the same launch as the rung's own time, with its counts
static inline void measure_rung(measured_launch launch, const void *task) {
  for (int run = 0; run < ladder.runs; ++run) {
    ladder_start();
    launch(task);
    CHECK(ladder_stop());
  }
}

static inline void measure_note(void) {
  if (ladder.on_simt) printf("times: GPU only\n");
}

// measure_chain - `rounds` steps of which each needs the one before: nothing but arithmetic.
// The shifts are one of the full-period triples of Marsaglia, Xorshift RNGs, 2003.
__host__ __device__ static inline unsigned int measure_chain(unsigned int x, unsigned int rounds) {
  for (unsigned int r = 0; r < rounds; ++r) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
  return x;
}

// A walk that visits all of 2^k places in an order without a pattern that caches know:
// next(i) = (1664525 i + 1013904223) mod 2^k has the full period (Hull and Dobell 1962). Where a walker
// is after any number of hops needs no walking: hop^2m = (hop^m)^2.
static inline unsigned int measure_next(unsigned int i, unsigned int places) {
  return (i * 1664525u + 1013904223u) & (places - 1);
}
static inline unsigned int measure_after(unsigned int i, size_t hops, unsigned int places) {
  unsigned int a = 1, c = 0, step_a = 1664525u, step_c = 1013904223u;
  for (; hops; hops >>= 1) {
    if (hops & 1) {
      c = c * step_a + step_c;
      a *= step_a;
    }
    step_c = step_c * step_a + step_c;
    step_a *= step_a;
  }
  return (i * a + c) & (places - 1);
}

#endif

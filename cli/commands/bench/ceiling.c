/* ceiling.c - every loop of base/ceiling/, on one thread and on all; the fastest counts
 *
 * Limits  Two numbers of threads only: starting some is not worth while on a small array. */
#include "ceiling.h"

#include "base/ceiling/ceiling.h"

/* Bytes to go over at the least in one timing. */
static const size_t worth_timing = (size_t)1 << 24;

static double least(enum ceiling_loop first, enum ceiling_loop last, void *to, const void *from,
                    size_t bytes, unsigned threads) {
  double best = -1;
  for (unsigned loop = first; loop <= last; loop++) {
    for (unsigned t = 1; t <= threads; t = t < threads ? threads : t + 1) {
      double seconds =
          ceiling_run((enum ceiling_loop)loop, to, from, bytes, t, worth_timing / (bytes + 1) + 1);
      if (best < 0 || seconds < best) best = seconds;
    }
  }
  return best;
}

double bench_ceiling_read(const void *from, size_t bytes, unsigned threads) {
  return least(CEILING_READ, CEILING_READ_PREFETCHED_FAR, NULL, from, bytes, threads);
}

double bench_ceiling_copy(void *to, const void *from, size_t bytes, unsigned threads) {
  return least(CEILING_COPY, CEILING_COPY_NON_TEMPORAL, to, from, bytes, threads);
}

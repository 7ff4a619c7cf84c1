/* ceiling.h - how fast this machine's memory can be read and copied at all
 *
 * Result   seconds of one round, from the moment when all threads are there to the last one's end.
 *          The best of several calls is the ceiling, not one.
 * Limits   64 threads. */
#ifndef HEDDLE_BASE_CEILING_H
#define HEDDLE_BASE_CEILING_H

#include <stddef.h>

enum { CEILING_THREADS = 64 };

/* Which loop is the fastest depends on the cache that the arrays fit into and on the processor's
 * own prefetching: the ceiling is the best of all. */
enum ceiling_loop {
  CEILING_READ,
  CEILING_READ_PREFETCHED,
  CEILING_READ_PREFETCHED_FAR,
  CEILING_COPY,
  CEILING_COPY_NON_TEMPORAL, /* past the caches */
  CEILING_LOOPS
};

/* Reads `bytes` bytes of `from`, or copies them to `to`, `times` times over on `threads` threads,
 * each on its own part. `to` is NULL for loops that read; it does not overlap `from`. */
double ceiling_run(enum ceiling_loop loop, void *to, const void *from, size_t bytes,
                   unsigned threads, size_t times);

#endif

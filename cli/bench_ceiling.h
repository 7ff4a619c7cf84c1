/* bench_ceiling.h - how fast this machine's memory can be read and copied at all */
#ifndef HEDDLE_CLI_BENCH_CEILING_H
#define HEDDLE_CLI_BENCH_CEILING_H

#include <stddef.h>

enum { CEILING_THREADS = 64 };

/* Seconds to read `bytes` bytes, or to copy them, once, with so many threads at work. Small arrays
 * are gone over several times, so that starting the threads does not count. */
double ceiling_read(const void *from, size_t bytes, unsigned threads);
double ceiling_copy(void *to, const void *from, size_t bytes, unsigned threads);

#endif

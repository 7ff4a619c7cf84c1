/* ceiling.h - the time that reading or copying an array takes at best */
#ifndef HEDDLE_CLI_COMMANDS_BENCH_CEILING_H
#define HEDDLE_CLI_COMMANDS_BENCH_CEILING_H

#include <stddef.h>

/* Seconds to read `bytes` bytes, or to copy them, once, with at most so many threads at work. Small
 * arrays are gone over several times, so that the clock and starting threads do not count. */
double bench_ceiling_read(const void *from, size_t bytes, unsigned threads);
double bench_ceiling_copy(void *to, const void *from, size_t bytes, unsigned threads);

#endif

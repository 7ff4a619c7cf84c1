/* time.h - the times of primitives and of what this memory can do, in one run */
#ifndef HEDDLE_CLI_COMMANDS_BENCH_TIME_H
#define HEDDLE_CLI_COMMANDS_BENCH_TIME_H

#include "work.h"

enum { BENCH_WORKS = 16 };

struct bench_timing {
  const struct bench_work *work;
  double seconds, ceiling; /* of one run */
};

struct bench_times {
  size_t bytes;
  double read, copy; /* best of all seen, bytes a second */
  struct bench_timing timings[BENCH_WORKS];
  size_t count;
};

/* Times those of bench_works whose bit is set in `wanted`, on arrays of `bytes` bytes. */
int bench_time(heddle_context *ctx, unsigned threads, uint32_t wanted, size_t bytes,
               struct bench_times *r, struct failure *why);

/* A primitive can not be faster than the memory: something else took the ceiling's time. */
bool bench_disturbed(const struct bench_timing *t);

#endif

/* work.h - the primitives that heddle bench times, each with the check of its result */
#ifndef HEDDLE_CLI_COMMANDS_BENCH_WORK_H
#define HEDDLE_CLI_COMMANDS_BENCH_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "heddle.h"
#include "report/failure.h"

/* Arrays of `bytes` bytes: x and y random in [0, 1), or random bits for bytes; out is y. */
struct bench_data {
  heddle_context *ctx;
  size_t bytes;
  void *x, *y;
  uint64_t counts[256];
};

struct bench_work {
  const char *name, *family; /* "sum f32", "sum" */
  heddle_type type;
  unsigned moved; /* bytes of memory moved for each byte of the array, and ... */
  bool copies;    /* ... against which ceiling */
  heddle_status (*run)(struct bench_data *d);
  bool (*right)(struct bench_data *d); /* of the result of the last run */
};

extern const struct bench_work bench_works[];
extern const size_t bench_work_count;

/* Random contents for elements of `type`, the same in every run. */
void bench_fill(struct bench_data *d, heddle_type type);

#endif

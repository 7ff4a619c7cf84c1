/* job.h - one line of work for bench_gpu, as run.py writes it, and the data that it is about
 *
 * A line is words KEY=VALUE. Data come as a file with `block` elements, repeated to `n` of them, so
 * that every program of a comparison works on the same. */
#ifndef HEDDLE_BENCH_JOB_H
#define HEDDLE_BENCH_JOB_H

#include <stddef.h>
#include <stdint.h>

#include "heddle.h"

struct job {
  char what
      [24]; /* sum min max dot scan before hist weights grid gridweights rows segments columns sort quantiles top ... */
  heddle_type type;
  size_t n;
  char data[256], data2[256]; /* files: of x; of y, weights, offsets or edges */
  size_t block, block2;       /* elements in them */
  char kind[12];              /* of bins: integer even edges */
  size_t bins;                /* or results: quantiles, elements of a top */
  double lo, hi;
  size_t row;                /* elements a row; axes of a grid */
  size_t offset, out_offset; /* elements between aligned addresses and the array, and the results */
  unsigned exact;            /* 1: sums are exact */
  unsigned reps;
};

void job_parse(char *line, struct job *job);

/* `n` elements of `size` bytes: the file's block again and again. Kept for the next job. */
void *job_on_device(const char *file, size_t block, size_t n, size_t size, unsigned slot);
void *job_on_host(const char *file, size_t block, size_t n, size_t size, unsigned slot);
void job_forget(void);

struct timing {
  double median, least, most, queued; /* ms; queued: one of many calls in a row, or 0 */
};
/* Times run(arg) `reps` times after two untimed runs; by the device's clock unless host is set. */
struct timing job_time(void (*run)(void *arg), void *arg, unsigned reps, int host);

/* One line of JSON. why: NULL if the result was verified. */
void job_print(const struct timing *timing, const char *why, const char *note);

#endif

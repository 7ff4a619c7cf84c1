/* measured.h - steps and work of a method, step by step, as its kernels count them
 *
 * Result   measure(launch, n, processors): steps; work, the operations of all steps; first,
 *          those of step one; time, the sum over the steps of ceil(operations / processors)
 * Method   the kernels count their adds (LADDER_WORK); the counter is read after each step
 * Limits   the launch must call scan_step after each step. Counting makes the times of a
 *          program meaningless: it has none
 */
#ifndef SCAN_MEASURED_H
#define SCAN_MEASURED_H

#ifndef LADDER_COUNT
#define LADDER_COUNT
#endif
#include "scan.h"

struct measured {
  unsigned long long steps, work, first, time;
};

static struct measured measured;
static unsigned long long measured_processors;

/* Ends the step that ran: between two calls one kernel has counted. */
static void measured_watch(const unsigned int *device, size_t n, size_t stride, const char *what) {
  (void)device, (void)n, (void)stride, (void)what;
  CHECK(ladder_stop());
  const unsigned long long operations = ladder.counts[LADDER_COUNT_WORK];
  if (measured.steps == 0) measured.first = operations;
  measured.steps += ladder.counts[LADDER_COUNT_STEPS];
  measured.work += operations;
  measured.time += (operations + measured_processors - 1) / measured_processors;
  ladder_start();
}

/* Verifies the scan of n elements too. */
static inline struct measured measure(enum scan_kind kind, scan_launch *launch, size_t n,
                                      unsigned long long processors) {
  struct scan s;
  memset(&measured, 0, sizeof measured);
  measured_processors = processors;
  scan_open(&s, n);
  scan_watcher = measured_watch;
  ladder_start();
  launch(s.in, n, s.out, s.work);
  CHECK(ladder_stop());
  scan_watcher = NULL;
  ladder_true(ladder.counts[LADDER_COUNT_WORK] == 0, "some operations belong to no step");
  scan_verify(&s, kind);
  scan_close(&s);
  ladder.kernel.runs = 0;
  memset(ladder.counts, 0, sizeof ladder.counts);
  return measured;
}

#endif

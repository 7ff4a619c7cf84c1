/* work.h - a job as calls of the library: what is timed, and whether its result is right */
#ifndef HEDDLE_BENCH_WORK_H
#define HEDDLE_BENCH_WORK_H

#include "job.h"

struct work {
  struct job job;
  heddle_context *gpu, *cpu;
  const void *x, *y; /* on the device, or in host memory for what=host and pinned */
  char *memory;      /* of the results, on the device */
  void *out;         /* there, at the job's out_offset */
  size_t out_bytes;
  double *edges;         /* host memory */
  heddle_groups *groups; /* on the GPU, of what=regroup */
  int on_host;           /* x is host memory: wall-clock time */
};

/* Data, outputs, contexts' settings. NULL, or why this job cannot be done. */
const char *work_begin(struct work *w);
void work_run(void *work); /* queues one call */
/* NULL if the result has the bits that the CPU gives (and 40 runs of a scan are alike). */
const char *work_verify(struct work *w);
void work_end(struct work *w);

#endif

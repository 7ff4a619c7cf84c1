/* runs.h - runs of few neighbouring rows: their lines, a run beside the other */
#ifndef HEDDLE_CPU_FOLD_RUNS_H
#define HEDDLE_CPU_FOLD_RUNS_H

#include "cpu/rows.h"

enum {
  HD_RUNS_TOGETHER = 64, /* runs */
  HD_RUN_WIDEST = 32,    /* rows of a run that is made lines with others */
  HD_RUN_ELEMENTS = 128  /* of such a run: a copy of more costs what a run of its own does */
};

/* Where rows lie; steps are of elements. */
struct hd_cpu_runs {
  const char *x;      /* the first run's first element */
  i64 step, apart;    /* from element to element of a row, and from row to row of a run */
  size_t length, run; /* elements of a row; rows of a run */
  size_t runs;
  i64 starts[HD_RUNS_TOGETHER]; /* elements from x to each run */
};

/* Whether runs are so few rows of so few elements. */
static inline bool hd_cpu_runs_are_narrow(const struct hd_cpu_row_walk *walk,
                                          const struct hd_cpu_row *row) {
  return walk->inner && walk->inner_run <= HD_RUN_WIDEST && walk->count > walk->inner_run &&
         row->length && row->length <= HD_RUN_ELEMENTS / walk->inner_run;
}

/* `runs` runs of the walk from row r on, at which one begins; of an array at x whose elements have so many
 * bytes. */
struct hd_cpu_runs hd_cpu_runs_at(const struct hd_cpu_row_walk *walk, u64 r, size_t runs,
                                  const void *x, u32 bytes);
/* Element e of row c of run g becomes element g * run + c of line e; lines begin `pitch` bytes apart. */
void hd_cpu_runs_to_lines(const struct hd_cpu_runs *runs, u32 bytes, void *lines, size_t pitch);

#endif

/* hist2d.h - a histogram of two dimensions that is counted */
#ifndef HEDDLE_CLI_COMMANDS_HIST2D_HIST2D_H
#define HEDDLE_CLI_COMMANDS_HIST2D_HIST2D_H

#include "heddle.h"

enum { AXES = 2 };

struct grid {
  heddle_bins bins[AXES];
  double *edges[AXES];
  const char *names[AXES];
  uint64_t *counts; /* x * bins[1].count + y */
  uint64_t points;
  heddle_histogram_result results[AXES]; /* under, over and nan of all points */
};

#endif

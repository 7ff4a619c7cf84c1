/* figures.h - what heddle-profile counted of a rung
 *
 * Result   its kernels' figures together, and those of each line of a source file
 * Limits   ratios are NaN where there is nothing to divide
 */
#ifndef LADDER_TOOL_RUN_FIGURES_H
#define LADDER_TOOL_RUN_FIGURES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/string_list.h"
#include "run.h"

struct figures {
  double issues, lanes;                         /* of basic blocks, by warps and by threads */
  double steps, work;                           /* of kernels only */
  double executions;                            /* of a line only */
  double requests, sectors, ideal;              /* global memory */
  double shared_requests, turns, degree_worst;  /* shared memory */
  double atomics, contention, contention_worst; /* warps' requests, their turns, the worst */
  double most_at_one;                           /* atomics at one address */
  double barriers;
  double occupancy; /* percent, of the launch with the least */
};

/* figures_of - all kernels; false if there is no profile */
bool figures_of(const struct result *r, struct figures *f);

double figures_efficiency(const struct figures *f); /* 0 to 1 */
double figures_sectors(const struct figures *f);    /* a request */
double figures_ideal(const struct figures *f);      /* a request */
double figures_degree(const struct figures *f);     /* of bank conflicts */
double figures_contention(const struct figures *f); /* lanes at one address */

/* figures_lines - the lines of the file `path` that have figures, ascending, over all kernels;
 * to be freed. figures_files - the files that have such lines, the rung's own first. */
struct line_figures {
  unsigned line;
  struct figures f;
};
struct line_figures *figures_lines(const struct result *r, const char *path, size_t *count);
void figures_files(const struct result *r, struct string_list *files);

#endif

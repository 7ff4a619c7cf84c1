/* moments.h - the moments of two columns, piece by piece, so that no sum of large squares cancels */
#ifndef HEDDLE_CLI_COMMANDS_FIGURE_MOMENTS_H
#define HEDDLE_CLI_COMMANDS_FIGURE_MOMENTS_H

#include <stddef.h>
#include <stdint.h>

enum { MOMENTS_PIECE = 4096 };

/* Of rows in which both are there; {0} at the start. */
struct moments {
  uint64_t count;
  double shift
      [2]; /* the first values: what is left of them is exact, or nearly so, where all values are alike */
  double mean[2], square[2], product; /* of that; sums of what is left of the means */
};

/* Adds at most MOMENTS_PIECE rows. The result depends on where pieces are cut: they are as long as they may be. */
void moments_add(struct moments *m, const double *x, const double *y, size_t count);
/* Pearson's correlation, -1 to 1; NaN where one column is constant, or has something infinite. */
double moments_correlation(const struct moments *m);

#endif

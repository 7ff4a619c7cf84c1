/* heat.h - what is drawn of a histogram of two dimensions, and the drawing: characters, SVG */
#ifndef HEDDLE_CLI_PLOT_HEAT_H
#define HEDDLE_CLI_PLOT_HEAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "output/sink.h"

struct heat {
  const char *title;      /* or NULL */
  const char *names[2];   /* of the axes, x and y */
  const double *edges[2]; /* bins + 1 each */
  size_t bins[2];
  const double *values; /* x * bins[1] + y; none negative */
  bool shares;          /* densities: neighbours are averaged, not added up */
  const char *noun;     /* "counts", "density" */
  uint64_t points, outside;
  size_t width; /* columns */
  bool ascii, colour;
};

void heat_map(struct sink *out, const struct heat *h);       /* x to the right, y upwards */
void heat_svg_write(struct sink *out, const struct heat *h); /* SVG into an open sink */
int heat_svg(const char *path, const struct heat *h, struct failure *why);

/* Bins that are drawn as one cell, so many on each axis; cells are counted from the least edges. */
struct heat_cells {
  size_t group[2], cells[2];
  double most; /* the greatest cell */
};
struct heat_cells heat_cells(const struct heat *h, size_t most_x, size_t most_y);
double heat_cell(const struct heat *h, const struct heat_cells *c, size_t x, size_t y);
/* Which of `steps` shades, 1 to steps; 0 for a cell with nothing. */
size_t heat_shade(const struct heat_cells *c, double value, size_t steps);

#endif

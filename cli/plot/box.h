/* box.h - box plots: a line for each box in the terminal, and as a picture */
#ifndef HEDDLE_CLI_PLOT_BOX_H
#define HEDDLE_CLI_PLOT_BOX_H

#include "plot.h"

struct plot_box {
  const char *label;
  uint64_t count, nan, outliers; /* count: with NaN */
  /* least and greatest; ends of the whiskers; quartiles: rising from min to max, NaN where there are no values */
  double min, low, q1, median, q3, high, max;
};

struct box_plot {
  const char *title; /* or NULL */
  const struct plot_box *boxes;
  size_t count;
  size_t width; /* columns */
  bool ascii, colour;
};

void plot_boxes(struct sink *out, const struct box_plot *p);
void plot_boxes_write(struct sink *out, const struct box_plot *p); /* SVG into an open sink */
int plot_boxes_svg(const char *path, const struct box_plot *p, struct failure *why);

/* From the least finite value to the greatest, a range that has a width; false: there is none. */
bool plot_boxes_range(const struct box_plot *p, double *lo, double *hi);
/* How far along the range a value is, 0 to 1, one outside at its end. */
double plot_boxes_place(double value, double lo, double hi);

#endif

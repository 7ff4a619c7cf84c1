/* plot.h - what is drawn of a histogram, and the drawing: bars, columns, SVG */
#ifndef HEDDLE_CLI_PLOT_PLOT_H
#define HEDDLE_CLI_PLOT_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "output/sink.h"

struct plot {
  const char *title;    /* or NULL */
  const char *name;     /* of one among several, or NULL */
  const double *values; /* count; negative ones and NaN, of weights, have no bars */
  const double *edges;  /* count + 1 */
  size_t count;
  bool whole;  /* bins are integers: the lower edge alone names one */
  bool log;    /* edges rise by a ratio */
  bool merges; /* values of neighbours may be added up; otherwise the last one stands for them */
  bool shares; /* values are shares or densities, not counts: no percentages */
  double total;
  const char *noun; /* "counts", "density", ... */
  uint64_t elements, under, over, nan;
  uint64_t infinite, undefined; /* values that are an infinity, NaN */
  size_t width;                 /* columns */
  bool ascii, colour;
};

/* Several have the edges, the width and the look of the first. */
void plot_bars(struct sink *out, const struct plot *p, size_t count); /* a line a bin */
/* Whether the bars of several fit beside each other. */
bool plot_beside(const struct plot *p, size_t count);
void plot_columns(struct sink *out, const struct plot *p); /* upright, neighbours merged */
int plot_svg(const char *path, const struct plot *p, size_t count, struct failure *why);

/* Into a sink that is open, among what else it holds. */
void plot_svg_write(struct sink *out, const struct plot *p, size_t count);

/* The first characters of a text, as sink_xml has them, and an ellipsis where there are more. */
enum { PLOT_START_MOST = 32 };
void plot_xml_start(struct sink *out, const char *text, size_t characters);

/* The least digits for printf's %.*g with which edges stay within a fiftieth of their bins. */
int plot_digits(const double *edges, size_t count);
/* An edge with so many digits. */
void plot_edge(char *text, size_t size, double edge, int digits);
/* A count as it is, another value with four digits. */
void plot_value(char *text, size_t size, double value);

/* The share of a bar for `most` that a bar for `value` takes: 0 to 1, an infinity 1, NaN 0. */
double plot_share(double value, double most);
/* The greater of the two if `value` is finite. */
double plot_greater(double most, double value);
/* What a whole bar stands for where `most` is the greatest finite value: itself, or more, so that
 * an infinity's bar is longer than all others. */
double plot_scale(const struct plot *p, double most);

/* The figures below a plot: elements, what lies outside, values without a bar of their length. */
enum { PLOT_PART = 48, PLOT_FIGURES = 6 };
size_t plot_figures(const struct plot *p, char parts[PLOT_FIGURES][PLOT_PART]);
/* Parts with commas between them, in lines of at most `width` columns if a part is no longer. */
void plot_joined(struct sink *out, size_t width, char parts[][PLOT_PART], size_t count);

/* Ticks at 1, 2 or 5 times a power of ten: at most `most` steps from first, 0 if there are none. */
struct ticks {
  double first, step;
  size_t count;
};
struct ticks plot_ticks(double lo, double hi, size_t most);

enum { PLOT_BARS_MOST = 50 };

#endif

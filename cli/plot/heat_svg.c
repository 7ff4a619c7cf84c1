/* heat_svg.c - a histogram of two dimensions as a picture that needs nothing else
 *
 * Method  A rectangle for each cell that has anything in it, between the true edges of its bins, with a tool
 *         tip where there are few. Colours of the viridis kind, from violet by green to yellow; a scale beside.
 * Limits  FINEST cells an axis, beyond which neighbours are merged. Where an edge is infinite, or a range has no
 *         width, all bins of the axis are drawn of one width.
 * Source  SVG 1.1 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "heat.h"
#include "plot.h"

enum {
  WIDTH = 640,
  HEIGHT = 560,
  LEFT = 84,
  RIGHT = 104,
  TOP = 56,
  BOTTOM = 64,
  FINEST = 200,
  TIPS = 2500,
  SHADES = 64,
  LABEL = 40
};

static const char style[] =
    "<style>\n"
    "  .page{fill:#ffffff}.axis{stroke:#6b7480;stroke-width:1;fill:none}"
    "text{fill:#3c444d;font-family:system-ui,-apple-system,"
    "'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;font-size:12px}\n"
    "  .title{font-size:16px;font-weight:600;fill:#1d2329}.note{fill:#6b7480}\n"
    "  .end{text-anchor:end}.middle{text-anchor:middle}\n"
    "  @media (prefers-color-scheme:dark){.page{fill:#14181c}.axis{stroke:#8a949f}"
    "text{fill:#c3cad2}.title{fill:#f0f3f6}.note{fill:#8a949f}}\n"
    "</style>\n";

/* Colour number `shade` of SHADES, by lines between seven points. */
static void colour(char text[8], size_t shade) {
  static const unsigned char points[7][3] = {{68, 1, 84},    {68, 57, 131},  {49, 104, 142},
                                             {33, 145, 140}, {53, 183, 121}, {144, 215, 67},
                                             {253, 231, 37}};
  const double at = (double)(shade - 1) / (SHADES - 1) * 6;
  const size_t i = at >= 6 ? 5 : (size_t)at;
  unsigned part[3];
  for (int k = 0; k < 3; k++)
    part[k] = (unsigned)lround(points[i][k] + (at - (double)i) * (points[i + 1][k] - points[i][k]));
  (void)snprintf(text, 8, "#%02x%02x%02x", part[0] & 255, part[1] & 255, part[2] & 255);
}

/* How far along its axis an edge is, 0 to 1. */
static double place(const struct heat *h, int d, size_t i) {
  const double lo = h->edges[d][0], hi = h->edges[d][h->bins[d]];
  if (!isfinite(hi - lo) || !(hi > lo)) return (double)i / (double)h->bins[d];
  return (h->edges[d][i] - lo) / (hi - lo);
}

static double x_of(double share) { return LEFT + share * (WIDTH - LEFT - RIGHT); }
static double y_of(double share) { return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM); }

static void tip(struct sink *out, const struct heat *h, const size_t first[2], const size_t end[2],
                double value) {
  char lo[2][LABEL], hi[2][LABEL], text[LABEL];
  for (int d = 0; d < 2; d++) {
    const int digits = plot_digits(h->edges[d] + first[d], end[d] - first[d] + 1);
    plot_edge(lo[d], LABEL, h->edges[d][first[d]], digits);
    plot_edge(hi[d], LABEL, h->edges[d][end[d]], digits);
  }
  plot_value(text, sizeof text, value);
  sink_print(out, "><title>[%s, %s) x [%s, %s): %s</title></rect>\n", lo[0], hi[0], lo[1], hi[1],
             text);
}

static void cell(struct sink *out, const struct heat *h, const struct heat_cells *c, size_t x,
                 size_t y) {
  const double value = heat_cell(h, c, x, y);
  const size_t shade = heat_shade(c, value, SHADES), at[2] = {x, y};
  size_t first[2], end[2];
  char fill[8];
  if (!shade) return;
  for (int d = 0; d < 2; d++) {
    first[d] = at[d] * c->group[d];
    end[d] = first[d] + c->group[d] < h->bins[d] ? first[d] + c->group[d] : h->bins[d];
  }
  const double left = x_of(place(h, 0, first[0])), right = x_of(place(h, 0, end[0]));
  const double low = y_of(place(h, 1, first[1])), high = y_of(place(h, 1, end[1]));
  colour(fill, shade);
  sink_print(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"", left,
             high, right - left, low - high, fill);
  if (c->cells[0] * c->cells[1] <= TIPS)
    tip(out, h, first, end, value);
  else
    sink_text(out, "/>\n");
}

static void head(struct sink *out, const struct heat *h) {
  sink_print(out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
             "height=\"%d\" role=\"img\">\n<title>",
             WIDTH, HEIGHT, WIDTH, HEIGHT);
  sink_xml(out, h->title ? h->title : "Histogram");
  sink_text(out, "</title>\n");
  sink_text(out, style);
  sink_print(out, "<rect class=\"page\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n", WIDTH, HEIGHT);
  if (h->title) {
    sink_print(out, "<text class=\"title\" x=\"%d\" y=\"26\">", LEFT);
    sink_xml(out, h->title);
    sink_text(out, "</text>\n");
  }
  sink_print(out, "<text class=\"note\" x=\"%d\" y=\"%d\">%llu point%s", LEFT, h->title ? 44 : 30,
             (unsigned long long)h->points, h->points == 1 ? "" : "s");
  if (h->outside) sink_print(out, ", %llu outside", (unsigned long long)h->outside);
  sink_text(out, "</text>\n<g shape-rendering=\"crispEdges\">\n");
}

static void ticks(struct sink *out, const struct heat *h, int d) {
  const double lo = h->edges[d][0], hi = h->edges[d][h->bins[d]];
  char text[LABEL];
  if (!isfinite(hi - lo) || !(hi > lo)) return;
  const struct ticks t = plot_ticks(lo, hi, 6);
  const double both[2] = {t.first, t.first + t.step};
  const int digits = plot_digits(both, 2);
  for (size_t i = 0; i < t.count; i++) {
    double value = t.first + (double)i * t.step;
    if (fabs(value) < 1e-9 * t.step) value = 0;
    plot_edge(text, sizeof text, value, digits < 6 ? 6 : digits);
    const double at = (value - lo) / (hi - lo);
    if (d == 0)
      sink_print(out, "<text class=\"middle\" x=\"%.2f\" y=\"%d\">%s</text>\n", x_of(at),
                 HEIGHT - BOTTOM + 18, text);
    else
      sink_print(out, "<text class=\"end\" x=\"%d\" y=\"%.2f\">%s</text>\n", LEFT - 8, y_of(at) + 4,
                 text);
  }
}

static void names(struct sink *out, const struct heat *h) {
  sink_print(out, "<text class=\"middle\" x=\"%.0f\" y=\"%d\">", x_of(0.5), HEIGHT - BOTTOM + 42);
  sink_xml(out, h->names[0]);
  sink_print(out, "</text>\n<text class=\"middle\" transform=\"translate(22 %.0f) rotate(-90)\">",
             y_of(0.5));
  sink_xml(out, h->names[1]);
  sink_text(out, "</text>\n");
}

static void scale(struct sink *out, const struct heat *h, const struct heat_cells *c) {
  const double x = WIDTH - RIGHT + 20, step = (double)(HEIGHT - TOP - BOTTOM) / SHADES;
  char fill[8], most[LABEL];
  sink_text(out, "<g shape-rendering=\"crispEdges\">\n");
  for (size_t k = 1; k <= SHADES; k++) {
    colour(fill, k);
    sink_print(out, "<rect x=\"%.0f\" y=\"%.2f\" width=\"14\" height=\"%.2f\" fill=\"%s\"/>\n", x,
               y_of(0) - (double)k * step, step, fill);
  }
  plot_value(most, sizeof most, c->most);
  sink_print(out, "</g>\n<text x=\"%.0f\" y=\"%.0f\">%s</text>\n", x + 20, y_of(1) + 10, most);
  sink_print(out, "<text x=\"%.0f\" y=\"%.0f\">0</text>\n", x + 20, y_of(0));
  sink_print(out, "<text class=\"note end\" x=\"%d\" y=\"%d\">%s</text>\n", WIDTH - 16,
             h->title ? 44 : 30, h->noun);
}

void heat_svg_write(struct sink *out, const struct heat *h) {
  const struct heat_cells c = heat_cells(h, FINEST, FINEST);
  head(out, h);
  for (size_t x = 0; x < c.cells[0]; x++)
    for (size_t y = 0; y < c.cells[1]; y++) cell(out, h, &c, x, y);
  sink_print(out, "</g>\n<rect class=\"axis\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
             LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
  ticks(out, h, 0);
  ticks(out, h, 1);
  names(out, h);
  scale(out, h, &c);
  sink_text(out, "</svg>\n");
}

int heat_svg(const char *path, const struct heat *h, struct failure *why) {
  struct sink out;
  if (sink_open(&out, path, why) != 0) return -1;
  heat_svg_write(&out, h);
  return sink_close(&out, why);
}

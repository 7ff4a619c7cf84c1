/* plot_bars.c - a histogram with a line for each bin: edges, count, share, bar
 *
 * Method  Bars in eighths of a column (U+2588 to U+258F); what is not zero shows at least one. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot.h"
#include "terminal.h"

enum { LABEL = 80, NARROWEST_BAR = 8 };

static const char *const eighths[] = {"",       "\u258f", "\u258e", "\u258d", "\u258c",
                                      "\u258b", "\u258a", "\u2589", "\u2588"};

struct layout {
  int digits;
  size_t low, high, value; /* widths */
  size_t bar;
  double most;
};

static size_t wider(size_t width, const char *text) {
  size_t columns = terminal_columns(text);
  return columns > width ? columns : width;
}

static struct layout lay_out(const struct plot *p) {
  struct layout l = {plot_digits(p->edges, p->count + 1), 0, 0, 0, NARROWEST_BAR, 0};
  char text[LABEL];
  for (size_t i = 0; i < p->count; i++) {
    plot_edge(text, sizeof text, p->edges[i], l.digits);
    l.low = wider(l.low, text);
    plot_edge(text, sizeof text, p->edges[i + 1], l.digits);
    l.high = wider(l.high, text);
    plot_value(text, sizeof text, p->values[i]);
    l.value = wider(l.value, text);
    l.most = plot_greater(l.most, p->values[i]);
  }
  size_t label = p->whole ? l.low : l.low + l.high + 4;
  size_t used = label + 2 + l.value + (p->shares ? 0 : 8) + 2;
  if (p->width > used + NARROWEST_BAR) l.bar = p->width - used;
  return l;
}

static void interval(struct sink *out, const struct plot *p, const struct layout *l, size_t i) {
  char text[LABEL];
  plot_edge(text, sizeof text, p->edges[i], l->digits);
  if (p->whole) {
    sink_right(out, text, l->low);
    return;
  }
  sink_text(out, "[");
  sink_right(out, text, l->low);
  sink_text(out, ", ");
  plot_edge(text, sizeof text, p->edges[i + 1], l->digits);
  sink_right(out, text, l->high);
  sink_text(out, i + 1 == p->count ? "]" : ")");
}

static void bar(struct sink *out, const struct plot *p, const struct layout *l, double value) {
  double length = plot_share(value, l->most) * (double)l->bar;
  if (!(length > 0)) return;
  if (p->colour) sink_text(out, "\033[36m");
  if (p->ascii) {
    size_t whole = (size_t)(length + 0.5);
    for (size_t i = 0; i < whole; i++) sink_text(out, "#");
    if (whole == 0) sink_text(out, ".");
  } else {
    size_t parts = (size_t)(8 * length + 0.5);
    if (parts == 0) parts = 1;
    for (size_t i = 0; i < parts / 8; i++) sink_text(out, eighths[8]);
    sink_text(out, eighths[parts % 8]);
  }
  if (p->colour) sink_text(out, "\033[0m");
}

void plot_bars(struct sink *out, const struct plot *p) {
  struct layout l = lay_out(p);
  char text[LABEL];
  for (size_t i = 0; i < p->count; i++) {
    interval(out, p, &l, i);
    sink_text(out, "  ");
    plot_value(text, sizeof text, p->values[i]);
    sink_right(out, text, l.value);
    if (!p->shares)
      sink_print(out, "  %5.1f%%",
                 p->total != 0 && isfinite(p->total) ? 100 * p->values[i] / p->total : 0);
    if (p->values[i] > 0) sink_text(out, "  ");
    bar(out, p, &l, p->values[i]);
    sink_text(out, "\n");
  }
}

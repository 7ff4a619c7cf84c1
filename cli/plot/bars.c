/* bars.c - a histogram with a line for each bin: edges, count, share, bar
 *
 * Method  Bars in eighths of a column (U+2588 to U+258F); what is not zero shows at least one. The
 *         bar of an infinity ends in '>', and the others are at most three quarters as long. Where
 *         the terminal is narrow the percentages go, then the upper edges, then the bars.
 * Limits  Figures are never cut, and may not fit into fewer than some 40 columns. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot.h"
#include "report/terminal.h"

enum { LABEL = 80, NARROWEST_BAR = 8 };

static const char *const eighths[] = {"",       "\u258f", "\u258e", "\u258d", "\u258c",
                                      "\u258b", "\u258a", "\u2589", "\u2588"};

struct layout {
  int digits;
  size_t low, high, value; /* widths */
  bool percent, upper;     /* are shown */
  size_t bar;
  double most;
};

static size_t wider(size_t width, const char *text) {
  size_t columns = terminal_columns(text);
  return columns > width ? columns : width;
}

/* Columns in front of the bars. */
static size_t used(const struct layout *l, const struct plot *p) {
  const size_t label = p->whole ? l->low : l->upper ? l->low + l->high + 4 : l->low + 2;
  return label + 2 + l->value + (l->percent ? 8 : 0) + 2;
}

static struct layout lay_out(const struct plot *p) {
  /* Without a finite total nothing is a share of it. */
  struct layout l = {.digits = plot_digits(p->edges, p->count + 1),
                     .percent = !p->shares && isfinite(p->total),
                     .upper = !p->whole};
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
  l.most = plot_scale(p, l.most);
  if (used(&l, p) + NARROWEST_BAR > p->width) l.percent = false;
  if (used(&l, p) + NARROWEST_BAR > p->width) l.upper = false;
  l.bar = p->width > used(&l, p) ? p->width - used(&l, p) : 0;
  return l;
}

static void interval(struct sink *out, const struct plot *p, const struct layout *l, size_t i) {
  char text[LABEL];
  plot_edge(text, sizeof text, p->edges[i], l->digits);
  if (!l->upper) {
    sink_right(out, text, l->low);
    if (!p->whole) sink_text(out, "..");
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
  if (isinf(value)) {
    for (size_t i = 1; i < l->bar; i++) sink_text(out, p->ascii ? "#" : eighths[8]);
    sink_text(out, ">");
  } else if (p->ascii) {
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
    if (l.percent) sink_print(out, "  %5.1f%%", p->total != 0 ? 100 * p->values[i] / p->total : 0);
    if (p->values[i] > 0 && l.bar > 0) sink_text(out, "  ");
    bar(out, p, &l, p->values[i]);
    sink_text(out, "\n");
  }
}

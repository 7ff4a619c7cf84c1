/* bars.c - a histogram with a line for each bin: edges, count, share, bar
 *
 * Method  Bars in eighths of a column (U+2588 to U+258F); what is not zero shows at least one. The
 *         bar of an infinity ends in '>', and the others are at most three quarters as long. Where
 *         the terminal is narrow the percentages go, then the upper edges, then the bars.
 *         Several histograms stand beside each other, of one scale, each under its name.
 * Limits  Figures are never cut, and may not fit into fewer than some 40 columns. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
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

static size_t label_width(const struct layout *l, const struct plot *p) {
  return p->whole ? l->low : l->upper ? l->low + l->high + 4 : l->low + 2;
}

/* Columns in front of a bar, behind the edges. */
static size_t figures(const struct layout *l) { return 2 + l->value + (l->percent ? 8 : 0) + 2; }

static bool is_narrow(const struct layout *l, const struct plot *p, size_t count) {
  return label_width(l, p) + count * (figures(l) + NARROWEST_BAR) > p->width;
}

static struct layout lay_out(const struct plot *p, size_t count) {
  struct layout l = {
      .digits = plot_digits(p->edges, p->count + 1), .percent = !p->shares, .upper = !p->whole};
  char text[LABEL];
  for (size_t i = 0; i < p->count; i++) {
    plot_edge(text, sizeof text, p->edges[i], l.digits);
    l.low = wider(l.low, text);
    plot_edge(text, sizeof text, p->edges[i + 1], l.digits);
    l.high = wider(l.high, text);
  }
  for (size_t k = 0; k < count; k++) {
    /* Without a finite total nothing is a share of it. */
    if (!isfinite(p[k].total)) l.percent = false;
    for (size_t i = 0; i < p->count; i++) {
      plot_value(text, sizeof text, p[k].values[i]);
      l.value = wider(l.value, text);
      l.most = plot_greater(l.most, p[k].values[i]);
    }
  }
  l.most = plot_scale(p, l.most);
  if (is_narrow(&l, p, count)) l.percent = false;
  if (is_narrow(&l, p, count)) l.upper = false;
  const size_t used = label_width(&l, p) + count * figures(&l);
  l.bar = p->width > used ? (p->width - used) / count : 0;
  return l;
}

bool plot_beside(const struct plot *p, size_t count) {
  return p->count <= PLOT_BARS_MOST && lay_out(p, count).bar >= NARROWEST_BAR;
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

/* How many columns it takes. */
static size_t bar(struct sink *out, const struct plot *p, const struct layout *l, double value) {
  double length = plot_share(value, l->most) * (double)l->bar;
  size_t drawn = l->bar;
  if (!(length > 0)) return 0;
  if (p->colour) sink_text(out, "\033[36m");
  if (isinf(value)) {
    for (size_t i = 1; i < l->bar; i++) sink_text(out, p->ascii ? "#" : eighths[8]);
    sink_text(out, ">");
  } else if (p->ascii) {
    size_t whole = (size_t)(length + 0.5);
    for (size_t i = 0; i < whole; i++) sink_text(out, "#");
    if (whole == 0) sink_text(out, ".");
    drawn = whole > 0 ? whole : 1;
  } else {
    size_t parts = (size_t)(8 * length + 0.5);
    if (parts == 0) parts = 1;
    for (size_t i = 0; i < parts / 8; i++) sink_text(out, eighths[8]);
    sink_text(out, eighths[parts % 8]);
    drawn = (parts + 7) / 8;
  }
  if (p->colour) sink_text(out, "\033[0m");
  return drawn;
}

/* As far as there is room; how many columns it takes. */
static size_t name(struct sink *out, const char *text, size_t room) {
  char safe[UTF8_SAFE];
  size_t used = 0;
  while (*text != '\0') {
    text += utf8_safe(text, safe);
    used += terminal_columns(safe);
    if (used > room) return used - terminal_columns(safe);
    sink_text(out, safe);
  }
  return used;
}

static void names(struct sink *out, const struct plot *p, size_t count, const struct layout *l) {
  const size_t room = figures(l) - 2 + l->bar;
  sink_right(out, "", label_width(l, p));
  for (size_t k = 0; k < count; k++) {
    sink_text(out, "  ");
    const size_t used = name(out, p[k].name, room);
    if (k + 1 < count) sink_right(out, "", room - used);
  }
  sink_text(out, "\n");
}

void plot_bars(struct sink *out, const struct plot *p, size_t count) {
  struct layout l = lay_out(p, count);
  char text[LABEL];
  if (count > 1) names(out, p, count, &l);
  for (size_t i = 0; i < p->count; i++) {
    interval(out, p, &l, i);
    for (size_t k = 0; k < count; k++) {
      const double value = p[k].values[i], total = p[k].total;
      size_t drawn = 0;
      sink_text(out, "  ");
      plot_value(text, sizeof text, value);
      sink_right(out, text, l.value);
      if (l.percent) sink_print(out, "  %5.1f%%", total != 0 ? 100 * value / total : 0);
      if (value > 0 && l.bar > 0) {
        sink_text(out, "  ");
        drawn = 2 + bar(out, p, &l, value);
      }
      if (k + 1 < count) sink_right(out, "", l.bar + 2 - drawn);
    }
    sink_text(out, "\n");
  }
}

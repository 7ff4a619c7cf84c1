/* columns.c - a histogram of many bins: upright columns, an axis on each side
 *
 * Method  Neighbouring bins share a column where there are more than columns; a bin takes several
 *         where there are fewer. Heights in eighths of a line (U+2581 to U+2588).
 * Limits  12 lines; where bins share a column, a line below says how many. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot.h"
#include "report/terminal.h"

enum { HEIGHT = 12, WIDEST = 1000, LABEL = 40, USUAL = 8, TICKS = 5 };

static const char *const eighths[] = {" ",      "\u2581", "\u2582", "\u2583", "\u2584",
                                      "\u2585", "\u2586", "\u2587", "\u2588"};

struct layout {
  size_t label;   /* width of the numbers at the left */
  size_t columns; /* that are drawn */
  size_t group;   /* bins a column */
  size_t repeat;  /* columns a bin */
  double heights[WIDEST], most;
};

static double height(const struct plot *p, size_t first, size_t last) {
  double sum = 0;
  if (!p->merges) return p->values[last - 1];
  for (size_t i = first; i < last; i++) sum += p->values[i];
  return p->shares ? sum / (double)(last - first) : sum;
}

/* With the width of the numbers at the left given. */
static void group(const struct plot *p, struct layout *l) {
  size_t room = p->width > l->label + 4 ? p->width - l->label - 3 : 1;
  if (room > WIDEST) room = WIDEST;
  l->group = (p->count + room - 1) / room;
  l->repeat = p->count < room ? room / p->count : 1;
  size_t groups = (p->count + l->group - 1) / l->group;
  l->columns = groups * l->repeat;
  l->most = 0;
  for (size_t g = 0; g < groups; g++) {
    size_t first = g * l->group, last = first + l->group;
    double h = height(p, first, last < p->count ? last : p->count);
    for (size_t r = 0; r < l->repeat; r++) l->heights[g * l->repeat + r] = h;
    l->most = plot_greater(l->most, h);
  }
  l->most = plot_scale(p, l->most);
}

static size_t level_text(char *text, size_t size, double value) {
  plot_value(text, size, value);
  if (strlen(text) > USUAL) (void)snprintf(text, size, "%.3g", value);
  return strlen(text);
}

static void lay_out(const struct plot *p, struct layout *l) {
  char text[LABEL];
  l->label = USUAL;
  group(p, l);
  const size_t whole = level_text(text, sizeof text, l->most);
  const size_t half = level_text(text, sizeof text, l->most / 2);
  if (whole <= l->label && half <= l->label) return;
  l->label = whole > half ? whole : half;
  group(p, l);
}

static const char *character(const struct plot *p, const struct layout *l, size_t column,
                             size_t line) {
  double h = plot_share(l->heights[column], l->most) * HEIGHT;
  if (!(h > 0)) return " ";
  long parts = (long)(8 * h + 0.5) - 8 * (long)line;
  if (line == 0 && parts < 1) parts = 1;
  if (p->ascii) return parts >= 4 ? "#" : parts > 0 && line == 0 ? "." : " ";
  return eighths[parts < 0 ? 0 : parts > 8 ? 8 : parts];
}

static void lines(struct sink *out, const struct plot *p, const struct layout *l) {
  char text[LABEL];
  for (size_t line = HEIGHT; line-- > 0;) {
    size_t filled = l->columns;
    while (filled > 0 && *character(p, l, filled - 1, line) == ' ') filled--;
    text[0] = '\0';
    if (line == HEIGHT - 1 || line == HEIGHT / 2 - 1) {
      double value = line == HEIGHT - 1 ? l->most : l->most / 2;
      (void)level_text(text, sizeof text, value);
      if (p->infinite > 0 && line == HEIGHT - 1) (void)snprintf(text, sizeof text, "inf");
    }
    sink_right(out, text, l->label);
    sink_text(out, p->ascii ? (*text ? " +" : " |") : (*text ? " \u2524" : " \u2502"));
    if (p->colour && filled > 0) sink_text(out, "\033[36m");
    for (size_t c = 0; c < filled; c++) sink_text(out, character(p, l, c, line));
    if (p->colour && filled > 0) sink_text(out, "\033[0m");
    sink_text(out, "\n");
  }
}

/* The line under the columns, with a mark where a label follows below. */
static void axis(struct sink *out, const struct plot *p, const struct layout *l) {
  double labelled[TICKS + 1];
  char row[WIDEST + LABEL + 1], text[LABEL];
  size_t marks[TICKS + 1], free_from = 0;
  memset(row, ' ', sizeof row);
  for (size_t t = 0; t <= TICKS; t++) {
    marks[t] = t * l->columns / TICKS;
    size_t bin = marks[t] / l->repeat * l->group;
    labelled[t] = p->edges[bin < p->count ? bin : p->count];
  }
  sink_right(out, "0", l->label);
  sink_text(out, p->ascii ? " +" : " \u253c");
  for (size_t c = 0, t = 0; c <= l->columns; c++) {
    bool mark = t <= TICKS && marks[t] == c;
    while (t <= TICKS && marks[t] == c) t++;
    sink_text(out, p->ascii ? (mark ? "+" : "-") : (mark ? "\u252c" : "\u2500"));
  }
  sink_text(out, "\n");
  int digits = plot_digits(labelled, TICKS + 1);
  for (size_t t = 0; t <= TICKS; t++) {
    plot_edge(text, sizeof text, labelled[t], digits);
    size_t length = strlen(text), at = marks[t] > length / 2 ? marks[t] - length / 2 : 0;
    size_t room = p->width > l->label + 2 ? p->width - l->label - 2 : 0;
    if (at + length > room) at = room > length ? room - length : 0;
    if (at < free_from || at + length > room || at + length >= sizeof row) continue;
    memcpy(row + at, text, length);
    free_from = at + length + 2;
  }
  size_t end = free_from > 2 ? free_from - 2 : 0;
  row[end] = '\0';
  sink_right(out, "", l->label + 2);
  sink_text(out, row);
  sink_text(out, "\n");
}

void plot_columns(struct sink *out, const struct plot *p) {
  struct layout l;
  lay_out(p, &l);
  lines(out, p, &l);
  axis(out, p, &l);
  if (l.group == 1) return;
  char parts[2][PLOT_PART];
  (void)snprintf(parts[0], sizeof parts[0], "%zu bins", p->count);
  (void)snprintf(parts[1], sizeof parts[1], "%zu in a column", l.group);
  if (l.label + 4 + strlen(parts[0]) + strlen(parts[1]) <= p->width)
    sink_right(out, "", l.label + 2);
  plot_joined(out, p->width, parts, 2);
}

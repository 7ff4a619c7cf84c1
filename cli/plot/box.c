/* box.c - box plots as characters, a line for each, on one axis
 *
 * Method  Whiskers from end to end, the box over them, the median over both; the farthest outliers as dots, so that a
 *         line says where all values lie. Behind it how many outliers there are.
 * Limits  Labels take up to a third of the width, and are cut there. */
#include "box.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "report/terminal.h"

enum { WIDEST = 1000, LEAST = 10, LABEL = 40, FIGURES = 32 };

/* What a column of a line shows. */
enum cell { BLANK, WHISKER, LEFT_END, RIGHT_END, BOX, MEDIAN, OUTLIER };

static const char *const characters[] = {" ",      "\u2500", "\u251c", "\u2524",
                                         "\u2592", "\u2503", "\u00b7"};
static const char *const plain[] = {" ", "-", "|", "|", "=", "#", "o"};

bool plot_boxes_range(const struct box_plot *p, double *lo, double *hi) {
  *lo = DBL_MAX;
  *hi = -DBL_MAX;
  for (size_t i = 0; i < p->count; i++) {
    const struct plot_box *const b = &p->boxes[i];
    const double all[] = {b->min, b->low, b->q1, b->median, b->q3, b->high, b->max};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
      if (!isfinite(all[k])) continue;
      *lo = fmin(*lo, all[k]);
      *hi = fmax(*hi, all[k]);
    }
  }
  if (*lo > *hi) return false;
  if (*lo < *hi) return true;
  const double around = fmax(fabs(*lo) / 50, 1);
  *lo = fmax(*lo - around, -DBL_MAX);
  *hi = fmin(*hi + around, DBL_MAX);
  return true;
}

double plot_boxes_place(double value, double lo, double hi) {
  if (value <= lo) return 0;
  if (value >= hi) return 1;
  return (value / 2 - lo / 2) /
         (hi / 2 - lo / 2); /* halves: the range may be beyond the largest number */
}

static void line(struct sink *out, const struct box_plot *p, const struct plot_box *b, double lo,
                 double hi, size_t width) {
  unsigned char cells[WIDEST] = {BLANK};
  const double places[] = {b->min, b->low, b->q1, b->median, b->q3, b->high, b->max};
  size_t at[7];
  for (size_t k = 0; k < 7; k++)
    at[k] = (size_t)(plot_boxes_place(places[k], lo, hi) * (double)(width - 1) + 0.5);
  if (b->min < b->low) cells[at[0]] = OUTLIER;
  if (b->max > b->high) cells[at[6]] = OUTLIER;
  for (size_t i = at[1]; i <= at[5]; i++) cells[i] = WHISKER;
  cells[at[1]] = LEFT_END;
  cells[at[5]] = RIGHT_END;
  for (size_t i = at[2]; i <= at[4]; i++) cells[i] = BOX;
  cells[at[3]] = MEDIAN;
  if (p->colour) sink_text(out, "\033[36m");
  for (size_t i = 0; i < width; i++) sink_text(out, (p->ascii ? plain : characters)[cells[i]]);
  if (p->colour) sink_text(out, "\033[0m");
}

/* A label as far as there is room, and blanks up to there. */
static void label(struct sink *out, const char *text, size_t room) {
  char safe[UTF8_SAFE];
  size_t used = 0;
  while (*text != '\0') {
    text += utf8_safe(text, safe);
    const size_t columns = terminal_columns(safe);
    if (used + columns > room) break;
    used += columns;
    sink_text(out, safe);
  }
  sink_right(out, "", room - used);
}

static void axis(struct sink *out, double lo, double hi, size_t before, size_t width) {
  const double ends[] = {lo, hi};
  char low[LABEL], high[LABEL];
  const int digits = plot_digits(ends, 2);
  plot_edge(low, sizeof low, lo, digits);
  plot_edge(high, sizeof high, hi, digits);
  sink_right(out, "", before);
  sink_text(out, low);
  const size_t used = strlen(low) + 1;
  sink_text(out, " ");
  sink_right(out, high, width > used ? width - used : 0);
  sink_text(out, "\n");
}

static size_t outliers(char text[FIGURES], const struct plot_box *b) {
  text[0] = '\0';
  if (b->outliers > 0)
    (void)snprintf(text, FIGURES, "%llu outlier%s", (unsigned long long)b->outliers,
                   b->outliers == 1 ? "" : "s");
  return strlen(text);
}

void plot_boxes(struct sink *out, const struct box_plot *p) {
  char text[FIGURES];
  double lo, hi;
  size_t widest = 0, behind = 0;
  if (!plot_boxes_range(p, &lo, &hi)) return;
  for (size_t i = 0; i < p->count; i++) {
    const size_t columns = terminal_columns(p->boxes[i].label), n = outliers(text, &p->boxes[i]);
    if (columns > widest) widest = columns;
    if (n > behind) behind = n;
  }
  if (widest > p->width / 3) widest = p->width / 3;
  const size_t around = widest + 2 + (behind > 0 ? behind + 2 : 0);
  size_t width = p->width > around + LEAST ? p->width - around : LEAST;
  if (width > WIDEST) width = WIDEST;
  for (size_t i = 0; i < p->count; i++) {
    const struct plot_box *const b = &p->boxes[i];
    label(out, b->label, widest);
    sink_text(out, "  ");
    if (b->count == b->nan)
      sink_text(out, "no values");
    else
      line(out, p, b, lo, hi, width);
    if (outliers(text, b) > 0) sink_print(out, "  %s", text);
    sink_text(out, "\n");
  }
  axis(out, lo, hi, widest + 2, width);
}

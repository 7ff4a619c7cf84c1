/* heat.c - a histogram of two dimensions in characters: a shade a cell
 *
 * Method  In colour a character is two cells, one on the other (U+2580, foreground and background); else one,
 *         of four shades (U+2591 to U+2588) or of ASCII. Neighbouring bins share a cell where there is no room
 *         for all; few bins take several characters each. What has anything in it has a shade.
 * Limits  ROWS lines */
#include "heat.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot.h"
#include "report/terminal.h"

enum { ROWS = 24, LABEL = 40, RAMP = 12 };

static const char *const blocks[] = {" ", "\u2591", "\u2592", "\u2593", "\u2588"};
static const char *const letters[] = {" ", ".", ":", "-", "=", "+", "*", "#", "%", "@"};
/* Colours of a terminal of 256, from violet by green to yellow. */
static const unsigned char ramp[RAMP] = {53, 54, 60, 24, 30, 29, 35, 71, 107, 149, 184, 226};
enum { NOTHING = 234 };

/* ---- cells ----------------------------------------------------------------------------------- */

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

double heat_cell(const struct heat *h, const struct heat_cells *c, size_t x, size_t y) {
  const size_t x_end = least((x + 1) * c->group[0], h->bins[0]);
  const size_t y_end = least((y + 1) * c->group[1], h->bins[1]);
  double sum = 0;
  size_t bins = 0;
  for (size_t i = x * c->group[0]; i < x_end; i++)
    for (size_t k = y * c->group[1]; k < y_end; k++, bins++) sum += h->values[i * h->bins[1] + k];
  return h->shares ? sum / (double)bins : sum;
}

struct heat_cells heat_cells(const struct heat *h, size_t most_x, size_t most_y) {
  struct heat_cells c = {.most = 0};
  const size_t most[2] = {most_x, most_y};
  for (int d = 0; d < 2; d++) {
    c.group[d] = (h->bins[d] + most[d] - 1) / most[d];
    c.cells[d] = (h->bins[d] + c.group[d] - 1) / c.group[d];
  }
  for (size_t x = 0; x < c.cells[0]; x++)
    for (size_t y = 0; y < c.cells[1]; y++) c.most = plot_greater(c.most, heat_cell(h, &c, x, y));
  return c;
}

size_t heat_shade(const struct heat_cells *c, double value, size_t steps) {
  if (!(value > 0)) return 0;
  const double at = ceil(plot_share(value, c->most) * (double)steps);
  return at < 1 ? 1 : at > (double)steps ? steps : (size_t)at;
}

/* ---- characters ------------------------------------------------------------------------------ */

struct layout {
  struct heat_cells cells;
  size_t label, across, lines; /* columns of the numbers at the left; characters a cell; lines */
  size_t up;                   /* rows of half a line, or of a line, that a cell takes */
};

static void lay_out(const struct heat *h, size_t label, struct layout *l) {
  const size_t room = h->width > label + 10 ? h->width - label - 2 : 8;
  const size_t rows = h->colour ? 2 * ROWS : ROWS; /* a line is as high as two columns are wide */
  l->label = label;
  l->cells = heat_cells(h, room, rows);
  l->up = rows / l->cells.cells[1];
  l->across = room / l->cells.cells[0];
  const size_t square = h->colour ? 1 : 2;
  if (l->across > l->up * square) l->across = l->up * square;
  if (l->up > 1 && l->up * square > l->across) l->up = l->across / square;
  if (l->up < 1) l->up = 1;
  l->lines = l->cells.cells[1] * l->up;
  if (h->colour) l->lines = (l->lines + 1) / 2;
}

/* The cell of a row, counted from the top; SIZE_MAX beyond the lowest. */
static size_t cell_of(const struct layout *l, size_t row) {
  const size_t from_top = row / l->up;
  return from_top < l->cells.cells[1] ? l->cells.cells[1] - 1 - from_top : SIZE_MAX;
}

static unsigned colour_of(const struct heat *h, const struct layout *l, size_t x, size_t y) {
  const size_t shade =
      y == SIZE_MAX ? 0 : heat_shade(&l->cells, heat_cell(h, &l->cells, x, y), RAMP);
  return shade ? ramp[shade - 1] : NOTHING;
}

static void coloured_line(struct sink *out, const struct heat *h, const struct layout *l,
                          size_t line) {
  const size_t top = cell_of(l, 2 * line), low = cell_of(l, 2 * line + 1);
  for (size_t x = 0; x < l->cells.cells[0]; x++) {
    const unsigned upper = colour_of(h, l, x, top);
    if (low == SIZE_MAX)
      sink_print(out, "\033[38;5;%um\033[49m", upper);
    else
      sink_print(out, "\033[38;5;%u;48;5;%um", upper, colour_of(h, l, x, low));
    for (size_t k = 0; k < l->across; k++) sink_text(out, "\u2580");
  }
  sink_text(out, "\033[0m");
}

static void shaded_line(struct sink *out, const struct heat *h, const struct layout *l,
                        size_t line) {
  const char *const *shades = h->ascii ? letters : blocks;
  const size_t steps = (h->ascii ? sizeof letters : sizeof blocks) / sizeof *shades - 1;
  const size_t y = cell_of(l, line);
  for (size_t x = 0; x < l->cells.cells[0]; x++) {
    const size_t shade = heat_shade(&l->cells, heat_cell(h, &l->cells, x, y), steps);
    for (size_t k = 0; k < l->across; k++) sink_text(out, shades[shade]);
  }
}

static void under_the_map(struct sink *out, const struct heat *h, const struct layout *l) {
  char lo[LABEL], hi[LABEL], most[LABEL];
  const size_t columns = l->cells.cells[0] * l->across;
  const int digits = plot_digits(h->edges[0], h->bins[0] + 1);
  plot_edge(lo, sizeof lo, h->edges[0][0], digits);
  plot_edge(hi, sizeof hi, h->edges[0][h->bins[0]], digits);
  sink_left(out, "", l->label + 2);
  sink_text(out, lo);
  const size_t left = columns > strlen(lo) + strlen(hi) ? columns - strlen(lo) : strlen(hi) + 1;
  sink_right(out, hi, left);
  sink_text(out, "\n");
  sink_left(out, "", l->label + 2);
  sink_text(out, "x ");
  sink_safe(out, h->names[0]);
  sink_text(out, ", y ");
  sink_safe(out, h->names[1]);
  plot_value(most, sizeof most, l->cells.most);
  sink_print(out, "; the fullest cell: %s %s", h->noun, most);
  if (l->cells.group[0] > 1 || l->cells.group[1] > 1)
    sink_print(out, "; %zu x %zu bins a cell", l->cells.group[0], l->cells.group[1]);
  sink_print(out, "\n%llu point%s", (unsigned long long)h->points, h->points == 1 ? "" : "s");
  if (h->outside) sink_print(out, ", %llu outside", (unsigned long long)h->outside);
  sink_text(out, "\n");
}

void heat_map(struct sink *out, const struct heat *h) {
  char lo[LABEL], hi[LABEL];
  struct layout l;
  const int digits = plot_digits(h->edges[1], h->bins[1] + 1);
  plot_edge(lo, sizeof lo, h->edges[1][0], digits);
  plot_edge(hi, sizeof hi, h->edges[1][h->bins[1]], digits);
  lay_out(h, strlen(lo) > strlen(hi) ? strlen(lo) : strlen(hi), &l);
  for (size_t line = 0; line < l.lines; line++) {
    sink_right(out, line == 0 ? hi : line + 1 == l.lines ? lo : "", l.label);
    sink_text(out, h->ascii ? " |" : " \u2502");
    if (h->colour && !h->ascii)
      coloured_line(out, h, &l, line);
    else
      shaded_line(out, h, &l, line);
    sink_text(out, "\n");
  }
  under_the_map(out, h, &l);
}

/* plot_complexity.c - measured steps and work of the scans against the formulas
 *
 * Result   two panels, steps and work over n; of each method a line for the formula and a dot
 *          for each measured n; a dot off its line is ringed
 * Method   the table is the member "complexity" of a rung's JSON line: a list of objects with
 *          method, n, steps, work, steps_formula, work_formula
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/value.h"
#include "base/text.h"
#include "plot.h"

enum { PANEL = 400, PLOT = 340, LEFT = 70, HEAD = 50, LEGEND = 30 };

struct panel {
  const char *measured, *formula, *title;
  double x;                     /* of its left edge */
  double n_least, n_most, most; /* logarithms to base 2 */
};

static const struct json_value *find_table(const struct result *result, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const struct json_value *table = json_find(&result[i].json, "complexity");
    if (table && table->kind == JSON_LIST && table->count > 0) return table;
  }
  return NULL;
}

/* The number of a method, in the order in which the table brings them; 8 are told apart. */
static size_t method_number(const struct json_value *table, const char *method) {
  size_t number = 0;
  for (size_t i = 0; i < table->count; i++) {
    const char *m = json_string(&table->item[i], "method", "");
    bool seen = false;
    for (size_t k = 0; k < i && !seen; k++)
      seen = strcmp(json_string(&table->item[k], "method", ""), m) == 0;
    if (seen) continue;
    if (strcmp(m, method) == 0) break;
    number++;
  }
  return number % 8;
}

static double log_of(const struct json_value *row, const char *name) {
  const double value = json_number(row, name, 0);
  return value > 1 ? log2(value) : 0;
}

static void set_scale(struct panel *p, const struct json_value *table) {
  p->n_least = 1e9;
  for (size_t i = 0; i < table->count; i++) {
    const struct json_value *row = &table->item[i];
    p->n_least = fmin(p->n_least, log_of(row, "n"));
    p->n_most = fmax(p->n_most, log_of(row, "n"));
    p->most = fmax(p->most, fmax(log_of(row, p->measured), log_of(row, p->formula)));
  }
  if (p->n_most <= p->n_least) p->n_most = p->n_least + 1;
  p->most = ceil(fmax(p->most, 1));
}

static double at_x(const struct panel *p, double n) {
  return p->x + LEFT + PLOT * (n - p->n_least) / (p->n_most - p->n_least);
}
static double at_y(const struct panel *p, double value) {
  return HEAD + PLOT - PLOT * value / p->most;
}

static void draw_axes(struct text *svg, const struct panel *p) {
  char label[32];
  const double step = ceil(p->most / 12);
  text_add_format(svg,
                  "<rect x=\"%.1f\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" "
                  "stroke=\"#444\"/>\n",
                  p->x + LEFT, HEAD, PLOT, PLOT);
  for (double v = 0; v <= p->most; v += step) {
    text_add_format(svg,
                    "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n",
                    p->x + LEFT, p->x + LEFT + PLOT, at_y(p, v), at_y(p, v));
    snprintf(label, sizeof label, "2^%.0f", v);
    svg_text(svg, p->x + LEFT - 6, at_y(p, v) + 4, "end", label);
  }
  for (double n = ceil(p->n_least); n <= p->n_most; n += 1 + floor((p->n_most - p->n_least) / 10)) {
    snprintf(label, sizeof label, "2^%.0f", n);
    svg_text(svg, at_x(p, n), HEAD + PLOT + 18, "middle", label);
  }
  svg_text(svg, p->x + LEFT + PLOT / 2.0, HEAD - 8, "middle", p->title);
  svg_text(svg, p->x + LEFT + PLOT / 2.0, HEAD + PLOT + 36, "middle", "elements");
}

/* From each row of a method to its next one: a piece of the formula's line. */
static void draw_lines(struct text *svg, const struct panel *p, const struct json_value *table) {
  for (size_t i = 0; i < table->count; i++) {
    const struct json_value *row = &table->item[i], *next = NULL;
    const char *method = json_string(row, "method", "");
    for (size_t k = i + 1; k < table->count && !next; k++)
      if (strcmp(json_string(&table->item[k], "method", ""), method) == 0) next = &table->item[k];
    if (!next) continue;
    text_add_format(svg, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n",
                    at_x(p, log_of(row, "n")), at_y(p, log_of(row, p->formula)),
                    at_x(p, log_of(next, "n")), at_y(p, log_of(next, p->formula)),
                    plot_colours[method_number(table, method)]);
  }
}

static void draw_dots(struct text *svg, const struct panel *p, const struct json_value *table) {
  for (size_t i = 0; i < table->count; i++) {
    const struct json_value *row = &table->item[i];
    const double value = json_number(row, p->measured, -1);
    if (value < 0) continue; /* not measured at this n */
    const double x = at_x(p, log_of(row, "n")), y = at_y(p, log_of(row, p->measured));
    const size_t number = method_number(table, json_string(row, "method", ""));
    /* Dots that lie upon each other become rings: later ones are smaller. */
    text_add_format(svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"/>\n", x, y,
                    5.5 - 0.6 * (double)number, plot_colours[number]);
    if (value != json_number(row, p->formula, value))
      text_add_format(svg,
                      "<circle class=\"off\" cx=\"%.1f\" cy=\"%.1f\" r=\"7\" fill=\"none\" "
                      "stroke=\"red\"/>\n",
                      x, y);
  }
}

static void draw_legend(struct text *svg, const struct json_value *table, double y) {
  size_t next = 0;
  for (size_t i = 0; i < table->count; i++) {
    const char *method = json_string(&table->item[i], "method", "");
    bool seen = false;
    for (size_t k = 0; k < i && !seen; k++)
      seen = strcmp(json_string(&table->item[k], "method", ""), method) == 0;
    if (seen) continue;
    const double x = LEFT + 190.0 * (double)(next % 4), row = y + 20.0 * (double)(next / 4);
    text_add_format(svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n", x, row - 4,
                    plot_colours[next % 8]);
    svg_text(svg, x + 10, row, "start", method);
    next++;
  }
}

bool plot_complexity(struct text *svg, const struct result *result, size_t count) {
  const struct json_value *table = find_table(result, count);
  struct panel panels[2] = {{"steps", "steps_formula", "steps", 0, 0, 0, 0},
                            {"work", "work_formula", "work", PANEL + 30, 0, 0, 0}};
  if (!table) return false;
  svg_open(svg, 2 * PANEL + 60, HEAD + PLOT + 50 + 2 * LEGEND,
           "Measured (dots) and by formula (lines)");
  for (int i = 0; i < 2; i++) {
    set_scale(&panels[i], table);
    draw_axes(svg, &panels[i]);
    draw_lines(svg, &panels[i], table);
    draw_dots(svg, &panels[i], table);
  }
  draw_legend(svg, table, HEAD + PLOT + 60);
  return true;
}

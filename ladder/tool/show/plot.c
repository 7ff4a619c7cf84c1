/* plot.c - the SVG file, and bars: linear for GB/s, logarithmic for work */
#include "plot.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json/value.h"
#include "base/text.h"
#include "failure.h"
#include "paths.h"

/* Told apart by most colour-blind readers; Okabe and Ito 2008. */
const char *const plot_colours[8] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#e69f00", "#56b4e9", "#000000", "#999999"};

void plot_check(const char *path) {
  const bool there = access(path, F_OK) == 0;
  const int file = open(path, O_WRONLY | O_CREAT, 0666);
  if (file < 0) fail("cannot write %s: %s", path, strerror(errno));
  close(file);
  if (!there) unlink(path);
}

void svg_open(struct text *svg, double width, double height, const char *title) {
  text_add_format(svg,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" width=\"%g\" "
                  "height=\"%g\" font-family=\"sans-serif\" font-size=\"12\">\n"
                  "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                  width, height, width, height);
  text_add_format(svg,
                  "<text x=\"%g\" y=\"24\" font-size=\"16\" text-anchor=\"middle\">%s</text>\n",
                  width / 2, title);
}

void svg_text(struct text *svg, double x, double y, const char *anchor, const char *text) {
  text_add_format(svg, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
  for (; *text; text++) {
    if (*text == '<')
      text_add_string(svg, "&lt;");
    else if (*text == '&')
      text_add_string(svg, "&amp;");
    else
      text_add(svg, text, 1);
  }
  text_add_string(svg, "</text>\n");
}

/* ---- bars ----------------------------------------------------------------------------------- */

enum { ROW = 20, LABELS = 400, BAR = 420, VALUE = 110, TOP = 60, BOTTOM = 40 };

/* cuda: GB/s, linear. simt: work, on a logarithmic scale, since rungs differ by powers. */
static double bar_value(const struct result *r, bool cuda) {
  if (!cuda) return json_number(&r->json, "work", 0);
  const double ms = json_number(&r->json, "ms", 0), bytes = json_number(&r->json, "bytes", 0);
  return ms > 0 ? bytes / ms * 1e-6 : 0;
}

static double bar_length(double value, double most, bool cuda) {
  if (value <= 0 || most <= 0) return 0;
  return cuda ? BAR * value / most : BAR * log10(1 + value) / log10(1 + most);
}

void plot_bars(struct text *svg, const struct result *result, size_t count, bool cuda) {
  double most = 0;
  for (size_t i = 0; i < count; i++) most = fmax(most, bar_value(&result[i], cuda));
  svg_open(svg, LABELS + BAR + VALUE, TOP + BOTTOM + ROW * (double)count,
           cuda ? "GB/s of the rungs" : "Work of the rungs: operations, logarithmic");
  for (size_t i = 0; i < count; i++) {
    const struct result *r = &result[i];
    const double y = TOP + ROW * (double)i, value = bar_value(r, cuda);
    const double length = bar_length(value, most, cuda);
    char *label = text_format("%s/%.2s %s", r->rung->family, r->rung->name, r->rung->title);
    char *number = value > 0 ? text_format(cuda ? "%.1f" : "%.0f", value)
                             : text_format("%s", r->outcome == OUTCOME_RIGHT ? "-" : "no result");
    if (strlen(label) > 62) strcpy(label + 59, "...");
    svg_text(svg, LABELS - 8, y + 14, "end", label);
    text_add_format(svg, "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n",
                    LABELS, y + 3, length, ROW - 6,
                    plot_colours[r->outcome == OUTCOME_RIGHT ? 0 : 1]);
    svg_text(svg, LABELS + length + 6, y + 14, "start", number);
    free(label);
    free(number);
  }
  svg_text(svg, LABELS, TOP + ROW * (double)count + 20, "start",
           "blue: right; orange: planted bugs, and what is wrong");
}

void plot_write(const char *path, const struct result *result, size_t count, bool cuda) {
  struct text svg = {0};
  if (!plot_complexity(&svg, result, count)) plot_bars(&svg, result, count, cuda);
  text_add_string(&svg, "</svg>\n");
  char *partial = file_partial(path);
  FILE *file = fopen(partial, "w");
  const bool good = file && fwrite(svg.data, 1, svg.length, file) == svg.length;
  if ((file && fclose(file) != 0) || !good || !file_settle(partial, path)) {
    const char *why = strerror(errno);
    if (strcmp(partial, path) != 0) unlink(partial);
    fail("cannot write %s: %s", path, why);
  }
  free(partial);
  free(svg.data);
}

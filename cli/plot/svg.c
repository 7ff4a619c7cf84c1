/* svg.c - a histogram as a picture that needs nothing else: no fonts, no scripts
 *
 * Method  Bars between the true edges on a linear or a logarithmic axis; up to 200 carry their
 *         figures as tool tips, more are one outline. Colours follow the viewer's light or dark
 *         setting. Several histograms are outlines over each other, of one scale, with a legend.
 * Limits  Where an edge is infinite all bins are drawn of one width. Beyond 1,200 bins neighbours
 *         are merged, since there are no more pixels than that.
 * Source  SVG 1.1; CSS media query prefers-color-scheme */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "plot.h"

enum {
  WIDTH = 760,
  HEIGHT = 400,
  LEFT = 84,
  RIGHT = 24,
  TOP = 56,
  BOTTOM = 52,
  TIPS = 200,
  FINEST = 1200
};

enum { OUTLINES = 8, LEGEND = 150, LEGEND_LINE = 18, LEGEND_NAME = 18 };

enum scale { LINEAR, LOGARITHMIC, INDEXED };

struct canvas {
  struct sink *out;
  const struct plot *p;
  size_t plots; /* p[0] and more */
  enum scale scale;
  double lo, hi, most; /* most: of the vertical axis */
  size_t group;
};

static const char style[] =
    "<style>\n"
    "  .page{fill:#ffffff}.bar{fill:#2f7f86}.grid{stroke:#d9dee3;stroke-width:1}\n"
    "  .axis{stroke:#6b7480;stroke-width:1}text{fill:#3c444d;font-family:system-ui,-apple-system,"
    "'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;font-size:12px}\n"
    "  .title{font-size:16px;font-weight:600;fill:#1d2329}.note{fill:#6b7480}\n"
    "  .end{text-anchor:end}.middle{text-anchor:middle}\n"
    "  @media (prefers-color-scheme:dark){.page{fill:#14181c}.bar{fill:#56b3ba}"
    ".grid{stroke:#2b323a}.axis{stroke:#8a949f}text{fill:#c3cad2}.title{fill:#f0f3f6}"
    ".note{fill:#8a949f}}\n"
    "</style>\n";

void plot_xml_start(struct sink *out, const char *text, size_t characters) {
  char start[4 * PLOT_START_MOST + 1];
  size_t used = 0;
  if (characters > PLOT_START_MOST) characters = PLOT_START_MOST;
  for (size_t i = 0; i < characters && text[used] != '\0'; i++) {
    uint32_t code;
    const size_t length = utf8_character(text + used, &code);
    memcpy(start + used, text + used, length == 0 ? 1 : length);
    used += length == 0 ? 1 : length;
  }
  start[used] = '\0';
  sink_xml(out, start);
  if (text[used] != '\0') sink_text(out, "\u2026");
}

/* A count with a comma before each three digits; other values as plot_value has them. */
static void grouped(char *text, size_t size, double value) {
  char plain[40];
  plot_value(plain, sizeof plain, value);
  size_t length = strlen(plain), used = 0;
  bool digits = strspn(plain, "0123456789") == length;
  for (size_t i = 0; i < length && used + 2 < size; i++) {
    if (digits && i > 0 && (length - i) % 3 == 0) text[used++] = ',';
    text[used++] = plain[i];
  }
  text[used] = '\0';
}

static double x_of(const struct canvas *c, double edge) {
  double at = c->scale == LOGARITHMIC ? log(edge / c->lo) / log(c->hi / c->lo)
                                      : (edge - c->lo) / (c->hi - c->lo);
  return LEFT + at * (WIDTH - LEFT - RIGHT);
}

static double edge_place(const struct canvas *c, size_t i) {
  if (c->scale != INDEXED) return x_of(c, c->p->edges[i]);
  return LEFT + (double)i / (double)c->p->count * (WIDTH - LEFT - RIGHT);
}

static double level(const struct canvas *c, double value) {
  return HEIGHT - BOTTOM - plot_share(value, c->most) * (HEIGHT - TOP - BOTTOM);
}

static double merged(const struct plot *p, size_t first, size_t last) {
  double sum = 0;
  if (!p->merges) return p->values[last - 1];
  for (size_t i = first; i < last; i++) sum += p->values[i];
  return p->shares ? sum / (double)(last - first) : sum;
}

static size_t group_end(const struct canvas *c, size_t first) {
  return c->p->count - first < c->group ? c->p->count : first + c->group;
}

static void prepare(struct canvas *c) {
  const struct plot *p = c->p;
  c->lo = p->edges[0];
  c->hi = p->edges[p->count];
  c->group = (p->count + FINEST - 1) / FINEST;
  c->scale = p->log ? LOGARITHMIC : LINEAR;
  if (!isfinite(c->hi - c->lo) || !(c->hi > c->lo)) c->scale = INDEXED;
  for (size_t k = 0; k < c->plots; k++)
    for (size_t i = 0; i < p->count; i = group_end(c, i))
      c->most = plot_greater(c->most, merged(&p[k], i, group_end(c, i)));
  c->most = plot_scale(p, c->most);
}

static void head(struct canvas *c) {
  struct sink *out = c->out;
  char text[40];
  sink_print(out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
             "height=\"%d\" role=\"img\">\n",
             WIDTH, HEIGHT, WIDTH, HEIGHT);
  const char *title = c->p->title ? c->p->title : "Histogram";
  sink_text(out, "<title>");
  sink_xml(out, title);
  sink_text(out, "</title>\n");
  sink_text(out, style);
  sink_print(out, "<rect class=\"page\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n", WIDTH, HEIGHT);
  if (c->p->title) {
    sink_print(out, "<text class=\"title\" x=\"%d\" y=\"26\">", LEFT);
    sink_xml(out, title);
    sink_text(out, "</text>\n");
  }
  grouped(text, sizeof text, (double)c->p->elements);
  sink_print(out, "<text class=\"note\" x=\"%d\" y=\"%d\">%s element%s%s", LEFT,
             c->p->title ? 44 : 30, text, c->p->elements == 1 ? "" : "s",
             c->plots > 1 ? " of each" : "");
  struct plot all = *c->p;
  for (size_t k = 1; k < c->plots; k++) {
    all.under += c->p[k].under;
    all.over += c->p[k].over;
    all.nan += c->p[k].nan;
    all.infinite += c->p[k].infinite;
    all.undefined += c->p[k].undefined;
  }
  const struct {
    const char *name;
    uint64_t count;
  } outside[] = {{"below", all.under},
                 {"above", all.over},
                 {"NaN", all.nan},
                 {"bins of inf", all.infinite},
                 {"bins of nan", all.undefined}};
  for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
    grouped(text, sizeof text, (double)outside[i].count);
    if (outside[i].count > 0) sink_print(out, ", %s %s", text, outside[i].name);
  }
  sink_print(out, "</text>\n<text class=\"note end\" x=\"%d\" y=\"%d\">%s</text>\n", WIDTH - RIGHT,
             c->p->title ? 44 : 30, c->p->noun);
}

static void bars(struct canvas *c) {
  const struct plot *p = c->p;
  bool tips = p->count <= TIPS;
  double gap = (WIDTH - LEFT - RIGHT) / (double)p->count > 5 ? 1 : 0;
  if (!tips) sink_print(c->out, "<path class=\"bar\" d=\"M%d %d", LEFT, HEIGHT - BOTTOM);
  for (size_t i = 0; i < p->count; i = group_end(c, i)) {
    double value = merged(p, i, group_end(c, i));
    double x = edge_place(c, i), y = level(c, value);
    double width = edge_place(c, group_end(c, i)) - x;
    if (!tips) {
      sink_print(c->out, "V%.2fH%.2f", y, x + width);
      continue;
    }
    char lo[40], hi[40], text[40];
    int digits = plot_digits(p->edges + i, 2);
    plot_edge(lo, sizeof lo, p->edges[i], digits);
    plot_edge(hi, sizeof hi, p->edges[i + 1], digits);
    grouped(text, sizeof text, value);
    sink_print(c->out,
               "<rect class=\"bar\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"><title>",
               x + gap / 2, y, width > gap ? width - gap : 0, HEIGHT - BOTTOM - y);
    if (p->whole)
      sink_print(c->out, "%s: %s</title></rect>\n", lo, text);
    else
      sink_print(c->out, "[%s, %s%s: %s</title></rect>\n", lo, hi, i + 1 == p->count ? "]" : ")",
                 text);
  }
  if (!tips) sink_print(c->out, "V%dZ\"/>\n", HEIGHT - BOTTOM);
}

/* Colours that tell from each other on light and on dark. */
static const char *const colours[OUTLINES] = {"#2f8f96", "#d1495b", "#d99a1c", "#8a63b8",
                                              "#3a86c8", "#5b8c3e", "#b5651d", "#808080"};

static void outline(struct canvas *c, size_t k) {
  struct sink *out = c->out;
  const struct plot *p = &c->p[k];
  sink_print(out,
             "<path class=\"outline\" fill=\"%s\" fill-opacity=\"0.2\" stroke=\"%s\" "
             "stroke-width=\"1.5\" d=\"M%d %d",
             colours[k % OUTLINES], colours[k % OUTLINES], LEFT, HEIGHT - BOTTOM);
  for (size_t i = 0; i < p->count; i = group_end(c, i))
    sink_print(out, "V%.2fH%.2f", level(c, merged(p, i, group_end(c, i))),
               edge_place(c, group_end(c, i)));
  sink_print(out, "V%d\"><title>", HEIGHT - BOTTOM);
  sink_xml(out, p->name);
  sink_text(out, "</title></path>\n");
}

static void legend(struct canvas *c) {
  const int x = WIDTH - RIGHT - LEGEND;
  sink_print(c->out,
             "<rect class=\"page\" fill-opacity=\"0.8\" x=\"%d\" y=\"%d\" width=\"%d\" "
             "height=\"%d\"/>\n",
             x, TOP, LEGEND, (int)c->plots * LEGEND_LINE + 4);
  for (size_t k = 0; k < c->plots; k++) {
    const int y = TOP + 4 + (int)k * LEGEND_LINE;
    sink_print(c->out,
               "<rect fill=\"%s\" x=\"%d\" y=\"%d\" width=\"12\" height=\"12\"/>"
               "<text class=\"legend\" x=\"%d\" y=\"%d\">",
               colours[k % OUTLINES], x + 4, y, x + 22, y + 10);
    plot_xml_start(c->out, c->p[k].name, LEGEND_NAME);
    sink_text(c->out, "</text>\n");
  }
}

static void value_axis(struct canvas *c) {
  struct ticks t = plot_ticks(0, c->most > 0 ? c->most : 1, 5);
  for (size_t i = 0; i < t.count; i++) {
    char text[40];
    double value = (double)i * t.step, y = c->most > 0 ? level(c, value) : HEIGHT - BOTTOM;
    grouped(text, sizeof text, value);
    if (strlen(text) > 11) (void)snprintf(text, sizeof text, "%.3g", value);
    if (i > 0)
      sink_print(c->out, "<line class=\"grid\" x1=\"%d\" y1=\"%.2f\" x2=\"%d\" y2=\"%.2f\"/>\n",
                 LEFT, y, WIDTH - RIGHT, y);
    sink_print(c->out, "<text class=\"end\" x=\"%d\" y=\"%.2f\">%s</text>\n", LEFT - 8, y + 4,
               text);
  }
}

static void tick(struct canvas *c, double x, const char *text) {
  sink_print(c->out,
             "<line class=\"axis\" x1=\"%.2f\" y1=\"%d\" x2=\"%.2f\" y2=\"%d\"/>"
             "<text class=\"middle\" x=\"%.2f\" y=\"%d\">%s</text>\n",
             x, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 5, x, HEIGHT - BOTTOM + 20, text);
}

static void power_ticks(struct canvas *c) {
  char text[80];
  double first = ceil(log10(c->lo) - 1e-9), last = floor(log10(c->hi) + 1e-9);
  double every = ceil((last - first + 1) / 10);
  for (double power = first; power <= last; power += every) {
    if (fabs(power) < 5)
      plot_edge(text, sizeof text, pow(10, power), 3);
    else
      (void)snprintf(text, sizeof text, "10<tspan dy=\"-5\" font-size=\"9\">%.0f</tspan>", power);
    tick(c, x_of(c, pow(10, power)), text);
  }
}

static void edge_axis(struct canvas *c) {
  char text[40];
  sink_print(c->out, "<line class=\"axis\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n", LEFT,
             HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM);
  if (c->scale == LOGARITHMIC && log10(c->hi / c->lo) >= 2) {
    power_ticks(c);
  } else if (c->scale == LINEAR) {
    struct ticks t = plot_ticks(c->lo, c->hi, 8);
    double both[2] = {t.first, t.first + t.step};
    int digits = plot_digits(both, 2);
    for (size_t i = 0; i < t.count; i++) {
      double at = t.first + (double)i * t.step;
      if (fabs(at) < 1e-9 * t.step) at = 0;
      plot_edge(text, sizeof text, at, digits < 6 ? 6 : digits);
      tick(c, x_of(c, at), text);
    }
  } else {
    for (size_t k = 0; k <= 4; k++) {
      size_t i = k * c->p->count / 4;
      if (k > 0 && i == (k - 1) * c->p->count / 4) continue;
      plot_edge(text, sizeof text, c->p->edges[i], 4);
      tick(c, edge_place(c, i), text);
    }
  }
}

void plot_svg_write(struct sink *out, const struct plot *p, size_t count) {
  struct canvas c = {.out = out, .p = p, .plots = count};
  prepare(&c);
  head(&c);
  value_axis(&c);
  if (count == 1) bars(&c);
  for (size_t k = 0; k < count && count > 1; k++) outline(&c, k);
  if (count > 1) legend(&c);
  edge_axis(&c);
  sink_text(out, "</svg>\n");
}

int plot_svg(const char *path, const struct plot *p, size_t count, struct failure *why) {
  struct sink out;
  if (sink_open(&out, path, why) != 0) return -1;
  plot_svg_write(&out, p, count);
  return sink_close(&out, why);
}

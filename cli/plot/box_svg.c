/* box_svg.c - box plots as a picture that needs nothing else: a line for each box, as high as there are boxes
 *
 * Limits  Of outliers the least and the greatest are drawn; the tool tip says how many there are. Labels are cut
 *         behind 16 characters. An infinity is drawn at the end of the axis.
 * Source  SVG 1.1; CSS media query prefers-color-scheme */
#include <stdio.h>
#include <string.h>

#include "box.h"

enum { WIDTH = 760, LEFT = 144, RIGHT = 24, TOP = 40, LINE = 34, BOX = 18, BOTTOM = 36, NAME = 16 };

static const char style[] =
    "<style>\n"
    "  .page{fill:#ffffff}.box{fill:#2f7f86;fill-opacity:0.35;stroke:#2f7f86}"
    ".whisker,.median{stroke:#2f7f86;stroke-width:1.5}.median{stroke-width:3}"
    ".outlier{fill:none;stroke:#2f7f86}\n"
    "  .grid{stroke:#d9dee3;stroke-width:1}text{fill:#3c444d;font-family:system-ui,-apple-system,"
    "'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;font-size:12px}\n"
    "  .title{font-size:16px;font-weight:600;fill:#1d2329}.end{text-anchor:end}"
    ".middle{text-anchor:middle}\n"
    "  @media (prefers-color-scheme:dark){.page{fill:#14181c}.box{fill:#56b3ba;stroke:#56b3ba}"
    ".whisker,.median,.outlier{stroke:#56b3ba}.grid{stroke:#2b323a}text{fill:#c3cad2}"
    ".title{fill:#f0f3f6}}\n"
    "</style>\n";

static double x_of(double value, double lo, double hi) {
  return LEFT + plot_boxes_place(value, lo, hi) * (WIDTH - LEFT - RIGHT);
}

static void tip(struct sink *out, const struct plot_box *b) {
  const struct {
    const char *name;
    double value;
  } figures[] = {{"least", b->min},     {"whisker", b->low}, {"quartile", b->q1},
                 {"median", b->median}, {"quartile", b->q3}, {"whisker", b->high},
                 {"greatest", b->max}};
  sink_text(out, "<title>");
  sink_xml(out, b->label);
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
    char text[40];
    plot_value(text, sizeof text, figures[i].value);
    sink_print(out, "%s %s %s", i == 0 ? ":" : ",", figures[i].name, text);
  }
  sink_print(out, "; %llu elements, %llu outliers</title>\n", (unsigned long long)b->count,
             (unsigned long long)b->outliers);
}

static void box(struct sink *out, const struct plot_box *b, double lo, double hi, double y) {
  const double low = x_of(b->low, lo, hi), high = x_of(b->high, lo, hi);
  const double q1 = x_of(b->q1, lo, hi), q3 = x_of(b->q3, lo, hi);
  sink_print(out, "<text class=\"end\" x=\"%d\" y=\"%.2f\">", LEFT - 12, y + 4);
  plot_xml_start(out, b->label, NAME);
  sink_text(out, "</text>\n");
  if (b->count == b->nan) return;
  sink_text(out, "<g>");
  tip(out, b);
  sink_print(out, "<path class=\"whisker\" d=\"M%.2f %.2fv8m0 -4H%.2fM%.2f %.2fH%.2fm0 -4v8\"/>",
             low, y - 4, q1, q3, y, high);
  sink_print(out,
             "<rect class=\"box\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%d\"/>"
             "<path class=\"median\" d=\"M%.2f %.2fv%d\"/>",
             q1, y - BOX / 2.0, q3 - q1, BOX, x_of(b->median, lo, hi), y - BOX / 2.0, BOX);
  const double ends[] = {b->min, b->max};
  const bool out_there[] = {b->min<b->low, b->max> b->high};
  for (size_t i = 0; i < 2; i++)
    if (out_there[i])
      sink_print(out, "<circle class=\"outlier\" cx=\"%.2f\" cy=\"%.2f\" r=\"3\"/>",
                 x_of(ends[i], lo, hi), y);
  sink_text(out, "</g>\n");
}

static void axis(struct sink *out, double lo, double hi, double bottom) {
  const struct ticks t = plot_ticks(lo, hi, 8);
  for (size_t i = 0; i < t.count; i++) {
    char text[40];
    const double at = t.first + (double)i * t.step, x = x_of(at, lo, hi);
    plot_value(text, sizeof text, at < 1e-9 * t.step && at > -1e-9 * t.step ? 0 : at);
    sink_print(out,
               "<line class=\"grid\" x1=\"%.2f\" y1=\"%d\" x2=\"%.2f\" y2=\"%.2f\"/>"
               "<text class=\"middle\" x=\"%.2f\" y=\"%.2f\">%s</text>\n",
               x, TOP, x, bottom, x, bottom + 20, text);
  }
}

void plot_boxes_write(struct sink *out, const struct box_plot *p) {
  const double bottom = TOP + (double)p->count * LINE;
  double lo = 0, hi = 1;
  (void)plot_boxes_range(p, &lo, &hi);
  sink_print(out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" width=\"%d\" "
             "height=\"%.0f\" role=\"img\">\n<title>",
             WIDTH, bottom + BOTTOM, WIDTH, bottom + BOTTOM);
  sink_xml(out, p->title ? p->title : "Box plots");
  sink_text(out, "</title>\n");
  sink_text(out, style);
  sink_print(out, "<rect class=\"page\" width=\"%d\" height=\"%.0f\" rx=\"6\"/>\n", WIDTH,
             bottom + BOTTOM);
  if (p->title) {
    sink_print(out, "<text class=\"title\" x=\"%d\" y=\"26\">", LEFT);
    sink_xml(out, p->title);
    sink_text(out, "</text>\n");
  }
  axis(out, lo, hi, bottom);
  for (size_t i = 0; i < p->count; i++)
    box(out, &p->boxes[i], lo, hi, TOP + ((double)i + 0.5) * LINE);
  sink_text(out, "</svg>\n");
}

int plot_boxes_svg(const char *path, const struct box_plot *p, struct failure *why) {
  struct sink out;
  if (sink_open(&out, path, why) != 0) return -1;
  plot_boxes_write(&out, p);
  return sink_close(&out, why);
}

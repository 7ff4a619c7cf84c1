/* show.c - one writer for each form */
#include "show.h"

#include <string.h>
#include <unistd.h>

#include "commands/command.h"
#include "commands/page.h"
#include "output/json.h"
#include "report/terminal.h"
#include "text/element.h"

enum { REALS = 7, COUNTS = 3 };
static const char *const real_names[REALS] = {"min", "whisker_low",  "q1", "median",
                                              "q3",  "whisker_high", "max"};
static const char *const count_names[COUNTS] = {"count", "nan", "outliers"};

static void figures_of(const struct plot_box *b, double reals[REALS], uint64_t counts[COUNTS]) {
  const double r[REALS] = {b->min, b->low, b->q1, b->median, b->q3, b->high, b->max};
  const uint64_t c[COUNTS] = {b->count, b->nan, b->outliers};
  memcpy(reals, r, sizeof r);
  memcpy(counts, c, sizeof c);
}

static const char *kind(const struct settings *s) { return s->key_count > 0 ? "group" : "column"; }

static void json(const struct settings *s, const struct boxes *b, struct sink *out) {
  struct json j;
  json_start(&j, out);
  json_open(&j, '[');
  for (size_t i = 0; i < b->count; i++) {
    double reals[REALS];
    uint64_t counts[COUNTS];
    figures_of(&b->of[i], reals, counts);
    json_open(&j, '{');
    json_member(&j, kind(s), b->of[i].label);
    for (size_t k = 0; k < REALS; k++) {
      json_name(&j, real_names[k]);
      json_double(&j, reals[k]);
    }
    for (size_t k = 0; k < COUNTS; k++) {
      json_name(&j, count_names[k]);
      json_u64(&j, counts[k]);
    }
    json_close(&j, '}');
  }
  json_close(&j, ']');
  json_end(&j);
}

static void csv(const struct settings *s, const struct boxes *b, struct sink *out) {
  sink_text(out, kind(s));
  for (size_t k = 0; k < REALS; k++) sink_print(out, ",%s", real_names[k]);
  for (size_t k = 0; k < COUNTS; k++) sink_print(out, ",%s", count_names[k]);
  sink_text(out, "\n");
  for (size_t i = 0; i < b->count; i++) {
    double reals[REALS];
    uint64_t counts[COUNTS];
    char text[NUMBER_TEXT];
    figures_of(&b->of[i], reals, counts);
    sink_csv(out, b->of[i].label);
    for (size_t k = 0; k < REALS; k++) {
      (void)double_text(text, reals[k]);
      sink_print(out, ",%s", text);
    }
    for (size_t k = 0; k < COUNTS; k++) sink_print(out, ",%llu", (unsigned long long)counts[k]);
    sink_text(out, "\n");
  }
}

static struct box_plot plot_of(const struct settings *s, const struct boxes *b) {
  enum { MOST_COLUMNS = 1000 };
  const bool standard = !s->output || strcmp(s->output, "-") == 0;
  struct box_plot p = {.title = s->title, .boxes = b->of, .count = b->count};
  p.width = s->plot_width > 0
                ? (size_t)(s->plot_width < MOST_COLUMNS ? s->plot_width : MOST_COLUMNS)
                : terminal_width(STDOUT_FILENO);
  p.ascii = s->ascii != 0 || !terminal_utf8() || (standard && terminal_dumb());
  p.colour = standard && !s->no_color && terminal_colour(STDOUT_FILENO);
  return p;
}

int show_boxes(const struct settings *s, const struct boxes *b, struct failure *why) {
  const struct box_plot p = plot_of(s, b);
  const bool plots = s->style == STYLE_TABLE && !s->picture;
  struct sink out;
  double lo, hi;
  if ((plots || s->svg || s->page) && !plot_boxes_range(&p, &lo, &hi))
    return fail(why, EXIT_DATA, "%s: there are no finite values to draw",
                command_file_label(s->files[0]));
  if (s->svg && plot_boxes_svg(s->svg, &p, why) != 0) return -1;
  if (s->picture) return 0;
  if (page_open(s, NULL, &out, why) != 0) return -1;
  if (s->style == STYLE_JSON) {
    json(s, b, &out);
  } else if (s->style == STYLE_CSV) {
    if (s->page) {
      page_picture(&out);
      plot_boxes_write(&out, &p);
      page_picture_end(&out);
    }
    page_table(s, &out);
    csv(s, b, &out);
  } else {
    if (p.title) {
      sink_safe(&out, p.title);
      sink_text(&out, "\n");
    }
    plot_boxes(&out, &p);
  }
  return page_close(s, &out, why);
}

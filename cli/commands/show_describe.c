/* show_describe.c - one table of figures, of which columns, members and fields are made
 *
 * Method  One table of figures, from which every form is written. One description alone stands
 *         upright, a figure a line; several lie, a description a line. */
#include "show_describe.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "output/json.h"
#include "output/sink.h"
#include "page.h"
#include "text/element.h"

enum { COUNT, NANS, INFINITE, LEAST, GREATEST, SUM, MEAN, VARIANCE, STDDEV, SKEWNESS, FIGURES };

static const char *const names[FIGURES] = {"count", "nan",  "infinite", "min",    "max",
                                           "sum",   "mean", "variance", "stddev", "skewness"};

static bool is_count(int figure) { return figure <= INFINITE; }

static uint64_t whole(const heddle_description *d, int figure) {
  return figure == COUNT ? d->count : figure == NANS ? d->nan : d->infinite;
}

static double real(const heddle_description *d, int figure) {
  switch (figure) {
  case LEAST: return d->min;
  case GREATEST: return d->max;
  case SUM: return d->sum;
  case MEAN: return d->mean;
  case VARIANCE: return d->variance;
  case STDDEV: return sqrt(d->variance);
  default: return d->skewness;
  }
}

static void figure_text(char text[NUMBER_TEXT], const heddle_description *d, int figure) {
  if (is_count(figure))
    (void)snprintf(text, NUMBER_TEXT, "%" PRIu64, whole(d, figure));
  else
    (void)double_text(text, real(d, figure));
}

static void json_row(struct json *j, const char *what, const struct description_row *row) {
  json_open(j, '{');
  if (what && row->dims > 0) {
    json_name(j, what);
    json_open(j, '[');
    for (size_t d = 0; d < row->dims; d++) json_u64(j, row->index[d]);
    json_close(j, ']');
  } else if (what) {
    json_member(j, what, row->name);
  }
  for (int f = 0; f < FIGURES; f++) {
    json_name(j, names[f]);
    if (is_count(f))
      json_u64(j, whole(&row->figures, f));
    else
      json_double(j, real(&row->figures, f));
  }
  json_close(j, '}');
}

static void csv(struct sink *out, const char *what, const struct description_row *rows,
                size_t count) {
  char text[NUMBER_TEXT];
  const size_t dims = rows[0].dims; /* there even where no row is */
  for (size_t d = 0; d < dims; d++) sink_print(out, "axis%zu,", d < rows[0].axis ? d : d + 1);
  if (what && dims == 0) sink_print(out, "%s,", what);
  for (int f = 0; f < FIGURES; f++) sink_print(out, "%s%s", names[f], f + 1 < FIGURES ? "," : "\n");
  for (size_t i = 0; i < count; i++) {
    for (size_t d = 0; d < dims; d++) sink_print(out, "%zu,", rows[i].index[d]);
    if (what && dims == 0) {
      sink_csv(out, rows[i].name);
      sink_text(out, ",");
    }
    for (int f = 0; f < FIGURES; f++) {
      figure_text(text, &rows[i].figures, f);
      sink_print(out, "%s%s", text, f + 1 < FIGURES ? "," : "\n");
    }
  }
}

static void upright(struct sink *out, const heddle_description *d) {
  char text[NUMBER_TEXT];
  for (int f = 0; f < FIGURES; f++) {
    figure_text(text, d, f);
    sink_left(out, names[f], 10);
    sink_text(out, text);
    sink_text(out, "\n");
  }
}

static void lying(struct sink *out, const char *what, const struct description_row *rows,
                  size_t count) {
  char text[NUMBER_TEXT];
  size_t widths[FIGURES];
  for (int f = 0; f < FIGURES; f++) {
    widths[f] = strlen(names[f]);
    for (size_t i = 0; i < count; i++) {
      figure_text(text, &rows[i].figures, f);
      if (strlen(text) > widths[f]) widths[f] = strlen(text);
    }
  }
  for (int f = 0; f < FIGURES; f++) {
    sink_right(out, names[f], widths[f]);
    sink_text(out, "  ");
  }
  sink_text(out, what);
  sink_text(out, "\n");
  for (size_t i = 0; i < count; i++) {
    for (int f = 0; f < FIGURES; f++) {
      figure_text(text, &rows[i].figures, f);
      sink_right(out, text, widths[f]);
      sink_text(out, "  ");
    }
    for (size_t d = 0; d < rows[i].dims; d++)
      sink_print(out, "%s%zu%s", d == 0 ? "[" : ", ", rows[i].index[d],
                 d + 1 == rows[i].dims ? "]" : "");
    if (rows[i].dims == 0) sink_safe(out, rows[i].name);
    sink_text(out, "\n");
  }
}

int show_descriptions(const struct settings *s, const char *what,
                      const struct description_row *rows, size_t count, struct failure *why) {
  struct sink out;
  if (page_open(s, NULL, &out, why) != 0) return -1;
  if (s->style == STYLE_JSON) {
    struct json j;
    json_start(&j, &out);
    if (what) json_open(&j, '[');
    for (size_t i = 0; i < count; i++) json_row(&j, what, &rows[i]);
    if (what) json_close(&j, ']');
    json_end(&j);
  } else if (s->style == STYLE_CSV) {
    page_table(s, &out);
    csv(&out, what, rows, count);
  } else if (!what) {
    upright(&out, &rows[0].figures);
  } else {
    lying(&out, what, rows, count);
  }
  return page_close(s, &out, why);
}

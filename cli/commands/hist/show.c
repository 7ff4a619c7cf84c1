/* show.c - shares and running sums derived first, then one writer for each form
 *
 * Method  "density" is value / (total * width) as numpy.histogram's; "cumulative" adds up what
 *         would be shown without it: counts, sums, or with --density shares that end at 1. */
#include "show.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands/command.h"
#include "commands/page.h"
#include "options/format.h"
#include "output/json.h"
#include "plot/plot.h"
#include "report/terminal.h"
#include "text/element.h"

/* One channel, with what --density and --cumulative derive; NULL where not asked for. */
struct table {
  const struct histogram *h;
  const uint64_t *counts;
  const double *sums;
  const heddle_histogram_result *result;
  double *density, *cumulative;
  uint64_t *running; /* --cumulative of counts */
  double total;
};

static double value(const struct table *t, size_t i) {
  return t->sums ? t->sums[i] : (double)t->counts[i];
}

static void table_free(struct table *t) {
  free(t->density);
  free(t->cumulative);
  free(t->running);
}

static int derive(const struct settings *s, struct table *t, struct failure *why) {
  size_t n = t->h->bins;
  const double *edges = t->h->edges;
  for (size_t i = 0; i < n; i++) t->total += value(t, i);
  if (s->density) {
    t->density = command_allocate(n, sizeof *t->density, "densities", why);
    if (!t->density) return -1;
    for (size_t i = 0; i < n; i++)
      t->density[i] = value(t, i) / (edges[i + 1] - edges[i]) / t->total;
  }
  if (!s->cumulative) return 0;
  if (!t->sums && !s->density) {
    t->running = command_allocate(n, sizeof *t->running, "totals", why);
    if (!t->running) return -1;
    for (size_t i = 0; i < n; i++) t->running[i] = t->counts[i] + (i > 0 ? t->running[i - 1] : 0);
    return 0;
  }
  t->cumulative = command_allocate(n, sizeof *t->cumulative, "totals", why);
  if (!t->cumulative) return -1;
  double sum = 0, scale = s->density ? t->total : 1;
  for (size_t i = 0; i < n; i++) {
    sum += value(t, i);
    t->cumulative[i] = sum / scale;
  }
  return 0;
}

static int table_open(const struct settings *s, const struct histogram *h, size_t channel,
                      struct table *t, struct failure *why) {
  memset(t, 0, sizeof *t);
  t->h = h;
  t->counts = h->counts + channel * h->bins;
  t->sums = h->weighted ? h->sums + channel * h->bins : NULL;
  t->result = &h->results[channel];
  if (derive(s, t, why) == 0) return 0;
  table_free(t);
  return -1;
}

/* What is shown: the last thing derived. */
static double shown(const struct table *t, size_t i) {
  if (t->running) return (double)t->running[i];
  if (t->cumulative) return t->cumulative[i];
  return t->density ? t->density[i] : value(t, i);
}

static void json_doubles(struct json *j, const char *name, const double *x, size_t n) {
  if (!x) return;
  json_name(j, name);
  json_open(j, '[');
  for (size_t i = 0; i < n; i++) json_double(j, x[i]);
  json_close(j, ']');
}

static void json_counts(struct json *j, const char *name, const uint64_t *x, size_t n) {
  if (!x) return;
  json_name(j, name);
  json_open(j, '[');
  for (size_t i = 0; i < n; i++) json_u64(j, x[i]);
  json_close(j, ']');
}

static void json_outside(struct json *j, const heddle_histogram_result *r) {
  const struct {
    const char *name;
    uint64_t count;
  } members[] = {{"under", r->under}, {"over", r->over}, {"nan", r->nan}, {"count", r->count}};
  for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
    json_name(j, members[i].name);
    json_u64(j, members[i].count);
  }
}

static void json_derived(struct json *j, const struct table *t) {
  size_t n = t->h->bins;
  json_doubles(j, "sums", t->sums, n);
  json_doubles(j, "density", t->density, n);
  json_doubles(j, "cumulative", t->cumulative, n);
  json_counts(j, "cumulative", t->running, n);
}

static int json(const struct settings *s, const struct histogram *h, struct sink *out,
                struct failure *why) {
  struct json j;
  struct table t;
  json_start(&j, out);
  json_open(&j, '{');
  if (h->channels > 1) {
    json_doubles(&j, "edges", h->edges, h->bins + 1);
    json_name(&j, h->columns ? "columns" : "channels");
    json_open(&j, '[');
  }
  for (size_t c = 0; c < h->channels; c++) {
    if (table_open(s, h, c, &t, why) != 0) return -1;
    if (h->channels > 1) json_open(&j, '{');
    if (h->columns) json_member(&j, "column", h->names[c]);
    json_counts(&j, "counts", t.counts, h->bins);
    if (h->channels == 1) json_doubles(&j, "edges", h->edges, h->bins + 1);
    json_outside(&j, t.result);
    json_derived(&j, &t);
    if (h->channels > 1) json_close(&j, '}');
    table_free(&t);
  }
  if (h->channels > 1) json_close(&j, ']');
  json_close(&j, '}');
  json_end(&j);
  return 0;
}

static void csv_double(struct sink *out, double x) {
  char text[NUMBER_TEXT + 1] = ",";
  sink_write(out, text, (size_t)double_text(text + 1, x) + 1);
}

static void csv_count(struct sink *out, uint64_t n) {
  char text[NUMBER_TEXT + 1] = ",";
  sink_write(out, text, (size_t)u64_text(text + 1, n) + 1);
}

static int elements(const struct settings *s, const struct histogram *h, struct failure *why) {
  struct array_sink out;
  size_t shape[2] = {h->channels, h->bins}, dims = h->channels > 1 ? 2 : 1;
  bool counts = !h->weighted && !s->density;
  if (array_open(&out, s->output, output_array_format(s->output), counts ? HEDDLE_U64 : HEDDLE_F64,
                 dims, dims == 2 ? shape : shape + 1, ARRAY_C, why) != 0)
    return -1;
  for (size_t c = 0; c < h->channels; c++) {
    struct table t;
    if (table_open(s, h, c, &t, why) != 0) {
      sink_drop(&out.sink);
      return -1;
    }
    const void *what = t.running      ? (const void *)t.running
                       : t.cumulative ? t.cumulative
                       : t.density    ? t.density
                       : t.sums       ? (const void *)t.sums
                                      : (const void *)t.counts;
    array_write(&out, what, h->bins);
    table_free(&t);
  }
  return array_close(&out, why);
}

static void fill_plot(const struct settings *s, const struct table *t, const double *values,
                      struct plot *p) {
  const struct histogram *h = t->h;
  bool standard = !s->output || strcmp(s->output, "-") == 0;
  memset(p, 0, sizeof *p);
  p->title = h->title;
  p->values = values;
  p->edges = h->edges;
  p->count = h->bins;
  p->whole = h->whole;
  p->log = h->log;
  p->merges = !s->cumulative;
  p->shares = s->density != 0;
  p->total = s->cumulative ? t->total : 0;
  for (size_t i = 0; i < h->bins && !s->cumulative; i++) p->total += values[i];
  for (size_t i = 0; i < h->bins; i++) {
    p->infinite += isinf(values[i]) != 0;
    p->undefined += isnan(values[i]) != 0;
  }
  p->noun = s->density ? (s->cumulative ? "share" : "density") : h->weighted ? "sum" : "count";
  p->elements = t->result->count;
  p->under = t->result->under;
  p->over = t->result->over;
  p->nan = t->result->nan;
  p->width = s->plot_width > 0 ? (size_t)(s->plot_width < 1000 ? s->plot_width : 1000)
                               : terminal_width(STDOUT_FILENO);
  p->ascii = s->ascii != 0 || !terminal_utf8() || (standard && terminal_dumb());
  p->colour = standard && !s->no_color && terminal_colour(STDOUT_FILENO);
}

/* Of each channel or column; their values are freed by the caller. */
static int fill_plots(const struct settings *s, const struct histogram *h, double *values,
                      struct plot *plots, struct failure *why) {
  for (size_t c = 0; c < h->channels; c++, values += h->bins) {
    struct table t;
    if (table_open(s, h, c, &t, why) != 0) return -1;
    for (size_t i = 0; i < h->bins; i++) values[i] = shown(&t, i);
    fill_plot(s, &t, values, &plots[c]);
    plots[c].name = h->columns ? h->names[c] : NULL;
    table_free(&t);
  }
  return 0;
}

static void plot_title(struct sink *out, const struct plot *p) {
  if (!p->title) return;
  sink_safe(out, p->title);
  sink_text(out, "\n");
}

/* With a name in front, or NULL. */
static void figures(struct sink *out, const struct plot *p, const char *name) {
  char parts[PLOT_FIGURES][PLOT_PART];
  if (name) {
    sink_safe(out, name);
    sink_text(out, ": ");
  }
  const size_t used = name ? terminal_columns(name) + 2 : 0;
  plot_joined(out, p->width > used ? p->width - used : 1, parts, plot_figures(p, parts));
}

/* Columns whose bars fit beside each other are; others, and channels, come one after the other. */
static void text(struct sink *out, const struct histogram *h, const struct plot *plots) {
  if (h->columns && plot_beside(plots, h->channels)) {
    plot_title(out, plots);
    plot_bars(out, plots, h->channels);
    for (size_t c = 0; c < h->channels; c++) figures(out, &plots[c], plots[c].name);
    return;
  }
  for (size_t c = 0; c < h->channels; c++) {
    if (c > 0) sink_text(out, "\n");
    if (h->channels > 1 && !h->columns) sink_print(out, "channel %zu\n", c + 1);
    plot_title(out, &plots[c]);
    if (h->columns) {
      sink_safe(out, plots[c].name);
      sink_text(out, "\n");
    }
    if (h->bins <= PLOT_BARS_MOST)
      plot_bars(out, &plots[c], 1);
    else
      plot_columns(out, &plots[c]);
    figures(out, &plots[c], NULL);
  }
}

/* Channels have no names to tell their outlines by: a picture each. */
static void pictures(struct sink *out, const struct histogram *h, const struct plot *plots) {
  page_picture(out);
  for (size_t c = 0; c < (h->columns ? 1 : h->channels); c++)
    plot_svg_write(out, &plots[c], h->columns ? h->channels : 1);
  page_picture_end(out);
}

/* Into a page that is open, as text, or as --svg. out NULL: that alone. */
static int draw(const struct settings *s, const struct histogram *h, struct sink *out,
                struct failure *why) {
  struct plot plots[HIST_TABLES];
  double *values = command_allocate(h->bins * h->channels, sizeof *values, "values", why);
  int status = values ? fill_plots(s, h, values, plots, why) : -1;
  if (status == 0 && s->svg && !(out && s->page))
    status = plot_svg(s->svg, plots, h->channels, why);
  if (status == 0 && out && s->page) pictures(out, h, plots);
  if (status == 0 && out && !s->page) text(out, h, plots);
  free(values);
  return status;
}

static int csv(const struct settings *s, const struct histogram *h, struct sink *out,
               struct failure *why) {
  struct table t;
  if (s->page && draw(s, h, out, why) != 0) return -1;
  page_table(s, out);
  sink_print(out, "%slo,hi,count%s%s%s\n",
             h->columns        ? "column,"
             : h->channels > 1 ? "channel,"
                               : "",
             h->weighted ? ",sum" : "", s->density ? ",density" : "",
             s->cumulative ? ",cumulative" : "");
  for (size_t c = 0; c < h->channels; c++) {
    if (table_open(s, h, c, &t, why) != 0) return -1;
    char lo[NUMBER_TEXT], hi[NUMBER_TEXT]; /* each edge is made once */
    double_text(hi, h->edges[0]);
    for (size_t i = 0; i < h->bins; i++) {
      memcpy(lo, hi, sizeof lo);
      double_text(hi, h->edges[i + 1]);
      if (h->columns) {
        sink_csv(out, h->names[c]);
        sink_text(out, ",");
      } else if (h->channels > 1) {
        sink_print(out, "%zu,", c + 1);
      }
      sink_text(out, lo);
      sink_text(out, ",");
      sink_text(out, hi);
      csv_count(out, t.counts[i]);
      if (t.sums) csv_double(out, t.sums[i]);
      if (t.density) csv_double(out, t.density[i]);
      if (t.cumulative) csv_double(out, t.cumulative[i]);
      if (t.running) csv_count(out, t.running[i]);
      sink_text(out, "\n");
    }
    table_free(&t);
  }
  return 0;
}

int show_histogram(const struct settings *s, const struct histogram *h, struct failure *why) {
  struct sink out;
  bool array = output_array_format(s->output) != ARRAY_TEXT;
  bool plots = s->style == STYLE_TABLE && !array && !s->picture;
  if (!plots && s->svg && draw(s, h, NULL, why) != 0) return -1;
  if (s->picture) return 0;
  if (array) return elements(s, h, why);
  if (page_open(s, NULL, &out, why) != 0) return -1;
  int status = s->style == STYLE_JSON  ? json(s, h, &out, why)
               : s->style == STYLE_CSV ? csv(s, h, &out, why)
                                       : draw(s, h, &out, why);
  if (status == 0) return page_close(s, &out, why);
  sink_drop(&out);
  return -1;
}

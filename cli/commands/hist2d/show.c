/* show.c - one writer for each form
 *
 * Method  "density" is count / (total * area) as numpy.histogram2d's. */
#include "show.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands/command.h"
#include "commands/page.h"
#include "options/format.h"
#include "output/json.h"
#include "plot/heat.h"
#include "report/terminal.h"
#include "text/element.h"

static size_t all_bins(const struct grid *g) { return g->bins[0].count * g->bins[1].count; }

static uint64_t counted(const struct grid *g) {
  uint64_t total = 0;
  for (size_t i = 0; i < all_bins(g); i++) total += g->counts[i];
  return total;
}

/* Counts or densities, to be freed. */
static double *values(const struct settings *s, const struct grid *g, struct failure *why) {
  const double total = (double)counted(g);
  double *made = command_allocate(all_bins(g), sizeof *made, "values", why);
  for (size_t x = 0, i = 0; made && x < g->bins[0].count; x++)
    for (size_t y = 0; y < g->bins[1].count; y++, i++) {
      made[i] = (double)g->counts[i];
      if (!s->density) continue;
      made[i] =
          made[i] / (g->edges[0][x + 1] - g->edges[0][x]) / (g->edges[1][y + 1] - g->edges[1][y]);
      made[i] = total > 0 ? made[i] / total : 0;
    }
  return made;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_edges(struct json *j, const char *name, const double *edges, size_t count) {
  json_name(j, name);
  json_open(j, '[');
  for (size_t i = 0; i < count; i++) json_double(j, edges[i]);
  json_close(j, ']');
}

static void json_outside(struct json *j, const char *name, const heddle_histogram_result *r) {
  const struct {
    const char *name;
    uint64_t count;
  } members[] = {{"under", r->under}, {"over", r->over}, {"nan", r->nan}};
  json_name(j, name);
  json_open(j, '{');
  for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
    json_name(j, members[i].name);
    json_u64(j, members[i].count);
  }
  json_close(j, '}');
}

/* A list for each bin of x. */
static void json_table(struct json *j, const char *name, const struct grid *g,
                       const double *densities) {
  json_name(j, name);
  json_open(j, '[');
  for (size_t x = 0, i = 0; x < g->bins[0].count; x++) {
    json_open(j, '[');
    for (size_t y = 0; y < g->bins[1].count; y++, i++) {
      if (densities)
        json_double(j, densities[i]);
      else
        json_u64(j, g->counts[i]);
    }
    json_close(j, ']');
  }
  json_close(j, ']');
}

static void json(const struct settings *s, const struct grid *g, const double *shown,
                 struct sink *out) {
  struct json j;
  json_start(&j, out);
  json_open(&j, '{');
  json_table(&j, "counts", g, NULL);
  if (s->density) json_table(&j, "density", g, shown);
  json_edges(&j, "x_edges", g->edges[0], g->bins[0].count + 1);
  json_edges(&j, "y_edges", g->edges[1], g->bins[1].count + 1);
  json_outside(&j, "x", &g->results[0]);
  json_outside(&j, "y", &g->results[1]);
  json_name(&j, "count");
  json_u64(&j, g->points);
  json_close(&j, '}');
  json_end(&j);
}

/* ---- CSV, arrays ----------------------------------------------------------------------------- */

static void csv_number(struct sink *out, double x) {
  char text[NUMBER_TEXT + 1];
  const size_t length = (size_t)double_text(text, x);
  text[length] = ',';
  sink_write(out, text, length + 1);
}

static void csv(const struct settings *s, const struct grid *g, const double *shown,
                struct sink *out) {
  char text[NUMBER_TEXT];
  sink_print(out, "x_lo,x_hi,y_lo,y_hi,count%s\n", s->density ? ",density" : "");
  for (size_t x = 0, i = 0; x < g->bins[0].count; x++)
    for (size_t y = 0; y < g->bins[1].count; y++, i++) {
      csv_number(out, g->edges[0][x]);
      csv_number(out, g->edges[0][x + 1]);
      csv_number(out, g->edges[1][y]);
      csv_number(out, g->edges[1][y + 1]);
      sink_write(out, text, (size_t)u64_text(text, g->counts[i]));
      if (s->density) {
        sink_text(out, ",");
        sink_write(out, text, (size_t)double_text(text, shown[i]));
      }
      sink_text(out, "\n");
    }
}

static int elements(const struct settings *s, const struct grid *g, const double *shown,
                    struct failure *why) {
  struct array_sink out;
  const size_t shape[AXES] = {g->bins[0].count, g->bins[1].count};
  if (array_open(&out, s->output, output_array_format(s->output),
                 s->density ? HEDDLE_F64 : HEDDLE_U64, AXES, shape, ARRAY_C, why) != 0)
    return -1;
  array_write(&out, s->density ? (const void *)shown : g->counts, all_bins(g));
  return array_close(&out, why);
}

/* ---- the map --------------------------------------------------------------------------------- */

static struct heat heat_of(const struct settings *s, const struct grid *g, const double *shown) {
  const bool standard = !s->output || strcmp(s->output, "-") == 0;
  const struct heat h = {
      .title = s->title,
      .names = {g->names[0], g->names[1]},
      .edges = {g->edges[0], g->edges[1]},
      .bins = {g->bins[0].count, g->bins[1].count},
      .values = shown,
      .shares = s->density != 0,
      .noun = s->density ? "density" : "count",
      .points = g->points,
      .outside = g->points - counted(g),
      .width = s->plot_width > 0 ? (size_t)(s->plot_width < 1000 ? s->plot_width : 1000)
                                 : terminal_width(STDOUT_FILENO),
      .ascii = s->ascii != 0 || !terminal_utf8() || (standard && terminal_dumb()),
      .colour = standard && !s->no_color && !s->ascii && terminal_utf8() &&
                terminal_colour(STDOUT_FILENO)};
  return h;
}

static int show(const struct settings *s, const struct grid *g, const double *shown,
                struct failure *why) {
  const struct heat h = heat_of(s, g, shown);
  struct sink out;
  if (s->svg && heat_svg(s->svg, &h, why) != 0) return -1;
  if (s->picture) return 0;
  if (output_array_format(s->output) != ARRAY_TEXT) return elements(s, g, shown, why);
  if (page_open(s, NULL, &out, why) != 0) return -1;
  if (s->style == STYLE_JSON) {
    json(s, g, shown, &out);
  } else if (s->style == STYLE_CSV) {
    if (s->page) {
      page_picture(&out);
      heat_svg_write(&out, &h);
      page_picture_end(&out);
    }
    page_table(s, &out);
    csv(s, g, shown, &out);
  } else {
    if (s->title) {
      sink_safe(&out, s->title);
      sink_text(&out, "\n");
    }
    heat_map(&out, &h);
  }
  return page_close(s, &out, why);
}

int show_grid(const struct settings *s, const struct grid *g, struct failure *why) {
  double *shown = values(s, g, why);
  const int status = shown ? show(s, g, shown, why) : -1;
  free(shown);
  return status;
}

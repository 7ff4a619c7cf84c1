/* show.c - one writer for each form
 *
 * Method  The plot is a histogram of shares: in the terminal of as many equal bins as there are columns, each as high
 *         as the share at or below its upper edge; as SVG of a bin a step.
 * Limits  Infinities have no place on an axis: shares begin above 0 or end below 1 for them. */
#include "show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands/command.h"
#include "commands/page.h"
#include "output/json.h"
#include "plot/plot.h"
#include "report/terminal.h"
#include "text/element.h"

enum { MARGIN = 11, MOST_COLUMNS = 1000 };

static void json(const struct steps *steps, struct sink *out) {
  struct json j;
  json_start(&j, out);
  json_open(&j, '{');
  json_name(&j, "values");
  json_open(&j, '[');
  for (size_t i = 0; i < steps->count; i++) json_double(&j, steps->values[i]);
  json_close(&j, ']');
  json_name(&j, "shares");
  json_open(&j, '[');
  for (size_t i = 0; i < steps->count; i++) json_double(&j, steps_share(steps, i));
  json_close(&j, ']');
  json_name(&j, "ranks");
  json_open(&j, '[');
  for (size_t i = 0; i < steps->count; i++) json_u64(&j, steps->ranks[i]);
  json_close(&j, ']');
  json_name(&j, "nan");
  json_u64(&j, steps->nan);
  json_name(&j, "count");
  json_u64(&j, steps->elements);
  json_close(&j, '}');
  json_end(&j);
}

static void csv(const struct steps *steps, struct sink *out) {
  char text[NUMBER_TEXT];
  sink_text(out, "value,share,rank\n");
  for (size_t i = 0; i < steps->count; i++) {
    (void)double_text(text, steps->values[i]);
    sink_text(out, text);
    (void)double_text(text, steps_share(steps, i));
    sink_print(out, ",%s,%llu\n", text, (unsigned long long)steps->ranks[i]);
  }
}

/* ---- drawing --------------------------------------------------------------------------------- */

/* The steps at finite values: first <= i < last. */
struct part {
  size_t first, last;
};

static struct part finite_part(const struct steps *s) {
  struct part p = {0, s->count};
  while (p.first < p.last && isinf(s->values[p.first])) p.first++;
  while (p.last > p.first && isinf(s->values[p.last - 1])) p.last--;
  return p;
}

static void fill(const struct settings *s, const struct steps *steps, struct plot *p) {
  const bool standard = !s->output || strcmp(s->output, "-") == 0;
  memset(p, 0, sizeof *p);
  p->title = s->title;
  p->shares = true;
  p->noun = "share at or below";
  p->elements = steps->elements;
  p->nan = steps->nan;
  p->width = s->plot_width > 0
                 ? (size_t)(s->plot_width < MOST_COLUMNS ? s->plot_width : MOST_COLUMNS)
                 : terminal_width(STDOUT_FILENO);
  p->ascii = s->ascii != 0 || !terminal_utf8() || (standard && terminal_dumb());
  p->colour = standard && !s->no_color && terminal_colour(STDOUT_FILENO);
}

/* A bin from each value to the next, and one behind the last so that it shows. */
static size_t bins_of_steps(const struct steps *s, const struct part *f, double *values,
                            double *edges) {
  const size_t count = f->last - f->first;
  for (size_t i = 0; i < count; i++) {
    edges[i] = s->values[f->first + i];
    values[i] = steps_share(s, f->first + i);
  }
  const double last = edges[count - 1], range = last - edges[0];
  const double beyond = range > 0 ? last + range / 50 : last + fmax(fabs(last) / 50, 1);
  edges[count] = beyond;
  return count;
}

/* Equal bins, of the share at or below the upper edge of each. */
static size_t bins_of_columns(const struct steps *s, const struct part *f, size_t count,
                              double *values, double *edges) {
  double lo = s->values[f->first], hi = s->values[f->last - 1];
  size_t at = f->first; /* steps at or below the edge */
  if (lo == hi) {
    lo -= fmax(fabs(lo) / 50, 1);
    hi += fmax(fabs(hi) / 50, 1);
  }
  for (size_t i = 0; i <= count; i++) {
    const double t = (double)i / (double)count;
    edges[i] = i == count ? hi : lo * (1 - t) + hi * t;
    while (at < f->last && s->values[at] <= edges[i]) at++;
    if (i > 0) values[i - 1] = at > 0 ? steps_share(s, at - 1) : 0;
  }
  return count;
}

/* out NULL: only the picture. */
static int draw(const struct settings *s, const struct steps *steps, struct sink *out,
                struct failure *why) {
  const struct part finite = finite_part(steps);
  const size_t room = (steps->count > MOST_COLUMNS ? steps->count : MOST_COLUMNS) + 1;
  struct plot p;
  fill(s, steps, &p);
  if (finite.first == finite.last)
    return fail(why, EXIT_DATA, "%s: all values are infinite, so that there is nothing to draw",
                command_file_label(s->files[0]));
  double *values = command_allocate(room, 2 * sizeof *values, "a plot", why);
  if (!values) return -1;
  double *const edges = values + room;
  int status = 0;
  p.values = values;
  p.edges = edges;
  if (s->svg || (out && s->page)) {
    p.count = bins_of_steps(steps, &finite, values, edges);
    if (out && s->page) {
      page_picture(out);
      plot_svg_write(out, &p, 1);
      page_picture_end(out);
    } else {
      status = plot_svg(s->svg, &p, 1, why);
    }
  }
  if (status == 0 && out && !s->page) {
    char parts[PLOT_FIGURES][PLOT_PART];
    p.count =
        bins_of_columns(steps, &finite, p.width > MARGIN + 1 ? p.width - MARGIN : 1, values, edges);
    if (p.title) {
      sink_safe(out, p.title);
      sink_text(out, "\n");
    }
    plot_columns(out, &p);
    plot_joined(out, p.width, parts, plot_figures(&p, parts));
  }
  free(values);
  return status;
}

int show_steps(const struct settings *s, const struct steps *steps, struct failure *why) {
  const bool plots = s->style == STYLE_TABLE && !s->picture;
  struct sink out;
  if (!plots && s->svg && draw(s, steps, NULL, why) != 0) return -1;
  if (s->picture) return 0;
  if (page_open(s, NULL, &out, why) != 0) return -1;
  int status = s->page ? draw(s, steps, &out, why) : 0;
  if (status == 0) page_table(s, &out);
  if (s->style == STYLE_JSON)
    json(steps, &out);
  else if (s->style == STYLE_CSV)
    csv(steps, &out);
  else
    status = draw(s, steps, &out, why);
  if (status == 0) return page_close(s, &out, why);
  sink_drop(&out);
  return -1;
}

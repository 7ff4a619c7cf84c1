/* report.c - the page from top to bottom, into a file that is renamed when it is whole */
#include "report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json/value.h"
#include "base/text.h"
#include "failure.h"
#include "paths.h"
#include "pictures.h"
#include "report/html/html_source.h"
#include "report_parts.h"
#include "run/figures.h"

static const char *const outcome_names[OUTCOMES] = {"right", "caught", "needs check", "wrong"};

static bool first_of_family(const struct result *result, size_t i) {
  return i == 0 || strcmp(result[i].rung->family, result[i - 1].rung->family) != 0;
}

/* ---- the table ------------------------------------------------------------------------------ */

static double said(const struct result *r, const char *name) {
  return json_number(&r->json, name, (double)NAN);
}

static double sum(double a, double b) { return isnan(a) ? b : isnan(b) ? a : a + b; }

static void put_counts(FILE *out, const struct result *r) {
  html_count(out, "steps", said(r, "steps"));
  html_count(out, "work", said(r, "work"));
  html_count(out, "words", sum(said(r, "reads"), said(r, "writes")));
  html_count(out, "barriers", r->barriers >= 0 ? r->barriers : (double)NAN);
  html_count(out, "atomics", sum(said(r, "atomics"), said(r, "shared_atomics")));
}

static void put_figures(FILE *out, const struct result *r) {
  struct figures f;
  figures_of(r, &f);
  const double sectors = figures_sectors(&f), degree = figures_degree(&f);
  html_percent(out, "efficiency", figures_efficiency(&f), figures_efficiency(&f) < 0.5);
  html_count(out, "sectors", f.requests > 0 ? f.sectors : (double)NAN);
  html_figure(out, "sectors-a-request", sectors, "%.1f", (sectors - 1) / 31,
              sectors > 2 * figures_ideal(&f));
  html_figure(out, "ideal", figures_ideal(&f), "%.1f", -1, false);
  html_figure(out, "degree", degree, "%.1f", (degree - 1) / 31, degree > 1.5);
  html_count(out, "degree-worst", f.shared_requests > 0 ? f.degree_worst : (double)NAN);
  html_count(out, "most-at-one", f.atomics > 0 ? f.most_at_one : (double)NAN);
}

static void put_table_head(FILE *out, const char *family) {
  static const char *const columns[] = {"steps",   "work",           "words",     "barriers",
                                        "atomics", "efficiency",     "sectors",   "a request",
                                        "ideal",   "bank conflicts", "the worst", "at one address"};
  fprintf(out, "<h3>%s</h3>\n<div class=\"wide\"><table>\n<thead><tr>", family);
  fputs("<th scope=\"col\" class=\"text\">rung</th><th scope=\"col\" class=\"text\">outcome</th>",
        out);
  for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
    fprintf(out, "<th scope=\"col\">%s</th>", columns[i]);
  fputs("</tr></thead>\n<tbody>\n", out);
}

static const char *tone(const struct result *r) {
  return r->outcome == OUTCOME_WRONG ? "wrong" : "right";
}

static void put_row(FILE *out, const struct result *r) {
  fprintf(
      out,
      "<tr data-rung=\"%s/%s\"><th scope=\"row\" class=\"text\"><a href=\"#%s-%.2s-rung\">%.2s ",
      r->rung->family, r->rung->name, r->rung->family, r->rung->name, r->rung->name);
  html_text(out, r->rung->title);
  fprintf(out, "</a></th><td class=\"text %s\" data-figure=\"outcome\">%s</td>", tone(r),
          outcome_names[r->outcome]);
  put_counts(out, r);
  put_figures(out, r);
  fputs("</tr>\n", out);
}

static void put_tables(FILE *out, const struct result *result, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (first_of_family(result, i)) put_table_head(out, result[i].rung->family);
    put_row(out, &result[i]);
    if (i + 1 == count || first_of_family(result, i + 1)) fputs("</tbody>\n</table></div>\n", out);
  }
}

/* ---- a rung --------------------------------------------------------------------------------- */

static void put_picture(FILE *out, const struct result *r, const char *scratch) {
  size_t bytes = 0;
  char *path = picture_made(r, scratch), *data = path ? file_read(path, &bytes) : NULL;
  if (data) {
    char *describe = text_format("what %s draws", r->rung->name);
    fputs("<p>", out);
    html_image(out, "image/png", data, bytes, describe);
    fputs("</p>\n", out);
    free(describe);
  }
  free(data);
  free(path);
}

static void put_rung(FILE *out, const struct result *r, const char *scratch) {
  size_t bytes = 0;
  char *source = file_read(r->rung->path, &bytes);
  fprintf(out, "<section id=\"%s-%.2s-rung\" data-rung=\"%s/%s\">\n<h3>%s %.2s: ", r->rung->family,
          r->rung->name, r->rung->family, r->rung->name, r->rung->family, r->rung->name);
  html_text(out, r->rung->title);
  fprintf(out, "</h3>\n<p class=\"%s\">%s%s", tone(r), outcome_names[r->outcome],
          *r->says ? ": " : "");
  html_text(out, r->says);
  fputs("</p>\n", out);
  const unsigned lines = report_idea(out, source ? source : "");
  put_picture(out, r, scratch);
  report_findings(out, r);
  if (source) report_source(out, r, source, bytes, lines);
  fputs("</section>\n", out);
  free(source);
}

/* ---- the page ------------------------------------------------------------------------------- */

static void put_head(FILE *out, const struct result *result, size_t count) {
  size_t of[OUTCOMES] = {0};
  for (size_t i = 0; i < count; i++) of[result[i].outcome]++;
  fputs(
      "<h1>The ladder</h1>\n<p>Data-parallel algorithms, rung by rung: small CUDA C programs that "
      "each show one idea, run on the software device, which counts what they do. Every result "
      "was verified; planted bugs were to be caught.</p>\n",
      out);
  fprintf(out, "<p id=\"outcomes\">%zu right, %zu caught, ", of[OUTCOME_RIGHT], of[OUTCOME_CAUGHT]);
  if (of[OUTCOME_NEEDS_CHECK]) fprintf(out, "%zu need check, ", of[OUTCOME_NEEDS_CHECK]);
  fprintf(out, "%zu wrong</p>\n", of[OUTCOME_WRONG]);
  fputs(
      "<p class=\"soft\">Steps, work, words and atomics are those that the rung itself counts; the "
      "columns behind them are the profiler's, estimates at the level of the source. What they "
      "mean stands at the end.</p>\n",
      out);
}

void report_write(const char *path, const struct result *result, size_t count,
                  const char *scratch) {
  char *partial = file_partial(path);
  FILE *out = fopen(partial, "wb");
  if (!out) fail("cannot write %s: %s", path, strerror(errno));
  html_begin(out, "The ladder");
  put_head(out, result, count);
  put_tables(out, result, count);
  for (size_t i = 0; i < count; i++) {
    if (first_of_family(result, i)) fprintf(out, "<h2>%s</h2>\n", result[i].rung->family);
    put_rung(out, &result[i], scratch);
  }
  fputs("<h2>What the figures are</h2>\n", out);
  html_legend(out);
  html_end(out);
  const bool good = !ferror(out);
  if (fclose(out) != 0 || !good || !file_settle(partial, path)) {
    const char *why = strerror(errno);
    if (strcmp(partial, path) != 0) unlink(partial);
    fail("cannot write %s: %s", path, why);
  }
  free(partial);
}

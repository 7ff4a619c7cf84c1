/* report_source.c - findings with links; then a table a file whose lines have figures */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/value.h"
#include "base/string_list.h"
#include "base/text.h"
#include "paths.h"
#include "report/html/html_source.h"
#include "report_parts.h"
#include "run/check.h"
#include "run/figures.h"

enum { MOST_LINES = 64, GAP = 10 };

static const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* ---- findings ------------------------------------------------------------------------------- */

static void put_coordinates(FILE *out, const struct json_value *at, const char *name) {
  const struct json_value *v = json_find(at, name);
  if (!v || v->kind != JSON_LIST || v->count != 3) return;
  fprintf(out, ", %s (%.0f,%.0f,%.0f)", name, v->item[0].number, v->item[1].number,
          v->item[2].number);
}

static void put_location(FILE *out, const struct result *r, const struct json_value *at) {
  const char *file = file_name(json_string(at, "file", ""));
  const double line = json_number(at, "line", 0);
  const bool own = strcmp(file, file_name(r->rung->path)) == 0;
  fputs("<li>", out);
  html_text(out, json_string(at, "access", ""));
  if (own)
    fprintf(out, " on <a href=\"#%s-%.2s-%.0f\">line %.0f</a>", r->rung->family, r->rung->name,
            line, line);
  else if (*file) {
    fputs(" in ", out);
    html_text(out, file);
    fprintf(out, ":%.0f", line);
  }
  put_coordinates(out, at, "block");
  put_coordinates(out, at, "thread");
  fputs("</li>\n", out);
}

static void put_words(FILE *out, const struct result *r, const char *text) {
  char *words = text_format("%s", text);
  shorten_paths(words, r->rung);
  html_text(out, words);
  free(words);
}

static void put_text(FILE *out, const struct result *r, const char *text) {
  if (!*text) return;
  fputs("<p>", out);
  put_words(out, r, text);
  fputs("</p>\n", out);
}

void report_findings(FILE *out, const struct result *r) {
  const size_t count = check_count(r);
  if (!r->check.asked) return;
  if (count == 0) fputs("<p class=\"right\">The checker finds nothing.</p>\n", out);
  for (size_t i = 0; i < count; i++) {
    const struct json_value *f = check_finding(r, i), *places = json_find(f, "places");
    fputs("<div class=\"finding\" data-class=\"", out);
    html_text(out, json_string(f, "class", ""));
    fputs("\"><h4>The checker: ", out);
    put_words(out, r, json_string(f, "summary", json_string(f, "class", "")));
    fputs("</h4>\n", out);
    put_text(out, r, json_string(f, "text", ""));
    fputs("<ul>\n", out);
    for (size_t k = 0; places && k < places->count; k++) put_location(out, r, &places->item[k]);
    fputs("</ul>\n", out);
    put_text(out, r, json_string(f, "advice", ""));
    fputs("</div>\n", out);
  }
}

/* ---- source --------------------------------------------------------------------------------- */

static double positive(double value) { return value > 0 ? value : (double)NAN; }

static struct html_line line_of(const struct line_figures *l, double all) {
  return (struct html_line){
      .line = l->line,
      .share = l->f.issues > 0 && all > 0 ? l->f.issues / all : (double)NAN,
      .executions = l->f.executions,
      .efficiency = figures_efficiency(&l->f),
      .sectors = figures_sectors(&l->f),
      .ideal = figures_ideal(&l->f),
      .degree = figures_degree(&l->f),
      .degree_worst = positive(l->f.degree_worst),
      .contention = figures_contention(&l->f),
      .contention_worst = positive(l->f.contention_worst),
      .barriers = l->f.barriers,
  };
}

/* The lines of all findings, to stand out. */
static size_t marked_lines(const struct result *r, unsigned *lines) {
  size_t count = 0;
  bool others = false;
  for (size_t i = 0; i < check_count(r) && count < MOST_LINES; i++)
    count += check_lines(r, check_finding(r, i), lines + count, MOST_LINES - count, &others);
  return count;
}

static void put_table(FILE *out, const struct result *r, const char *path,
                      struct html_source *source) {
  struct figures all;
  struct line_figures *lines = figures_lines(r, path, &source->count);
  struct html_line *rows = text_grow(NULL, (source->count + 1) * sizeof *rows);
  figures_of(r, &all);
  for (size_t i = 0; i < source->count; i++) rows[i] = line_of(&lines[i], all.issues);
  source->lines = rows;
  source->caption = file_name(path);
  html_source(out, source);
  free(rows);
  free(lines);
}

static void put_header(FILE *out, const struct result *r, const char *path, size_t number) {
  struct html_source s = {.gap = GAP};
  size_t bytes = 0, count = 0;
  char *text = file_read(path, &bytes);
  struct line_figures *lines = figures_lines(r, path, &count);
  char *id = text_format("%s-%.2s-f%zu", r->rung->family, r->rung->name, number);
  if (count) {
    s.id = id;
    s.text = text;
    s.bytes = bytes;
    s.first = lines[0].line > 3 ? lines[0].line - 3 : 1;
    s.last = lines[count - 1].line + 2;
    put_table(out, r, path, &s);
  }
  free(id);
  free(lines);
  free(text);
}

void report_source(FILE *out, const struct result *r, const char *source, size_t bytes,
                   unsigned from) {
  unsigned marked[MOST_LINES];
  struct string_list files = {0};
  char *id = text_format("%s-%.2s", r->rung->family, r->rung->name);
  struct html_source s = {.id = id,
                          .text = source,
                          .bytes = bytes,
                          .first = from + 1,
                          .marked = marked,
                          .marked_count = marked_lines(r, marked)};
  put_table(out, r, r->rung->path, &s);
  figures_files(r, &files);
  for (size_t i = 1; i < files.count; i++) put_header(out, r, files.all[i], i);
  string_list_free(&files);
  free(id);
}

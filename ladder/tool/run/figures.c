/* figures.c - sums over the kernels and lines of the JSON that heddle-profile writes */
#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/value.h"
#include "base/string_list.h"
#include "base/text.h"

static double most(double a, double b) { return a > b ? a : b; }

/* A line or a kernel of the report; null members count nothing. */
static void add(struct figures *f, const struct json_value *v) {
  const struct json_value *global = json_find(v, "global"), *shared = json_find(v, "shared");
  const struct json_value *atomics = json_find(v, "atomics");
  const struct json_value *occupancy = json_find(v, "occupancy");
  const double requests = json_number(atomics, "requests", 0);
  f->issues += json_number(v, "issues", 0);
  f->lanes += json_number(v, "lanes", 0);
  f->steps += json_number(v, "steps", 0);
  f->work += json_number(v, "work", 0);
  f->executions += json_number(v, "executions", 0);
  f->requests += json_number(global, "requests", 0);
  f->sectors += json_number(global, "sectors", 0);
  f->ideal += json_number(global, "ideal", 0);
  f->shared_requests += json_number(shared, "requests", 0);
  f->turns += json_number(shared, "turns", 0);
  f->degree_worst = most(f->degree_worst, json_number(shared, "worst", 0));
  f->atomics += requests;
  f->contention += requests * json_number(atomics, "contention", 0);
  f->contention_worst = most(f->contention_worst, json_number(atomics, "worst", 0));
  f->most_at_one = most(f->most_at_one, json_number(atomics, "most_at_one_address", 0));
  f->barriers += json_number(v, "barriers", 0);
  const double percent = json_number(occupancy, "percent", f->occupancy);
  if (f->occupancy == 0 || percent < f->occupancy) f->occupancy = percent;
}

static const struct json_value *kernels_of(const struct result *r) {
  return json_find(&r->profile.report, "kernels");
}

bool figures_of(const struct result *r, struct figures *f) {
  const struct json_value *kernels = kernels_of(r);
  *f = (struct figures){0};
  for (size_t i = 0; kernels && i < kernels->count; i++) add(f, &kernels->item[i]);
  return kernels;
}

static double quotient(double a, double b) { return b > 0 ? a / b : (double)NAN; }

double figures_efficiency(const struct figures *f) { return quotient(f->lanes, 32 * f->issues); }
double figures_sectors(const struct figures *f) { return quotient(f->sectors, f->requests); }
double figures_ideal(const struct figures *f) { return quotient(f->ideal, f->requests); }
double figures_degree(const struct figures *f) { return quotient(f->turns, f->shared_requests); }
double figures_contention(const struct figures *f) { return quotient(f->contention, f->atomics); }

/* ---- lines ---------------------------------------------------------------------------------- */

/* Calls `each` for every line of every kernel. */
static void each_line(const struct result *r,
                      void (*each)(void *user, const char *file, const struct json_value *line),
                      void *user) {
  const struct json_value *kernels = kernels_of(r);
  for (size_t k = 0; kernels && k < kernels->count; k++) {
    const struct json_value *lines = json_find(&kernels->item[k], "lines");
    for (size_t i = 0; lines && i < lines->count; i++)
      each(user, json_string(&lines->item[i], "file", ""), &lines->item[i]);
  }
}

static const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Paths may be relative to one folder or another; of the ladder's files the last part tells. */
static bool same_file(const char *a, const char *b) {
  return strcmp(file_name(a), file_name(b)) == 0;
}

struct lines {
  const char *path;
  struct line_figures *line;
  size_t count;
};

static void take_line(void *user, const char *file, const struct json_value *v) {
  struct lines *l = user;
  const unsigned number = (unsigned)json_number(v, "line", 0);
  size_t at = l->count;
  if (!same_file(file, l->path)) return;
  for (size_t i = 0; i < l->count; i++)
    if (l->line[i].line == number) {
      add(&l->line[i].f, v);
      return;
    }
  l->line = text_grow(l->line, (l->count + 1) * sizeof *l->line);
  l->count++;
  for (; at > 0 && l->line[at - 1].line > number; at--) l->line[at] = l->line[at - 1];
  l->line[at] = (struct line_figures){.line = number};
  add(&l->line[at].f, v);
}

struct line_figures *figures_lines(const struct result *r, const char *path, size_t *count) {
  struct lines l = {.path = path};
  each_line(r, take_line, &l);
  *count = l.count;
  return l.line;
}

static void take_file(void *user, const char *file, const struct json_value *v) {
  struct string_list *files = user;
  (void)v;
  if (!*file) return;
  for (size_t i = 0; i < files->count; i++)
    if (same_file(files->all[i], file)) return;
  string_list_add(files, file);
}

void figures_files(const struct result *r, struct string_list *files) {
  string_list_add(files, r->rung->path);
  each_line(r, take_file, files);
}

/* main.c - heddle-ladder lists, runs and judges the rungs of the ladder
 *
 * Result   exit status 0 if nothing is wrong, 1 if something is, 2 for a mistake on the command
 *          line, 130 if interrupted
 * Method   everything that can be refused (names, sizes, paths, tools that are missing) is
 *          refused before the first rung runs
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "base/text.h"
#include "catalog.h"
#include "failure.h"
#include "options.h"
#include "paths.h"
#include "run/run.h"
#include "show/pictures.h"
#include "show/plot.h"
#include "show/report.h"
#include "show/table.h"

static void no_family(const struct catalog *c, const char *name) {
  struct suggestion s;
  char near[128];
  suggest_start(&s, name);
  for (size_t i = 0; i < c->count; i++) suggest_add(&s, c->rung[i].family);
  fail("no family '%s'%s", name, suggest_text(&s, "", near, sizeof near));
}

static void no_rung(const struct catalog *c, const char *family, const char *name) {
  struct suggestion s;
  char near[128];
  suggest_start(&s, name);
  for (size_t i = 0; i < c->count; i++) {
    if (strcmp(c->rung[i].family, family) != 0) continue;
    suggest_add(&s, c->rung[i].name);
    suggest_add(&s, c->rung[i].name + 3);
  }
  fail("no rung '%s' in %s%s", name, family, suggest_text(&s, "", near, sizeof near));
}

/* The rungs that the command line means. One name may be a family or family/rung. */
static struct result *choose(const struct catalog *c, const struct options *o, size_t *count) {
  struct result *chosen = NULL;
  char *family = o->names.count > 0 ? text_format("%s", o->names.all[0]) : NULL;
  const char *rung = o->names.count > 1 ? o->names.all[1] : NULL;
  char *slash = family ? strchr(family, '/') : NULL;
  if (slash && !rung) {
    *slash = 0;
    rung = slash + 1;
  }
  if (family && !catalog_is_family(c, family)) no_family(c, family);
  *count = 0;
  for (size_t i = 0; i < c->count; i++) {
    if (family && strcmp(c->rung[i].family, family) != 0) continue;
    if (rung && !catalog_means(&c->rung[i], rung)) continue;
    chosen = text_grow(chosen, (*count + 1) * sizeof *chosen);
    chosen[*count] = (struct result){.rung = &c->rung[i]};
    (*count)++;
  }
  if (*count == 0) no_rung(c, family, rung);
  free(family);
  return chosen;
}

int main(int argc, char **argv) {
  struct options o;
  struct catalog c;
  struct ceiling ceiling = {0, 0};
  size_t count = 0, missing = 0;
  fail_without_memory();
  options_read(&o, argc, argv);
  catalog_load(&c);
  struct result *result = choose(&c, &o, &count);
  if (o.list) {
    table_list(result, count);
  } else {
    if (o.plot) plot_check(o.plot);
    if (o.html) plot_check(o.html);
    char *scratch = o.html ? scratch_folder() : NULL;
    if (o.pictures || o.html) pictures_prepare(o.pictures ? o.out : scratch, result, count);
    run_rungs(result, count, &c, &o, &ceiling);
    if (o.pictures) missing = pictures_write(o.out, result, count, o.json);
    if (o.plot) plot_write(o.plot, result, count, o.cuda);
    if (o.html) report_write(o.html, result, count, scratch);
    free(scratch);
    if (o.json)
      table_json(result, count, o.cuda, &ceiling);
    else
      table_print(result, count, o.cuda, &ceiling);
  }
  const bool wrong = !o.list && (table_wrong(result, count) > 0 || missing > 0);
  results_free(result, count);
  catalog_free(&c);
  options_free(&o);
  if (fflush(stdout) != 0) fail("cannot write to standard output");
  return wrong ? STATUS_WRONG : STATUS_RIGHT;
}

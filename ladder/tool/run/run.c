/* run.c - all command lines are made first, then run as jobs, then their output is read */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json/value.h"
#include "base/string_list.h"
#include "base/text.h"
#include "commands.h"
#include "failure.h"
#include "paths.h"

/* The last line of standard output that begins with '{' and is JSON. */
static void read_json(struct result *r) {
  char *text = r->job.out.data;
  if (!text) return;
  for (size_t end = strlen(text); end > 0;) {
    while (end > 0 && text[end - 1] == '\n') end--;
    size_t start = end;
    while (start > 0 && text[start - 1] != '\n') start--;
    if (text[start] == '{') {
      char *line = text_format("%.*s", (int)(end - start), text + start);
      const bool good = json_parse(line, &r->json);
      free(line);
      if (good) return;
    }
    end = start;
  }
}

static void read_counts(struct result *r, const char *path) {
  struct json_value v;
  char *text = file_read(path, NULL);
  r->barriers = r->collectives = r->launches = -1;
  if (text && json_parse(text, &v)) {
    const struct json_value *kernels = json_find(&v, "kernels");
    r->barriers = r->collectives = r->launches = 0;
    for (size_t i = 0; kernels && i < kernels->count; i++) {
      r->barriers += json_number(&kernels->item[i], "barriers", 0);
      r->collectives += json_number(&kernels->item[i], "collectives", 0);
      r->launches += json_number(&kernels->item[i], "launches", 0);
    }
    json_value_free(&v);
  }
  free(text);
}

/* ---- progress: a dot line on a terminal ----------------------------------------------------- */

struct progress {
  size_t done, count;
  const char *what;
};

static void show_progress(void *user, size_t i) {
  struct progress *p = user;
  (void)i;
  p->done++;
  if (!isatty(2)) return;
  fprintf(stderr, "\r%s %zu of %zu%s", p->what, p->done, p->count,
          p->done == p->count ? "\r\033[K" : "");
  fflush(stderr);
}

static void run_all(struct job *jobs, size_t count, unsigned workers, const char *what) {
  struct progress p = {0, count, what};
  jobs_run(jobs, count, workers, show_progress, &p);
}

/* ---- simt ----------------------------------------------------------------------------------- */

enum { PLAIN, CHECK, PROFILE, BUILDS }; /* each is compiled and run */

static char *file_of(const char *folder, size_t rung, int build) {
  return text_format("%s/%zu.%d", folder, rung, build);
}

static void prepare_rung(struct job jobs[BUILDS], struct result *r, const struct options *o,
                         const struct tools *t, char *const files[BUILDS]) {
  for (int build = 0; build < BUILDS; build++) {
    jobs[build] = (struct job){.limit_seconds = o->limit_seconds};
    remove_at_exit(files[build]);
  }
  command_simt(&jobs[PLAIN].arguments, t, r->rung, o, files[PLAIN], r->picture);
  r->check.asked = o->check;
  r->profile.asked = o->profile;
  if (o->check)
    command_observed(&jobs[CHECK].arguments, t, t->heddle_check, r->rung, o, files[CHECK]);
  if (o->profile)
    command_observed(&jobs[PROFILE].arguments, t, t->heddle_profile, r->rung, o, files[PROFILE]);
}

static void take_report(struct observed *w, const struct job *job, const char *path) {
  char *text = file_read(path, NULL);
  w->job = *job;
  if (text) json_parse(text, &w->report);
  free(text);
}

static void run_simt(struct result *result, size_t count, const struct options *o,
                     const struct tools *t) {
  char *folder = scratch_folder();
  struct job *jobs = text_grow(NULL, BUILDS * count * sizeof *jobs);
  char **files = text_grow(NULL, BUILDS * count * sizeof *files);
  for (size_t i = 0; i < count; i++) {
    for (int build = 0; build < BUILDS; build++)
      files[BUILDS * i + (size_t)build] = file_of(folder, i, build);
    prepare_rung(&jobs[BUILDS * i], &result[i], o, t, &files[BUILDS * i]);
  }
  run_all(jobs, BUILDS * count, processors(), "run");
  for (size_t i = 0; i < count; i++) {
    const struct job *own = &jobs[BUILDS * i];
    char **path = &files[BUILDS * i];
    result[i].job = own[PLAIN];
    read_counts(&result[i], path[PLAIN]);
    take_report(&result[i].check, &own[CHECK], path[CHECK]);
    take_report(&result[i].profile, &own[PROFILE], path[PROFILE]);
    for (int build = 0; build < BUILDS; build++) free(path[build]);
  }
  free(folder);
  free(files);
  free(jobs);
}

/* ---- cuda ----------------------------------------------------------------------------------- */

static void read_ceiling(struct ceiling *ceiling, struct job *job) {
  struct result r = {.job = *job};
  read_json(&r);
  ceiling->read_gbs = json_number(&r.json, "read_gbs", 0);
  ceiling->copy_gbs = json_number(&r.json, "copy_gbs", 0);
  if (ceiling->read_gbs <= 0)
    fail("the ceiling could not be measured: %s",
         job->error.length ? job->error.data : "no GPU answers");
  json_value_free(&r.json);
}

/* What was compiled is renamed to its own path at once or not at all; what was not is not run, and
 * the compiler's words are the rung's. */
static void take_program(struct job *compile, struct job *run) {
  if (compile->arguments.count == 0) return;
  const char *made = compile->arguments.all[compile->arguments.count - 1];
  if (compile->status == 0 && rename(made, run->arguments.all[0]) == 0) return;
  unlink(made);
  string_list_free(&run->arguments);
  run->error = compile->error;
  compile->error = (struct text){0};
}

/* The last of the `count` + 1 programs is the ceiling's. */
static void run_cuda(struct result *result, size_t count, const struct catalog *c,
                     const struct options *o, const struct tools *t, struct ceiling *ceiling) {
  struct job *compile = text_grow(NULL, (count + 1) * sizeof *compile);
  struct job *run = text_grow(NULL, (count + 1) * sizeof *run);
  char *source = text_format("%s/common/ceiling.cu", c->root);
  const struct options plain = {.limit_seconds = o->limit_seconds};
  for (size_t i = 0; i <= count; i++) {
    const char *path = i < count ? result[i].rung->path : source;
    char *program = cached_program(t, c, path);
    compile[i] = (struct job){.limit_seconds = 300};
    run[i] = (struct job){.limit_seconds = o->limit_seconds};
    command_nvcc(&compile[i].arguments, t, path, i < count && result[i].rung->links_heddle,
                 program);
    command_program(&run[i].arguments, program, i < count ? result[i].rung : NULL,
                    i < count ? o : &plain, i < count ? result[i].picture : NULL);
    free(program);
  }
  run_all(compile, count + 1, processors(), "compiled");
  for (size_t i = 0; i <= count; i++) take_program(&compile[i], &run[i]);
  run_all(run + count, 1, 1, "ceiling");
  read_ceiling(ceiling, &run[count]);
  run_all(run, count, 1, "rung");
  for (size_t i = 0; i <= count; i++) job_free(&compile[i]);
  job_free(&run[count]);
  for (size_t i = 0; i < count; i++) {
    result[i].job = run[i];
    result[i].barriers = result[i].collectives = result[i].launches = -1;
  }
  free(compile);
  free(run);
  free(source);
}

void run_rungs(struct result *result, size_t count, const struct catalog *c,
               const struct options *o, struct ceiling *ceiling) {
  struct tools t;
  tools_find(&t, o);
  if (o->cuda)
    run_cuda(result, count, c, o, &t, ceiling);
  else
    run_simt(result, count, o, &t);
  for (size_t i = 0; i < count; i++) {
    read_json(&result[i]);
    judge(&result[i], o->cuda, o->limit_seconds);
  }
  tools_free(&t);
}

void results_free(struct result *result, size_t count) {
  for (size_t i = 0; i < count; i++) {
    job_free(&result[i].job);
    job_free(&result[i].check.job);
    job_free(&result[i].profile.job);
    json_value_free(&result[i].check.report);
    json_value_free(&result[i].profile.report);
    json_value_free(&result[i].json);
    free(result[i].picture);
    free(result[i].says);
  }
  free(result);
}
